"""What the commands over trees and rules share."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kilter.errors import InputError
from kilter.formats.conllu import read_trees
from kilter.formats.stream import ByteSource, display_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from kilter.structures.tree_column import TreeColumn


def note_joined(columns: Iterable[TreeColumn], *, quiet: bool) -> None:
    """Say which trees had several roots; all but the first of them were attached to it."""
    for column in columns:
        if column.joined and not quiet:
            click.echo(
                f"kilter: {column.where(column.joined[0])}: several roots; the others were attached to the "
                f"first, here and in {len(column.joined) - 1} more trees",
                err=True,
            )


def read_parses(paths: Sequence[str]) -> dict[str, TreeColumn]:
    """Return the first parse of every sentence of each file, by the names of the parsers."""
    return {
        name: read_trees(ByteSource(path)).first_parses()
        for name, path in zip(parser_names(paths), paths, strict=True)
    }


def parser_names(paths: Sequence[str]) -> list[str]:
    """Return what parsers are called: as their files, without folders and suffixes where that will do.

    >>> parser_names(["trees/malt.conllu.gz", "stanza.conllu"])
    ['malt', 'stanza']
    """
    for path in paths:
        if paths.count(path) > 1:
            raise InputError("is given twice", where=display_name(path))
    short = [_stem(path) for path in paths]
    return short if len(set(short)) == len(short) else [display_name(path) for path in paths]


def _stem(path: str) -> str:
    if path == "-":
        return "stdin"
    return Path(path).name.removesuffix(".gz").removesuffix(".xz").removesuffix(".conllu")


def changes(paths: Sequence[str], *, wait: float = 0.2) -> Iterator[str]:
    """Yield the path of a file whenever it has changed, for ever; a file that is gone is waited for."""
    known = {path: _stamp(path) for path in paths}
    while True:
        time.sleep(wait)
        for path in paths:
            stamp = _stamp(path)
            if stamp not in (None, known[path]):
                known[path] = stamp
                yield path


def _stamp(path: str) -> tuple[int, int] | None:
    try:
        found = Path(path).stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size

"""Where `kilter permutation` writes its table: standard output, or a file."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from kilter.cli.command import given_names
from kilter.io.output import is_stream, written_text
from kilter.render.table.segment_file import check_segments_path, segments_format
from kilter.render.table.table import TableFormat

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TextIO


@dataclass(frozen=True, kw_only=True)
class TableTarget:
    """A format, and the file that the table goes to; None for standard output."""

    form: TableFormat
    path: str | None = None
    resume: bool = False

    @property
    def whole(self) -> bool:
        """Whether the table appears complete or not at all, and nothing of it if a line is bad."""
        return self.path is not None and not is_stream(self.path) and not self.resume

    @contextmanager
    def opened(self) -> Iterator[TextIO]:
        """Yield what the table is written to."""
        if self.path is None:
            yield sys.stdout
            return
        with written_text(self.path) as out:
            yield out


def table_target(
    form: TableFormat, path: str | None, file: str, *, resume: bool = False
) -> TableTarget:
    """Return where the table goes, checked before anything is read; the name of a file says its format."""
    if resume and (path is None or not path.endswith(".parquet") or is_stream(path)):
        raise click.UsageError("--resume needs a file to go on with; add -o FILE.parquet")
    if resume and (file == "-" or is_stream(file)):
        raise click.UsageError("--resume reads the input again, which takes a file; name one")
    if path is None:
        return TableTarget(form=form)
    check_segments_path(path, [file], called=f"-o {path}")
    said = segments_format(path)
    if "format" in given_names() and said != form:
        raise click.UsageError(
            f"--format {form} does not fit -o {path}, which is {said}; leave it out"
        )
    return TableTarget(form=said, path=path, resume=resume)

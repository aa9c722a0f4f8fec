"""Texts that commands score, with their references, links and trees: files as options, and what they hold."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from kilter.cli.fields import (
    Columns,
    columns_setting,
    references_setting,
    source_setting,
    with_column,
    with_columns,
)
from kilter.core.counted import counted
from kilter.core.errors import InputError, OptionError
from kilter.core.settings import Group, InputFile, argument, setting
from kilter.io.compression import uncompressed_name
from kilter.io.saved_result import SUFFIX, is_saved
from kilter.io.stream import display_name, refuse_repeated
from kilter.io.text_file import TextStream, part_names, text_part
from kilter.run.scoring.structure_files import StructureFiles

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from kilter.core.settings import Setting
    from kilter.results.score_result import ScoreResult
    from kilter.run.scoring.corpus import Texts
    from kilter.run.scoring.text_streams import TextStreams


@dataclass(frozen=True, kw_only=True)
class TextFiles:
    """The files of systems, references and source, and what comes with them."""

    systems: tuple[InputFile, ...] = argument(
        default=(), description="Translations, one segment per line; - reads standard input."
    )
    references: tuple[InputFile, ...] = references_setting()
    source: InputFile | None = source_setting()
    columns: Columns = columns_setting("hypothesis", "reference", "source")
    names: tuple[str, ...] = setting(
        "--name",
        default=(),
        metavar="NAME",
        group=Group.INPUT,
        description="Name of a system, one per file.  [default: its file name]",
    )
    structures: StructureFiles = field(default_factory=StructureFiles)

    def problems(self, _given: Collection[str]) -> Iterator[str]:
        """Yield what is wrong across files."""
        yield from link_problems(self.structures)

    def streams(self) -> TextStreams:
        """Return texts that are read some lines at a time; they are checked, but not in memory."""
        from kilter.run.scoring.text_streams import TextStreams

        named = self._named()
        streams = TextStreams(
            systems={name: TextStream(path) for name, path in named.systems.items()},
            references={display_name(path): TextStream(path) for path in named.references},
            source=None
            if named.source is None
            else (display_name(named.source), TextStream(named.source)),
            files={name: display_name(path) for name, path in named.systems.items()},
            structures=self.structures,
            notes=tuple(self.structures.link_notes()),
        )
        streams.check()
        return streams

    def check_named(self) -> None:
        """Raise a usage error for texts without a reference, or none at all."""
        if not self.systems:
            raise click.UsageError("name the texts of systems, or saved results")
        if not self.references and not self.are_saved:
            raise click.UsageError("name the reference with -r")

    @property
    def are_saved(self) -> bool:
        """Whether systems are saved results, which hold everything about them."""
        return any(map(is_saved, self.systems))

    def saved(self) -> dict[str, ScoreResult]:
        """Return saved scores by the names of their runs: those of `--name`, else of their files."""
        from kilter.io.saved_result import load
        from kilter.results.score_result import ScoreResult

        refuse_repeated(self.systems)
        runs = {}
        for name, path in zip(_names(self.systems, self.names), self.systems, strict=True):
            if not is_saved(path):
                raise OptionError(
                    f"{path} is a text beside saved results; name texts with -r, or saved results alone"
                )
            result = load(path)
            if not isinstance(result, ScoreResult):
                raise InputError(f"holds no scores but a {type(result).__name__}", where=path)
            runs[name.removesuffix(SUFFIX)] = result
        return runs

    def read(self) -> Texts:
        """Return texts, links and trees in memory; whatever is wrong is an error."""
        return self.streams().whole()

    def _named(self) -> _NamedFiles:
        refuse_repeated(self.references)
        for path in filter(is_saved, self.systems):
            raise OptionError(
                f"{path} is a saved result and no text; kilter compare and kilter report take it"
            )
        if not self.names:  # who names one file twice means it, for links or trees of its own
            refuse_repeated(self.systems)
        names = _names(self.systems, self.names)
        systems = with_columns(self.systems, self.columns, "hypothesis")
        references = with_columns(self.references, self.columns, "reference")
        return _NamedFiles(
            systems=dict(zip(names, systems, strict=True)),
            references=references,
            source=with_column(self.source, self.columns, "source"),
        )


@dataclass(frozen=True, kw_only=True)
class RequiredTextFiles(TextFiles):
    """The same for commands that can do nothing without texts."""

    systems: tuple[InputFile, ...] = argument(
        description="Translations, one segment per line; - reads standard input."
    )
    references: tuple[InputFile, ...] = references_setting(required=True)


def link_problems(files: StructureFiles) -> Iterator[str]:
    """Yield what is wrong across files of links."""
    linked = files.links or files.source_hypothesis or files.source_reference
    if files.link_format is not None and not linked:
        yield "--link-format has no effect without files of links; leave it out"


def saved_problems(
    given: Collection[str], allowed: Collection[str], known: Mapping[str, Setting]
) -> Iterator[str]:
    """Yield which options have no effect on saved results."""
    for name in given:
        if name not in allowed:
            yield f"saved results hold their texts and settings; leave {known[name].called} out"


class _NamedFiles(NamedTuple):
    """The files of texts, with the columns of tables."""

    systems: dict[str, str]
    references: list[str]
    source: str | None


def _names(systems: Sequence[str], names: tuple[str, ...]) -> list[str]:
    if not names:
        return system_names(systems)
    if len(names) != len(systems) or len(set(names)) != len(names):
        raise OptionError(
            f"give {counted(len(systems), 'different name')} with --name, one per system"
        )
    if "" in names:
        raise OptionError("a name given with --name is empty; give every system one")
    return list(names)


def system_names(paths: Sequence[str]) -> list[str]:
    """Return the shortest names that tell systems apart: file names without suffixes, or paths."""
    parts = zip(part_names(paths), paths, strict=True)
    plain = [_stem(path) if part is None else part for part, path in parts]
    return plain if len(set(plain)) == len(plain) else [display_name(path) for path in paths]


def _stem(path: str) -> str:
    if path == "-":
        return "stdin"
    return uncompressed_name(Path(text_part(path).path).name).removesuffix(".txt")

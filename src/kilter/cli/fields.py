"""Fields that the settings of several commands have."""

from __future__ import annotations

import sys
from dataclasses import MISSING
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from kilter.core.errors import OptionError
from kilter.core.settings import Group, flag, like, setting
from kilter.io.stream import is_folder
from kilter.io.text_file import text_part
from kilter.render.table.parquet import check_parquet
from kilter.render.table.table import TableFormat
from kilter.run.scoring.settings import Settings
from kilter.stats.significance import MarkRule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from enum import StrEnum

Columns: TypeAlias = "Mapping[str, str]"
"""The columns of tables by what they hold."""


def format_setting(
    *flags: str,
    default: StrEnum = TableFormat.TEXT,
    description: str | None = None,
    **more: Any,
) -> Any:
    """Declare how a command writes; Parquet that cannot be written or read is refused at once.

    Without a `description`, help lists the formats, which are too many for the place of the value.
    """
    if description is None:
        *others, last = type(default)
        description = f"{', '.join(others)} or {last}."
        more = {"metavar": "FORMAT", **more}
    return setting(
        *(flags or ("--format",)),
        default=default,
        description=description,
        parse=_check_format,
        group=Group.OUTPUT,
        **more,
    )


def _check_format(value: StrEnum) -> StrEnum:
    if value == TableFormat.PARQUET:
        if sys.stdout.isatty():
            raise click.UsageError("Parquet is binary; write it to a file with > FILE")
        check_parquet("--format parquet")
    return value


def quiet_setting(description: str = "Print errors only.") -> Any:
    """Declare the flag that silences a command."""
    return flag("-q", "--quiet", description=description, group=Group.OUTPUT)


def details_setting(description: str) -> Any:
    """Declare the flag that shows everything there is to read."""
    return flag("--details", "--verbose", description=description, group=Group.OUTPUT)


def percent_setting() -> Any:
    """Declare the flag that shows scores as sacreBLEU does."""
    return flag(group=Group.OUTPUT, description="Show scores times 100.")


def jobs_setting() -> Any:
    """Declare the number of threads."""
    return like(Settings, "jobs")


def marks_setting() -> Any:
    """Declare what marks of significance follow."""
    return setting(
        default=MarkRule.CORRECTED,
        description="Marks by corrected p-value or resamples won.",
    )


def metrics_setting(description: str) -> Any:
    """Declare the metrics, none unless some are named; they mean something else to every command."""
    return like(Settings, "metrics", default=(), description=description)


def output_folder_setting(description: str) -> Any:
    """Declare the folder that a command fills."""
    return setting("-o", "--output", description=description, group=Group.OUTPUT)


def segments_setting(rows: str, *flags: str) -> Any:
    """Declare a file with a row for each segment; help says what `rows` hold."""
    return setting(
        *flags,
        default=None,
        description=f"Write {rows} to FILE (.tsv, .csv, .jsonl, .parquet).",
    )


def source_setting(description: str = "Source text.", *, required: bool = False) -> Any:
    """Declare the source text."""
    return setting("-s", "--source", description=description, default=MISSING if required else None)


def references_setting(
    description: str = "Reference translation; repeatable.",
    *,
    required: bool = False,
) -> Any:
    """Declare the reference, or several."""
    return setting(
        "-r", "--reference", description=description, default=MISSING if required else ()
    )


def columns_setting(*roles: str) -> Any:
    """Declare the columns of tables; what they hold is one of the roles."""
    return setting(
        "--column",
        default=dict,
        metavar="ROLE=NAME",
        group=Group.INPUT,
        parse=_columns(roles),
        description=f"Column of a table file, such as {roles[0]}=text; repeatable.",
    )


def _columns(roles: Sequence[str]) -> Callable[[Sequence[str]], dict[str, str]]:
    def columns(given: Sequence[str]) -> dict[str, str]:
        found: dict[str, str] = {}
        for text in given:
            role, sign, name = text.partition("=")
            if not sign or not name or role not in roles:
                raise click.UsageError(
                    f"--column is {text!r}; write ROLE=NAME with one of {', '.join(roles)}"
                )
            if role in found:
                raise click.UsageError(f"--column {role} is given twice; once is enough")
            found[role] = name
        return found

    return columns


def with_columns(paths: Sequence[str], columns: Mapping[str, str], role: str) -> list[str]:
    """Return the files of a role with the column that was named; one that none has is an `OptionError`."""
    name = columns.get(role)
    found = [text_part(path).with_column(name) for path in paths]
    if name is not None and found == list(paths):
        raise OptionError(
            f"--column {role}={name} names a column, but no {role} is a table; leave it out"
        )
    return found


def with_column(path: str | None, columns: Mapping[str, str], role: str) -> str | None:
    """Return the only file of a role, which may be missing, with the column that was named."""
    return next(iter(with_columns([path] if path else [], columns, role)), None)


def scores_setting(
    description: str = "File of segment scores (system, segment, score); repeatable.",
) -> Any:
    """Declare files of segment scores by the names of their metrics."""
    return setting(
        "--scores",
        default=dict,
        metavar="[NAME=]FILE",
        group=Group.INPUT,
        parse=score_files,
        description=description,
    )


def score_files(given: Sequence[str]) -> dict[str, str]:
    """Return files of scores by the names that they are given, or those of the files."""
    files: dict[str, str] = {}
    for entry in _entries(given):
        name, equals, path = entry.partition("=")
        if not equals:
            name, path = Path(entry).name.partition(".")[0], entry
        if name in files:
            raise OptionError(f"two files of scores are called {name!r}; write --scores NAME=FILE")
        files[name] = path
    return files


def _entries(given: Sequence[str]) -> Iterator[str]:
    """Yield what was given, and of a folder each file of segment scores, as mt-metrics-eval lays them out."""
    for entry in given:
        folder = Path(entry)
        if "=" in entry or not is_folder(entry):
            yield entry
            continue
        files = sorted(folder.glob("*.seg.score*"))
        if not files:
            raise OptionError(f"{entry} holds no file of segment scores (*.seg.score)")
        yield from (f"{file.name.partition('.seg.score')[0]}={file}" for file in files)


def lower_is_better_setting() -> Any:
    """Declare the metrics of given scores where less is better."""
    return setting(
        "--lower-is-better",
        default=(),
        metavar="NAME",
        group=Group.INPUT,
        description="Metric of --scores for which lower is better; repeatable.",
    )


def number_range(text: str, *, option: str, most: int, example: str) -> range:
    """Return the numbers that an option names: one from 1 to `most`, or a range with both ends.

    >>> number_range("2-4", option="--copies", most=1000, example="1-20")
    range(2, 5)
    """
    first, dash, last = text.partition("-")
    try:
        asked = range(int(first), int(last if dash else first) + 1)
    except ValueError:
        asked = range(0)
    if not asked or asked[0] < 1 or asked[-1] > most:
        raise OptionError(
            f"{option} is {text!r}; write a number from 1 to {most}, or a range such as {example}"
        )
    return asked

"""Tables as publications print them: rows, columns, figures, misprints, and how each is computed again."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from kilter.core.errors import OptionError
from kilter.results.published_result import PublishedEntry
from kilter.run.meta.published import published_tables
from kilter.run.published.data_set import PRINTED, data_sets

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kilter.results.published_result import PrintedFigure
    from kilter.run.meta.published import PublishedTable

_FILES = ("pc", "pef", "lr", "frs", "th")
_UNRECORDED, _UNPRINTED = "?", "-"


@dataclass(frozen=True, kw_only=True)
class PrintedRow:
    """A row: its name, its figures, None where none is known, and what its computation takes."""

    name: str
    printed: tuple[PrintedFigure | None, ...]
    unrecorded: tuple[bool, ...]
    """Where the publication prints a figure that is not at hand."""
    misprint: str | None = None
    given: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class PrintedTable:
    """A printed table, and the recipe by which Kilter computes it."""

    entry: PublishedEntry
    recipe: str | None
    columns: tuple[str, ...]
    decimals: int
    rows: tuple[PrintedRow, ...]
    data: Mapping[str, str]
    """The data of a column, by name; columns without are not computed from data."""
    measure: str | None
    """The measure of agreement with people, where the table is of one."""
    agreement: PublishedTable | None
    """The whole table of agreement that the figures are a part of."""
    given: Mapping[str, Any]
    misprints: Mapping[str, str]
    differences: tuple[str, ...]

    @property
    def name(self) -> str:
        """The name by which the table is asked for."""
        return self.entry.name


@cache
def printed_tables() -> dict[str, PrintedTable]:
    """Return all tables by name, publication by publication.

    >>> list(printed_tables())[:3]
    ['pc-1', 'pc-2', 'pc-3']
    """
    found: dict[str, PrintedTable] = {}
    for file in _FILES:
        document = tomllib.loads((PRINTED / f"{file}.toml").read_text(encoding="utf-8"))
        publication = document.pop("publication")
        document.pop("citation")
        for name, entry in document.items():
            found[name] = _table(name, publication, entry)
    return found


def printed_table(name: str) -> PrintedTable:
    """Return a table by name; any other is an `OptionError`."""
    tables = printed_tables()
    if name not in tables:
        raise OptionError(f"there is no table {name!r}; there are: {', '.join(tables)}")
    return tables[name]


def _table(name: str, publication: str, entry: Mapping[str, Any]) -> PrintedTable:
    columns = tuple(entry["columns"])
    data: dict[str, str] = entry.get("data", {})
    whole = next((t for t in published_tables() if t.publication == entry.get("from")), None)
    first = entry.get("first", 0)
    return PrintedTable(
        entry=PublishedEntry(
            name=name,
            publication=publication,
            place=entry["place"],
            title=entry["title"],
            data=tuple(data_sets()[each].about for each in dict.fromkeys(data.values())),
            unavailable=entry.get("unavailable", ""),
        ),
        recipe=entry.get("recipe"),
        columns=columns,
        decimals=entry["decimals"],
        rows=tuple(_row(row, whole, first, len(columns)) for row in entry["row"]),
        data=data,
        measure=entry.get("measure", whole.measure if whole else None),
        agreement=whole,
        given=entry.get("given", {}),
        misprints=entry.get("misprints", {}),
        differences=tuple(entry.get("differences", ())),
    )


def _row(
    entry: Mapping[str, Any], whole: PublishedTable | None, first: int, width: int
) -> PrintedRow:
    """Return a row; figures of agreement stand in the table of all of them, and only there."""
    if "printed" in entry:
        listed: Sequence[Any] = entry["printed"]
    else:
        assert whole is not None  # noqa: S101 - the files are ours, and a test reads all of them
        listed = whole.values[entry["metric"]][first : first + width]
    return PrintedRow(
        name=entry["name"],
        printed=tuple(None if each in (_UNRECORDED, _UNPRINTED) else each for each in listed),
        unrecorded=tuple(each == _UNRECORDED for each in listed),
        misprint=entry.get("misprint"),
        given={
            key: value for key, value in entry.items() if key not in {"name", "printed", "misprint"}
        },
    )

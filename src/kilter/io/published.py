"""What publications print: tables, agreement with people, figures about judgments; a file for each publication."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kilter.core.errors import OptionError
from kilter.results.meta_result import PublishedValue
from kilter.results.published_result import PublishedData, PublishedEntry

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kilter.results.published_result import PrintedFigure

_FOLDER = Path(__file__).parents[1] / "published"
_PUBLICATIONS = ("pc", "pef", "lr", "frs", "th")
_AGREEMENTS = ("pef", "pc", "lr")
"""Publications that print agreement of metrics with people, in the order in which they are returned."""
_HEADER = ("publication", "citation", "agreement", "study")
"""Keys of a publication that are not tables."""
_UNRECORDED, _UNPRINTED = "?", "-"


@cache
def _document(name: str) -> dict[str, Any]:
    return tomllib.loads((_FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True, kw_only=True)
class PublishedTable:
    """A printed table: values by metric, as `-m` takes it, one per language pair of `columns`.

    A column is named by its data set, or None where that is not at hand.
    """

    publication: str
    citation: str
    measure: str
    columns: tuple[str | None, ...]
    values: Mapping[str, tuple[float, ...]]


@cache
def published_tables() -> tuple[PublishedTable, ...]:
    """Return every printed table of agreement.

    >>> [table.publication for table in published_tables()]
    ['[PEF] tables 1 and 2', '[PC] table 2', '[LR]']
    """
    tables = (_agreement(_document(name)) for name in _AGREEMENTS)
    return tuple(table for table in tables if table is not None)


def _agreement(document: Mapping[str, Any]) -> PublishedTable | None:
    if "agreement" not in document:
        return None
    entry = document["agreement"]
    return PublishedTable(
        publication=entry["place"],
        citation=document["citation"],
        measure=entry["measure"],
        columns=tuple(None if name == _UNRECORDED else name for name in entry["columns"]),
        values={name: tuple(row) for name, row in entry["values"].items()},
    )


def agreement_data_sets() -> list[str]:
    """Return the data sets that something is printed about.

    >>> agreement_data_sets()[0]
    'wmt13-de-en'
    """
    columns = (column for table in published_tables() for column in table.columns if column)
    return list(dict.fromkeys(columns))


def printed_metrics(data_set: str) -> dict[str, list[str]]:
    """Return the metrics that something is printed of about a data set, by measure.

    >>> printed_metrics("wmt13-de-en")["system_spearman"][0]
    'sen:order=hamming'
    """
    by_measure: dict[str, list[str]] = {}
    for table in published_tables():
        if data_set in table.columns:
            by_measure.setdefault(table.measure, []).extend(table.values)
    return by_measure


def published_values(data_set: str, metrics: Sequence[str]) -> dict[str, dict[str, PublishedValue]]:
    """Return what is printed about a data set, by measure and metric.

    >>> published_values("wmt13-de-en", ["full"])["segment_tau"]["full"].value
    0.237
    """
    if data_set not in agreement_data_sets():
        raise OptionError(
            f"nothing is printed about {data_set!r}; there are numbers about {', '.join(agreement_data_sets())}"
        )
    by_measure: dict[str, dict[str, PublishedValue]] = {}
    for table in published_tables():
        if data_set not in table.columns:
            continue
        column = table.columns.index(data_set)
        for metric in metrics:
            if metric in table.values:
                by_measure.setdefault(table.measure, {})[metric] = PublishedValue(
                    value=table.values[metric][column], publication=table.publication
                )
    return by_measure


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
    return {
        name: _table(name, document["publication"], entry, _agreement(document))
        for document in map(_document, _PUBLICATIONS)
        for name, entry in document.items()
        if name not in _HEADER
    }


def printed_table(name: str) -> PrintedTable:
    """Return a table by name; any other is an `OptionError`."""
    tables = printed_tables()
    if name not in tables:
        raise OptionError(f"there is no table {name!r}; there are: {', '.join(tables)}")
    return tables[name]


def _table(
    name: str, publication: str, entry: Mapping[str, Any], agreement: PublishedTable | None
) -> PrintedTable:
    columns = tuple(entry["columns"])
    data: dict[str, str] = entry.get("data", {})
    whole = agreement if "from" in entry else None
    first = entry.get("first", 0)
    return PrintedTable(
        entry=PublishedEntry(
            name=name,
            publication=publication,
            place=entry["place"],
            title=entry["title"],
            data=tuple(published_data(each)[0] for each in dict.fromkeys(data.values())),
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


_INPUTS = ("judgments", "reference", "source", "systems")


@cache
def published_data(name: str) -> tuple[PublishedData, Mapping[str, Mapping[str, str]]]:
    """Return what tables are computed from, and the files of each language pair."""
    entry = _document("data_sets")[name]
    pairs = entry.get("pairs", {})
    files = [*entry.get("files", ()), *(pair[key] for pair in pairs.values() for key in _INPUTS)]
    about = PublishedData(
        name=name,
        title=entry["title"],
        source=entry["source"],
        files=tuple(dict.fromkeys(files)),
    )
    return about, pairs


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyFigure:
    """A figure that [TH] prints about its judgments, or what became of a hypothesis; `key` says which."""

    key: str
    name: str
    place: str
    printed: float | int | str


def study_figures() -> tuple[StudyFigure, ...]:
    """Return what is printed about the judgments of a study."""
    return tuple(StudyFigure(**entry) for entry in _document("th")["study"])


def study_outcomes() -> dict[str, str]:
    """Return what is printed of each hypothesis of a study.

    >>> study_outcomes()["EVAL"], study_outcomes()["EVAL_DD"]
    ('null rejected', 'not rejected')
    """
    outcomes = {row.name: str(row.printed[0]) for row in printed_tables()["th-hypotheses"].rows}
    return {
        name: "null rejected" if outcome == "rejected" else outcome
        for name, outcome in outcomes.items()
    }

"""Agreement with people as publications print it, to stand beside ours."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kilter.core.errors import OptionError
from kilter.results.meta_result import PublishedValue

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_FILE = Path(__file__).parents[2] / "published" / "agreement.json"


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
    return tuple(
        PublishedTable(
            publication=table["publication"],
            citation=table["citation"],
            measure=table["measure"],
            columns=tuple(table["columns"]),
            values={name: tuple(row) for name, row in table["values"].items()},
        )
        for table in _document()["tables"]
    )


def data_sets() -> list[str]:
    """Return the data sets that something is printed about.

    >>> data_sets()[0]
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
    if data_set not in data_sets():
        raise OptionError(
            f"nothing is printed about {data_set!r}; there are numbers about {', '.join(data_sets())}"
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


@cache
def _document() -> dict[str, list[dict[str, Any]]]:
    document: dict[str, list[dict[str, Any]]] = json.loads(_FILE.read_text(encoding="utf-8"))
    return document

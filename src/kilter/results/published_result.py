"""A printed table again: what `kilter published` found."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from kilter import __version__
from kilter.core.settings import Choice

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kilter.results.document import Document

PrintedFigure: TypeAlias = float | str
"""What a table prints in a cell: a number or a text."""


class CellVerdict(Choice):
    """How a printed and a recomputed cell stand to one another.

    `same`: equal to the last printed digit. `within`: another number, but our interval holds the printed
    one. `differs`: neither. `misprint`: the print is wrong, and `misprint` says which entry of the list
    of misprints tells why. `unprinted`: the publication prints nothing here. `unrecorded`: it prints a
    number that is not at hand. `uncomputed`: it prints a number, and the data behind it is not there.
    """

    SAME = "same"
    WITHIN = "within"
    DIFFERS = "differs"
    MISPRINT = "misprint"
    UNPRINTED = "unprinted"
    UNRECORDED = "unrecorded"
    UNCOMPUTED = "uncomputed"


@dataclass(frozen=True, kw_only=True)
class PublishedCell:
    """One cell: what is printed, what Kilter computes, and half of what lies between."""

    row: str
    column: str
    printed: PrintedFigure | None
    value: PrintedFigure | None
    low: float | None = None
    high: float | None = None
    verdict: CellVerdict
    misprint: str | None = None
    """The number of the misprint, such as M23."""

    def to_dict(self) -> Document:
        """Return a row of the document `kilter.published/1`."""
        return {
            "row": self.row,
            "column": self.column,
            "printed": self.printed,
            "value": self.value,
            "low": self.low,
            "high": self.high,
            "verdict": str(self.verdict),
            "misprint": self.misprint,
        }


@dataclass(frozen=True, kw_only=True)
class PublishedData:
    """Data that a table needs: what it is, where people get it, and the files that are looked for."""

    name: str
    title: str
    source: str
    files: tuple[str, ...]

    def to_dict(self) -> Document:
        """Return the part of a JSON document that is about this data."""
        return {
            "name": self.name,
            "title": self.title,
            "source": self.source,
            "files": list(self.files),
        }


@dataclass(frozen=True, kw_only=True)
class PublishedEntry:
    """A table that `kilter published` knows, before anything of it is computed."""

    name: str
    publication: str
    place: str
    title: str
    data: tuple[PublishedData, ...]
    unavailable: str = ""
    """Why nobody can compute it again; empty where somebody can."""

    @property
    def state(self) -> str:
        """What it takes: `nothing`, the names of data, or `unavailable`."""
        if self.unavailable:
            return "unavailable"
        return ", ".join(each.name for each in self.data) or "nothing"

    def to_dict(self) -> Document:
        """Return the part of a JSON document that is about this table."""
        return {
            "table": self.name,
            "publication": self.publication,
            "place": self.place,
            "title": self.title,
            "needs": [each.to_dict() for each in self.data],
            "unavailable": self.unavailable or None,
        }


@dataclass(frozen=True, kw_only=True)
class PublishedResult:
    """A printed table and the same table as Kilter computes it."""

    entry: PublishedEntry
    columns: tuple[str, ...]
    rows: tuple[str, ...]
    cells: tuple[PublishedCell, ...]
    """Row by row, each with all columns."""
    decimals: int
    """Decimals of the print, to which cells are compared."""
    misprints: Mapping[str, str] = field(default_factory=dict)
    """What is wrong in print, by number."""
    differences: tuple[str, ...] = ()
    """What Kilter does otherwise than the publication, or has to, and why."""
    notes: tuple[str, ...] = ()
    """What a reader should know of this run."""
    signatures: tuple[str, ...] = ()
    resamples: int
    seed: int

    def cell(self, row: str, column: str) -> PublishedCell:
        """Return one cell, by the names of its row and column."""
        return self.cells[self.rows.index(row) * len(self.columns) + self.columns.index(column)]

    def counts(self) -> dict[str, int]:
        """Return how often each verdict was given; those that were not are left out."""
        given = [cell.verdict for cell in self.cells]
        return {str(each): given.count(each) for each in CellVerdict if each in given}

    def to_dict(self) -> Document:
        """Return the JSON document `kilter.published/1`."""
        return {
            "schema": "kilter.published/1",
            "version": __version__,
            **self.entry.to_dict(),
            "resamples": self.resamples,
            "seed": self.seed,
            "decimals": self.decimals,
            "verdicts": self.counts(),
            "misprints": dict(self.misprints),
            "differences": list(self.differences),
            "notes": list(self.notes),
            "signatures": list(self.signatures),
            "rows": [cell.to_dict() for cell in self.cells],
        }

"""A printed table again: what `kilter published` found."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from kilter import __version__
from kilter.core.estimate import MISSING
from kilter.core.settings import Choice
from kilter.core.table import NAME, Column, Table
from kilter.results.document import Document, Result, document, fields_document

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

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


_CELL_COLUMNS = (
    "table", "row", "column", "printed", "value", "low", "high", "printed_text", "value_text", "verdict",
    "misprint",
)  # fmt: skip
_UNKNOWN, _MISPRINT = "not recorded", "!"
_LEGEND = {
    CellVerdict.SAME: "as printed",
    CellVerdict.WITHIN: "another figure, but our interval holds the printed one",
    CellVerdict.DIFFERS: "differ",
    CellVerdict.MISPRINT: f"misprinted ({_MISPRINT})",
    CellVerdict.UNPRINTED: "not printed",
    CellVerdict.UNRECORDED: "printed, but not recorded here",
    CellVerdict.UNCOMPUTED: "printed, without the data to compute them",
}
_PUBLICATIONS = {
    "[PC]": "Stanojević and Sima'an 2016, Hierarchical Permutation Complexity",
    "[PEF]": "Stanojević and Sima'an 2014, Permutation-Forests",
    "[LR]": "Birch and Osborne 2010, LRscore",
    "[FRS]": "Talbot et al. 2011, the fuzzy reordering score",
    "[TH]": "McCaffery 2017, The mat sat on the cat (thesis)",
}


@dataclass(frozen=True, kw_only=True)
class PublishedCell:
    """One cell: what is printed, what Kilter computes, and half of what lies between."""

    row: str
    column: str
    printed: PrintedFigure | None
    value: PrintedFigure | None
    low: float | None = None
    high: float | None = None
    verdict: CellVerdict = CellVerdict.UNPRINTED
    misprint: str | None = None
    """The number of the misprint, such as M23."""


@dataclass(frozen=True, kw_only=True)
class PublishedData:
    """Data that a table needs: what it is, where people get it, and the files that are looked for."""

    name: str
    title: str
    source: str
    files: tuple[str, ...]


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
            "needs": document(self.data),
            "unavailable": self.unavailable or None,
        }


@dataclass(frozen=True, kw_only=True)
class PublishedResult(Result):
    """A printed table and the same table as Kilter computes it."""

    schema: ClassVar[str] = "kilter.published/1"
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
            "schema": self.schema,
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
            "rows": document(self.cells),
        }

    def data(self) -> Table:
        """Return one row a cell; figures that are texts have columns of their own."""
        return Table.of(_CELL_COLUMNS, map(self._cell_row, self.cells))

    def _cell_row(self, cell: PublishedCell) -> Document:
        row = {"table": self.entry.name, **fields_document(cell)}
        for name in ("printed", "value"):
            figure = row[name]
            is_text = isinstance(figure, str)
            row[name] = None if is_text or figure is None else float(figure)
            row[f"{name}_text"] = figure if is_text else None
        return row

    def tables(self) -> list[Table]:
        """Return each column as it is printed and as it is computed, then what differs and why."""
        listed = [each for column in self.columns for each in self._columns(column)]
        columns = [Column(self.entry.name, NAME), *(column for column, _ in listed)]
        rows = zip(self.rows, *(cells for _, cells in listed), strict=True)
        title = f"{self.entry.publication} {self.entry.place}: {self.entry.title}"
        return [
            Table(title, columns if self.rows else [], rows if self.rows else [], self._notes())
        ]

    def _columns(self, name: str) -> Iterator[tuple[Column, list[str]]]:
        """Yield the printed and the computed figures of a column; what nobody computed has no column."""
        cells = [self.cell(row, name) for row in self.rows]
        before = "" if len(self.columns) == 1 else f"{name} "
        yield Column(f"{before}printed"), [self._printed(cell) for cell in cells]
        if any(cell.value is not None for cell in cells):
            yield Column(f"{before}ours"), [self._ours(cell) for cell in cells]

    def _printed(self, cell: PublishedCell) -> str:
        if cell.printed is None:
            return _UNKNOWN if cell.verdict is CellVerdict.UNRECORDED else MISSING
        mark = _MISPRINT if cell.verdict is CellVerdict.MISPRINT else ""
        return _figure(cell.printed, self.decimals) + mark

    def _ours(self, cell: PublishedCell) -> str:
        """Return a figure with a decimal more than the print, so that one sees how it was rounded."""
        if cell.value is None:
            return MISSING
        text = _figure(cell.value, self.decimals + 1)
        if cell.low is None or cell.high is None:
            return text
        return f"{text} ±{(cell.high - cell.low) / 2:.{self.decimals + 1}f}"

    def _notes(self) -> Iterator[str]:
        if self.cells:
            counts = self.counts()
            verdicts = [f"{counts[each]} {_LEGEND[each]}" for each in CellVerdict if each in counts]
            yield f"cells: {', '.join(verdicts)}"
        if any(cell.low is not None for cell in self.cells):
            yield f"± half-width of the 95% interval, {self.resamples} resamples, seed {self.seed}"
        if self.entry.unavailable:
            yield f"cannot be computed: {self.entry.unavailable}"
        yield from (f"{number}: {text}" for number, text in self.misprints.items())
        yield from (*self.differences, *self.notes)
        for data in self.entry.data:
            yield f"data {data.name}: {data.title}; {data.source}"


def _figure(value: PrintedFigure, decimals: int) -> str:
    """Return a figure with the decimals of the print; counts have none."""
    return f"{value:.{decimals}f}" if isinstance(value, float) else str(value)


@dataclass(frozen=True)
class PublishedList(Result):
    """Which tables there are, and what they need."""

    entries: Sequence[PublishedEntry]

    def to_dict(self) -> list[Document]:
        return [entry.to_dict() for entry in self.entries]

    def data(self) -> Table:
        rows = [
            {**entry.to_dict(), "needs": ", ".join(data.name for data in entry.data)}
            for entry in self.entries
        ]
        columns = ("table", "publication", "place", "title", "needs", "unavailable")
        return Table.of(columns, rows)

    def tables(self) -> list[Table]:
        rows = [[e.name, f"{e.publication} {e.place}", e.state] for e in self.entries]
        known = {data.name: data for entry in self.entries for data in entry.data}
        names = dict.fromkeys(entry.publication for entry in self.entries)
        told = "; ".join(f"{n} {_PUBLICATIONS[n]}" for n in names if n in _PUBLICATIONS)
        notes = [told] if told else []
        notes += [f"{data.name}: {data.title}; {data.source}" for data in known.values()]
        return [Table("", ["table", "printed as", "needs"], rows, notes, left=3)]

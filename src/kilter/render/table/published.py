"""Printed tables beside the same tables as Kilter computes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.core.table import Note
from kilter.render.table.long_table import LongTable
from kilter.render.table.page import PAGE, Page
from kilter.render.table.table import write_cells
from kilter.results.published_result import CellVerdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TextIO

    from kilter.render.table.page import OldColumn as Column
    from kilter.render.table.table import TableFormat
    from kilter.results.published_result import (
        PrintedFigure,
        PublishedCell,
        PublishedEntry,
        PublishedResult,
    )

_ENTRY_COLUMNS = ("table", "publication", "place", "title", "needs", "unavailable")
_CELL_COLUMNS = (
    "table",
    "row",
    "column",
    "printed",
    "value",
    "low",
    "high",
    "printed_text",
    "value_text",
    "verdict",
    "misprint",
)
_MISSING, _UNKNOWN, _MISPRINT = "-", "not recorded", "!"
_LEGEND = {
    CellVerdict.SAME: "as printed",
    CellVerdict.WITHIN: "another figure, but our interval holds the printed one",
    CellVerdict.DIFFERS: "differ",
    CellVerdict.MISPRINT: f"misprinted ({_MISPRINT})",
    CellVerdict.UNPRINTED: "not printed",
    CellVerdict.UNRECORDED: "printed, but not recorded here",
    CellVerdict.UNCOMPUTED: "printed, without the data to compute them",
}


def write_published(
    result: PublishedResult, out: TextIO, *, form: TableFormat, width: int = PAGE
) -> None:
    """Write each column as it is printed and as it is computed, then what differs and why."""
    page = Page(out, form, width)
    page.start(result.rows)
    entry = result.entry
    page.heading(f"{entry.publication} {entry.place}: {entry.title}")
    if result.rows:
        labels = page.labels(result.rows)
        page.table(entry.name, labels, list(_columns(result)))
    page.notes(_notes(result, page))


def _columns(result: PublishedResult) -> Iterator[Column]:
    """Yield the printed and the computed figures of each column; what nobody computed has no column."""
    for column in result.columns:
        cells = [result.cell(row, column) for row in result.rows]
        alone = len(result.columns) == 1
        yield (
            "printed" if alone else f"{column} printed",
            [_printed(cell, result.decimals) for cell in cells],
        )
        if any(cell.value is not None for cell in cells):
            yield (
                "ours" if alone else f"{column} ours",
                [_ours(cell, result.decimals) for cell in cells],
            )


def _printed(cell: PublishedCell, decimals: int) -> str:
    if cell.printed is None:
        return _UNKNOWN if cell.verdict is CellVerdict.UNRECORDED else _MISSING
    mark = _MISPRINT if cell.verdict is CellVerdict.MISPRINT else ""
    return _number(cell.printed, decimals) + mark


def _ours(cell: PublishedCell, decimals: int) -> str:
    if cell.value is None:
        return _MISSING
    # A decimal more than the print, so that one sees how a figure was rounded.
    text = _number(cell.value, decimals + 1)
    if cell.low is None or cell.high is None:
        return text
    return f"{text} ±{(cell.high - cell.low) / 2:.{decimals + 1}f}"


def _number(value: PrintedFigure, decimals: int) -> str:
    """Return a figure with the decimals of the print; counts have none."""
    return f"{value:.{decimals}f}" if isinstance(value, float) else str(value)


def _notes(result: PublishedResult, page: Page) -> Iterator[Note]:
    if result.cells:
        counts = result.counts()
        said = [f"{counts[each]} {_LEGEND[each]}" for each in CellVerdict if each in counts]
        yield Note(f"cells: {', '.join(said)}")
    if any(cell.low is not None for cell in result.cells):
        yield Note(f"± half of the 95% interval, {result.resamples} resamples, seed {result.seed}")
    if result.entry.unavailable:
        yield Note(f"cannot be computed: {result.entry.unavailable}")
    for number, text in result.misprints.items():
        yield Note(f"{number}: {text}")
    for text in (*result.differences, *result.notes):
        yield Note(text)
    for data in result.entry.data:
        yield Note(f"data {data.name}: {data.title}; {data.source}")
    yield from page.full_names(result.rows)


def published_rows(result: PublishedResult) -> LongTable:
    """Return one row a cell; figures that are texts have columns of their own."""
    return LongTable.of(_CELL_COLUMNS, [_cell_row(result, cell) for cell in result.cells])


def _cell_row(result: PublishedResult, cell: PublishedCell) -> dict[str, object]:
    found: dict[str, object] = {"table": result.entry.name, **cell.to_dict()}
    for name, figure in (("printed", cell.printed), ("value", cell.value)):
        is_text = isinstance(figure, str)
        found[name] = None if is_text or figure is None else float(figure)
        found[f"{name}_text"] = figure if is_text else None
    return found


def write_published_list(
    entries: Sequence[PublishedEntry], out: TextIO, *, form: TableFormat, width: int = PAGE
) -> None:
    """Write which tables there are, and what they need."""
    page = Page(out, form, width)
    page.start(())
    write_cells(
        form,
        out,
        ["table", "printed as", "needs"],
        [[each.name, f"{each.publication} {each.place}", each.state] for each in entries],
        left=3,
    )
    known = {data.name: data for entry in entries for data in entry.data}
    page.notes(Note(f"{data.name}: {data.title}; {data.source}") for data in known.values())


def published_list_rows(entries: Sequence[PublishedEntry]) -> LongTable:
    """Return one row a table."""
    return LongTable.of(
        _ENTRY_COLUMNS,
        [
            {**entry.to_dict(), "needs": ", ".join(data.name for data in entry.data)}
            for entry in entries
        ],
    )

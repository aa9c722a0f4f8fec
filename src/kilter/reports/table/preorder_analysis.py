"""Analyses of pre-ordering as people and programs read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.counted import counted
from kilter.reports.table.long_table import LongTable
from kilter.reports.table.page import Note, Page
from kilter.reports.table.result import write_result
from kilter.reports.table.table import TableFormat, write_cells
from kilter.structures.result.analysis_result import AnalysedSentence, Analysis

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TextIO

    from kilter.structures.result.analysis_result import AnalysisResult

_TITLES = {
    Analysis.WORDS: "words most often misordered",
    Analysis.CLASSES: "classes of words most often misordered",
    Analysis.SENTENCES: "worst sentences",
    Analysis.RULES: "rules and their groups, the costliest first",
}
# How many columns hold text; everything else is a number.
_LEFT = {Analysis.WORDS: 1, Analysis.CLASSES: 2, Analysis.RULES: 2}


def write_analyses(result: AnalysisResult, out: TextIO, *, form: TableFormat) -> None:
    """Write the rows of each analysis; rows for programs take a result with one analysis."""
    write_result(
        out,
        form,
        document=result.to_dict,
        rows=lambda: _rows(result),
        page=lambda: _write_page(result, Page(out, form)),
    )


def _rows(result: AnalysisResult) -> LongTable:
    (analysed,) = result.analyses.values()
    rows = [row.to_dict() for row in analysed]
    return LongTable.of(list(rows[0]) if rows else ["segment"], rows)


def _write_page(result: AnalysisResult, page: Page) -> None:
    form, out = page.form, page.out
    page.start([result.parser, result.rules])
    last = list(result.analyses)[-1]
    for name, rows in result.analyses.items():
        sentences = [row for row in rows if isinstance(row, AnalysedSentence)]
        compared = any(row.other is not None for row in sentences)
        title = "sentences that differ most" if compared else _TITLES[name]
        page.heading(f"{title}: {result.parser} x {result.rules}")
        if not rows:
            out.write("none\n")
        elif sentences:
            _write_sentences(sentences, page)
        else:
            listed = [row.to_dict() for row in rows]
            cells = [[_cell(value) for value in row.values()] for row in listed]
            write_cells(form, out, list(listed[0]), cells, left=_LEFT[name])
        if name != last:
            out.write("\n")
    summary = f"{counted(result.segments, 'sentence')}, frs {result.score:.4f}."
    page.notes([Note(summary), Note("", result.signature)])


def _write_sentences(rows: Sequence[AnalysedSentence], page: Page) -> None:
    """Write each sentence by itself: whole sentences side by side are wider than any page."""
    for place, row in enumerate(rows):
        short, long = _figures(row), _orders(row)
        if page.form is TableFormat.TEXT:
            page.out.write("  ".join(f"{name} {value}" for name, value in short.items()) + "\n")
            page.out.writelines(f"  {name:12}  {text}\n" for name, text in long.items())
            continue
        if place:
            page.out.write("\n")
        write_cells(page.form, page.out, list(short), [list(short.values())])
        page.out.write("\n")
        write_cells(
            page.form, page.out, ["order", "words"], [list(pair) for pair in long.items()], left=2
        )


def _figures(row: AnalysedSentence) -> dict[str, str]:
    figures = {
        "segment": _cell(row.segment),
        "score": _cell(row.score),
        "chunks": _cell(row.chunks),
    }
    if row.other is None:
        return figures
    compared = {"other_score": _cell(row.other.score), "difference": _cell(row.other.difference)}
    return figures | compared


def _orders(row: AnalysedSentence) -> dict[str, str]:
    if row.other is None:
        return {"source": row.source, "system": row.system, "reference": row.reference}
    return {
        "source": row.source,
        "system": row.system,
        "other system": row.other.system,
        "reference": row.reference,
        "tree": row.other.tree,
        "other tree": row.other.other_tree,
    }


def _cell(value: float | str | None) -> str:
    if value is None:
        return "-"
    return f"{value:.4f}" if isinstance(value, float) else str(value)

"""Analyses of pre-ordering as people and programs read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.core.counted import counted
from kilter.render.table.long_table import LongTable
from kilter.render.table.page import Note, Page
from kilter.render.table.result import write_result
from kilter.render.table.table import TableFormat, write_cells
from kilter.results.analysis_result import AnalysedSentence, Analysis, RowOrder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TextIO

    from kilter.results.analysis_result import AnalysisResult

_SORTED = {
    RowOrder.WRONG_PAIRS: "in the most wrong pairs",
    RowOrder.MISORDERED: "most often misordered",
    RowOrder.RATE: "with the highest rate of misordered ones",
    RowOrder.COUNT: "that occur most",
}
_TITLES = {
    Analysis.WORDS: "words",
    Analysis.CLASSES: "classes of words",
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
    rules = [result.rules] + ([] if result.after_rules is None else [result.after_rules])
    page.start([result.parser, *rules])
    last = list(result.analyses)[-1]
    for name, rows in result.analyses.items():
        sentences = [row for row in rows if isinstance(row, AnalysedSentence)]
        compared = any(row.other is not None for row in sentences)
        title = "sentences that differ most" if compared else _title(name, result)
        page.heading(f"{title}: {result.parser} x {', '.join(rules)}")
        if not rows:
            out.write("none\n")
        elif sentences:
            _write_sentences(sentences, page)
        else:
            listed = [row.to_dict() for row in rows]
            cells = [[_cell(value) for value in row.values()] for row in listed]
            left = _LEFT[name] + (name is Analysis.RULES and result.after_rules is not None)
            write_cells(form, out, list(listed[0]), cells, left=left)
        if name != last:
            out.write("\n")
    after = "" if result.after_score is None else f", then {result.after_score:.4f}"
    summary = f"{counted(result.segments, 'sentence')}, frs {result.score:.4f}{after}."
    page.notes([Note(summary), Note("", result.signature)])


def _title(name: Analysis, result: AnalysisResult) -> str:
    if name not in (Analysis.WORDS, Analysis.CLASSES):
        return _TITLES[name]
    if result.after_rules is not None and result.sort is not RowOrder.COUNT:
        return f"{_TITLES[name]} that changed most by {result.sort.field.replace('_', ' ')}"
    return f"{_TITLES[name]} {_SORTED[result.sort]}"


def _write_sentences(rows: Sequence[AnalysedSentence], page: Page) -> None:
    """Write each sentence by itself: whole sentences side by side are wider than any page."""
    for place, row in enumerate(rows):
        short, long = _figures(row), _orders(row)
        if page.form is TableFormat.TEXT:
            page.out.write("  ".join(f"{name} {value}" for name, value in short.items()) + "\n")
            page.out.writelines(f"  {name:12}  {text}\n" for name, text in long.items())
            for tree in row.drawn:
                page.out.writelines(f"    {line}\n" for line in tree.draw().splitlines())
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
    orders = {"source": row.source, "system": row.system}
    if row.other is not None:
        orders["other system"] = row.other.system
    orders["reference"] = row.reference
    if row.other is not None and row.other.tree is not None and not row.drawn:
        orders |= {"tree": row.other.tree, "other tree": row.other.other_tree or ""}
    return orders


def _cell(value: float | str | None) -> str:
    if value is None:
        return "-"
    return f"{value:.4f}" if isinstance(value, float) else str(value)

"""Analyses of pre-ordering as people and programs read them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kilter.counted import counted
from kilter.reports.table.long_table import LongTable
from kilter.reports.table.page import Note, Page
from kilter.reports.table.result import write_result
from kilter.reports.table.table import TableFormat, write_cells

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TextIO

    Row = Mapping[str, Any]

_TITLES = {
    "words": "words most often misordered",
    "classes": "classes of words most often misordered",
    "sentences": "worst sentences",
    "rules": "rules and their groups, the costliest first",
}
# Columns that hold text; everything else is a number.
_LEFT = {"word": 1, "kind": 2, "segment": 0, "rule": 2}
_LONG = ("source", "system", "other_system", "reference", "tree", "other_tree")


def write_analyses(
    document: Mapping[str, Any], out: TextIO, *, form: TableFormat, top: int | None
) -> None:
    """Write the document `kilter.preordering.analysis/1`, at most `top` rows of each analysis (and kind).

    Rows for programs take a document with one analysis.
    """
    analyses = {name: _top(rows, top) for name, rows in document["analyses"].items()}
    write_result(
        out,
        form,
        document=lambda: {**document, "analyses": analyses},
        rows=lambda: _rows(analyses),
        page=lambda: _write_page(document, analyses, Page(out, form)),
        indent=1,
    )


def _rows(analyses: Mapping[str, Sequence[Row]]) -> LongTable:
    (rows,) = analyses.values()
    return LongTable.of(list(rows[0]) if rows else ["segment"], rows)


def _write_page(
    document: Mapping[str, Any], analyses: Mapping[str, Sequence[Row]], page: Page
) -> None:
    form, out = page.form, page.out
    page.start([document["parser"], document["rules"]])
    last = list(analyses)[-1]
    for name, rows in analyses.items():
        compared = name == "sentences" and rows and "other_score" in rows[0]
        title = "sentences that differ most" if compared else _TITLES[name]
        page.heading(f"{title}: {document['parser']} x {document['rules']}")
        if not rows:
            out.write("none\n")
        elif name == "sentences":
            _write_sentences(rows, page)
        else:
            left = _LEFT[next(iter(rows[0]))]
            cells = [[_cell(value) for value in row.values()] for row in rows]
            write_cells(form, out, list(rows[0]), cells, left=left)
        if name != last:
            out.write("\n")
    summary = f"{counted(document['segments'], 'sentence')}, frs {document['frs']:.4f}."
    page.notes([Note(summary), Note("", document["signature"])])


def _top(rows: Sequence[Row], top: int | None) -> list[Row]:
    if top is None:
        return list(rows)
    seen: dict[Any, int] = {}
    kept = []
    for row in rows:
        kind = row.get("kind")
        seen[kind] = seen.get(kind, 0) + 1
        if seen[kind] <= top:
            kept.append(row)
    return kept


def _write_sentences(rows: Sequence[Row], page: Page) -> None:
    """Write each sentence by itself: whole sentences side by side are wider than any page."""
    for place, row in enumerate(rows):
        short = {name: _cell(row[name]) for name in row if name not in _LONG}
        long = {name.replace("_", " "): str(row[name]) for name in _LONG if name in row}
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


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:.4f}" if isinstance(value, float) else str(value)

"""Parsers x rule sets as people and programs read them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kilter.core.counted import counted
from kilter.render.table.comparison import mark_note
from kilter.render.table.long_table import LongTable
from kilter.render.table.page import PAGE, Note, Page
from kilter.render.table.result import write_result
from kilter.render.table.table import TableFormat, write_cells
from kilter.stats.significance import LEAST_SEGMENTS, evidence_note

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TextIO

    from kilter.results.comparison import Comparison, Interval, MetricComparison
    from kilter.results.preorder_evaluation import PreorderEvaluation, PreorderSystem

_PUBLISHED_RULES = re.compile("r([1-5])")
"""The rule sets that are named after those of [FRS]."""
# Wider triangles of documents are hard to read.
_DOCUMENT_COLUMNS = 8


def write_preorder(
    result: PreorderEvaluation, out: TextIO, *, form: TableFormat, width: int = PAGE
) -> None:
    """Write scores, then a triangle of marks for each metric."""
    write_result(
        out,
        form,
        document=result.to_dict,
        rows=lambda: _rows(result),
        page=lambda: _write_page(result, Page(out, form, width)),
    )


def _rows(result: PreorderEvaluation) -> LongTable:
    rows: list[dict[str, float | str | None]] = []
    for place, system in enumerate(result.systems):
        row = {"name": system.name, "parser": system.parser, "rules": system.rules}
        scores = {}
        for metric in result.comparison.metrics:
            interval = metric.intervals[place]
            scores[metric.name] = interval.score
            scores[f"{metric.name}_low"], scores[f"{metric.name}_high"] = (
                interval.low,
                interval.high,
            )
        rows.append({**row, **scores, **result.accuracy(system)._asdict()})
    return LongTable.of(list(rows[0]), rows)


def _write_page(result: PreorderEvaluation, page: Page) -> None:
    systems, metrics = result.systems, result.comparison.metrics
    parsers = [system.parser for system in systems]
    rules = [system.rules for system in systems]
    page.start([*parsers, *rules])
    known = {
        name: value
        for name, value in result.accuracy(systems[0])._asdict().items()
        if value is not None
    }
    names = ["system", "parser", "rules", *(metric.name for metric in metrics), *known]
    rows = [
        [
            system.name,
            parser,
            rule,
            *(score_cell(metric.intervals[place]) for metric in metrics),
            *(f"{getattr(result.accuracy(system), name):.4f}" for name in known),
        ]
        for place, (system, parser, rule) in enumerate(
            zip(systems, page.labels(parsers), page.labels(rules), strict=True)
        )
    ]
    write_cells(page.form, page.out, names, rows, left=3)
    for metric in metrics:
        if len(systems) > 1:
            page.out.write("\n")
            page.heading(f"{metric.name}: row against column")
            _write_triangle(result.comparison.systems, metric, page)
    page.notes(
        [
            *_notes(result.comparison),
            *_number_note(systems),
            *page.full_names([*dict.fromkeys([*parsers, *rules])]),
        ]
    )


def _write_triangle(names: Sequence[str], metric: MetricComparison, page: Page) -> None:
    marks = {(pair.first, pair.second): pair.mark for pair in metric.pairs}
    columns = [
        (
            column,
            [
                str(marks[column, row] or "-") if first < second else ""
                for second, row in enumerate(names[1:], start=1)
            ],
        )
        for first, column in enumerate(names[:-1])
    ]
    most = None if page.form is TableFormat.TEXT else _DOCUMENT_COLUMNS
    page.table("", list(names[1:]), columns, most=most)


def _notes(comparison: Comparison) -> Iterator[Note]:
    segments, drawn = comparison.segments, comparison.resampling
    samples = counted(drawn.count, "bootstrap sample")
    drawing = f"; 95% intervals from {samples}, seed {drawn.seed}"
    yield Note(
        counted(segments, "sentence") + (drawing if segments >= LEAST_SEGMENTS else "") + "."
    )
    rough = evidence_note(segments)
    if rough:
        yield Note(rough)
    for metric in comparison.metrics:
        yield Note("", metric.signature)
    if len(comparison.systems) > 1:
        yield mark_note(comparison)
    for note in comparison.notes:
        yield Note(f"{note[0].upper()}{note[1:]}.")


def _number_note(systems: Sequence[PreorderSystem]) -> Iterator[Note]:
    """Yield that P1R2 is not the R2 of [FRS], where a rule set of [FRS] stands under another number."""
    for system in systems:
        published = _PUBLISHED_RULES.fullmatch(system.rules)
        if published and not system.name.endswith(f"R{published[1]}"):
            yield Note(
                "P and R count parsers and rule sets in the order given: "
                f"{system.name} is {system.rules}, R{published[1]} of [FRS]."
            )
            return


def score_cell(interval: Interval) -> str:
    """Return a score with its interval, for people."""
    if interval.score is None:
        return "-"
    if interval.low is None or interval.high is None:
        return f"{interval.score:.4f}"
    return f"{interval.score:.4f} [{interval.low:.4f}, {interval.high:.4f}]"

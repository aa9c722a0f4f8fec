"""Parsers x rule sets as people and programs read them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kilter.counted import counted
from kilter.reports.table.long_table import LongTable
from kilter.reports.table.page import PAGE, Note, Page
from kilter.reports.table.result import write_result
from kilter.reports.table.table import TableFormat, write_cells
from kilter.statistics.significance import LEAST_SEGMENTS, Mark, evidence_note

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import TextIO

    from kilter.structures.result.comparison import Interval, MetricComparison

_ACCURACIES = ("las", "uas", "tags")
# Wider triangles of documents are hard to read.
_DOCUMENT_COLUMNS = 8


def write_preorder(
    document: Mapping[str, Any],
    metrics: Sequence[MetricComparison],
    out: TextIO,
    *,
    form: TableFormat,
    width: int = PAGE,
) -> None:
    """Write the document `kilter.preorder/1`: scores, then a triangle of marks for each metric."""
    write_result(
        out,
        form,
        document=lambda: document,
        rows=lambda: _rows(document),
        page=lambda: _write_page(document, metrics, Page(out, form, width)),
        indent=1,
    )


def _rows(document: Mapping[str, Any]) -> LongTable:
    rows = []
    for system in document["systems"]:
        row = {key: system[key] for key in ("name", "parser", "rules")}
        for metric, scored in system["scores"].items():
            row[metric] = scored["score"]
            row[f"{metric}_low"], row[f"{metric}_high"] = scored["low"], scored["high"]
        rows.append(row | {key: system[key] for key in _ACCURACIES})
    return LongTable.of(list(rows[0]), rows)


def _write_page(
    document: Mapping[str, Any], metrics: Sequence[MetricComparison], page: Page
) -> None:
    systems = document["systems"]
    parsers, rules = ([system[key] for system in systems] for key in ("parser", "rules"))
    page.start([*parsers, *rules])
    accuracies = [key for key in _ACCURACIES if systems[0][key] is not None]
    names = ["system", "parser", "rules", *(metric.name for metric in metrics), *accuracies]
    rows = [
        [
            system["name"],
            parser,
            rule,
            *(score_cell(metric.intervals[place]) for metric in metrics),
            *(f"{system[key]:.4f}" for key in accuracies),
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
            _write_triangle([system["name"] for system in systems], metric, page)
    page.notes([*_notes(document, metrics), *page.full_names([*dict.fromkeys([*parsers, *rules])])])


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


def _notes(document: Mapping[str, Any], metrics: Sequence[MetricComparison]) -> Iterator[Note]:
    segments = document["segments"]
    drawing = f"; 95% intervals from {counted(document['resamples'], 'bootstrap sample')}, seed {document['seed']}"
    yield Note(
        counted(segments, "sentence") + (drawing if segments >= LEAST_SEGMENTS else "") + "."
    )
    rough = evidence_note(segments)
    if rough:
        yield Note(rough)
    for metric in metrics:
        yield Note("", metric.signature)
    if len(document["systems"]) > 1:
        yield Note(
            f"Marks: the row is better {Mark.SURELY_BETTER} / {Mark.BETTER} or worse "
            f"{Mark.SURELY_WORSE} / {Mark.WORSE} than the column in at least 95% / 90% of samples; "
            f"{Mark.OPEN}: neither."
        )


def score_cell(interval: Interval) -> str:
    """Return a score with its interval, for people."""
    if interval.score is None:
        return "-"
    if interval.low is None or interval.high is None:
        return f"{interval.score:.4f}"
    return f"{interval.score:.4f} [{interval.low:.4f}, {interval.high:.4f}]"

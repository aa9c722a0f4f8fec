"""Corpus scores as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.counted import counted
from kilter.reports.table.long_table import LongTable
from kilter.reports.table.page import PAGE, Note, Page
from kilter.reports.table.result import write_result
from kilter.statistics.significance import evidence_note

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TextIO

    from kilter.reports.table.table import TableFormat
    from kilter.structures.result.score_result import MetricScore, ScoreResult

_COLUMNS = ("system", "metric", "score", "low", "high", "segments", "signature")


def write_scores(result: ScoreResult, out: TextIO, *, form: TableFormat, width: int = PAGE) -> None:
    """Write scores as a table: one row a system for people, one a score for programs.

    Text is laid out for so many columns.
    """
    write_result(
        out,
        form,
        document=result.to_dict,
        rows=lambda: _rows(result),
        page=lambda: _write_page(result, Page(out, form, width)),
    )


def _write_page(result: ScoreResult, page: Page) -> None:
    names = list(result.systems)
    page.start([*names, *result.metrics])
    columns = [
        (metric, [_cell(scores[metric]) for scores in result.systems.values()])
        for metric in result.metrics
    ]
    page.table("system", page.labels(names), columns)
    page.notes([*_notes(result), *page.full_names(names)])


def _rows(result: ScoreResult) -> LongTable:
    rows = [
        (system, metric, each.score, each.low, each.high, each.segments, each.signature)
        for system, scores in result.systems.items()
        for metric, each in scores.items()
    ]
    return LongTable(_COLUMNS, rows)


def _notes(result: ScoreResult) -> Iterator[Note]:
    intervals = any(
        each.low is not None for scores in result.systems.values() for each in scores.values()
    )
    meaning = f"; ± half of the 95% bootstrap interval, seed {result.seed}" if intervals else ""
    yield Note(counted(result.count, "segment") + meaning)
    rough = evidence_note(result.count)
    if rough:
        yield Note(rough)
    for facts in result.metrics.values():
        yield Note("", facts.signature)


def _cell(scored: MetricScore) -> str:
    if scored.score is None:
        return "undefined"
    if scored.low is None or scored.high is None:
        return f"{scored.score:.4f}"
    return f"{scored.score:.4f} ±{(scored.high - scored.low) / 2:.4f}"

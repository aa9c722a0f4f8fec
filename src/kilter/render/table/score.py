"""Corpus scores as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from kilter.core.counted import counted
from kilter.core.table import Note
from kilter.render.table.long_table import LongTable, write_result
from kilter.render.table.page import PAGE, Page
from kilter.results.measure import COVERAGE
from kilter.stats.significance import evidence_note

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TextIO

    from kilter.render.table.table import TableFormat
    from kilter.results.score_result import MetricScore, ScoreResult

_WHOLE = "kilter"


class Purposeful(Protocol):
    """A metric with its name, and what a reader learns from it."""

    @property
    def name(self) -> str:
        """The name above its column."""

    @property
    def purpose(self) -> str:
        """What a reader learns from it; empty for most."""


def purpose_notes(metrics: Iterable[Purposeful]) -> Iterator[Note]:
    """Yield what each score is for, beside the overall score; who names metrics without it knows."""
    listed = [each for each in metrics if each.purpose]
    if any(each.name.partition(":")[0] == _WHOLE for each in listed):
        yield Note("; ".join(f"{each.name}: {each.purpose}" for each in listed))


_COLUMNS = ("system", "metric", "score", "low", "high", "segments", "signature")


def write_scores(
    result: ScoreResult,
    out: TextIO,
    *,
    form: TableFormat,
    width: int = PAGE,
    parts: bool = True,
) -> None:
    """Write scores as a table: one row a system for people, one a score for programs.

    Text is laid out for so many columns. Tables for people can do without the parts of scores.
    """
    write_result(
        out,
        form,
        document=result.to_dict,
        rows=lambda: _rows(result),
        page=lambda: _write_page(result, Page(out, form, width), parts=parts),
    )


def _write_page(result: ScoreResult, page: Page, *, parts: bool) -> None:
    names = list(result.systems)
    page.start([*names, *result.metrics])
    scores = result.systems.values()
    columns = [(metric, [_cell(each[metric]) for each in scores]) for metric in result.metrics]
    apart = _part_columns(result) if parts else []
    if len(columns) == 1:
        columns += apart
    page.table("system", page.labels(names), columns)
    if apart and len(result.metrics) > 1:
        page.out.write("\n")
        page.table("system", page.labels(names), apart)
    page.notes([*_notes(result, parts=bool(apart)), *page.full_names(names)])


def _part_columns(result: ScoreResult) -> list[tuple[str, list[str]]]:
    """Return the parts of scores; one that is the same in all metrics that have it stands once, first.

    They stand beside the score of one metric, and below those of several.
    """
    listed: dict[str, dict[str, list[str]]] = {}
    for metric in result.metrics:
        for name in _part_names(result, metric):
            cells = [_part_cell(each[metric].parts.get(name)) for each in result.systems.values()]
            listed.setdefault(name, {})[metric] = cells
    columns: list[tuple[str, list[str]]] = []
    for name, by_metric in listed.items():
        first, *others = by_metric.values()
        if others and all(cells == first for cells in others):
            columns.insert(0, (name, first))
        else:
            columns += [(f"{metric} {name}", cells) for metric, cells in by_metric.items()]
    return columns


def _part_names(result: ScoreResult, metric: str) -> list[str]:
    return list(dict.fromkeys(n for each in result.systems.values() for n in each[metric].parts))


def _rows(result: ScoreResult) -> LongTable:
    parts = list(dict.fromkeys(n for metric in result.metrics for n in _part_names(result, metric)))
    rows = [
        (
            *(system, metric, each.score, each.low, each.high, each.segments, each.signature),
            *(each.parts.get(name) for name in parts),
        )
        for system, scores in result.systems.items()
        for metric, each in scores.items()
    ]
    return LongTable((*_COLUMNS, *parts), rows)


def _notes(result: ScoreResult, *, parts: bool) -> Iterator[Note]:
    intervals = any(
        each.low is not None for scores in result.systems.values() for each in scores.values()
    )
    meaning = f"; ± half of the 95% bootstrap interval, seed {result.seed}" if intervals else ""
    yield Note(counted(result.count, "segment") + meaning)
    rough = evidence_note(result.count)
    if rough:
        yield Note(rough)
    yield from purpose_notes(result.metrics.values())
    if parts:
        yield from _part_notes(result)
    for facts in result.metrics.values():
        yield Note("", facts.signature)


def _part_notes(result: ScoreResult) -> Iterator[Note]:
    """Yield what the parts are: factors of a score, with coverage among them, or what is added up."""
    listed = {metric: _part_names(result, metric) for metric in result.metrics}
    if any(COVERAGE in names for names in listed.values()):
        yield Note(
            "order (of segments with links) and coverage: means of what makes a score in each segment"
        )
    for metric, names in listed.items():
        if names and COVERAGE not in names:
            told = f"{', '.join(names[:-1])} and {names[-1]}" if names[1:] else names[0]
            added = any(each[metric].parts_add_up for each in result.systems.values())
            means = (
                f"what each adds to the score by {metric}"
                if added
                else f"mean parts of {metric}; order multiplies the others"
            )
            yield Note(f"{told}: {means}")


def _part_cell(mean: float | None) -> str:
    return "-" if mean is None else f"{mean:.4f}"


def _cell(scored: MetricScore) -> str:
    if scored.score is None:
        return "missing" if scored.reason else "undefined"
    if scored.low is None or scored.high is None:
        return f"{scored.score:.4f}"
    return f"{scored.score:.4f} ±{(scored.high - scored.low) / 2:.4f}"

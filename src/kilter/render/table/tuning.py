"""Tuned options as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.core.counted import counted
from kilter.render.table.agreement import decimals, judgment_counts
from kilter.render.table.long_table import LongTable
from kilter.render.table.page import PAGE, Note, Page

if TYPE_CHECKING:
    from typing import TextIO

    from kilter.render.table.table import TableFormat
    from kilter.results.tune_result import TunedMetrics, TuneResult

_TIES = {"consistency": "are not consistent", "tau": "are left out"}


def write_tuning(tuned: TunedMetrics, out: TextIO, *, form: TableFormat, width: int = PAGE) -> None:
    """Write each metric, then its folds and curves; text is laid out for so many columns."""
    page = Page(out, form, width)
    page.start([result.specification for result in tuned.metrics])
    for number, result in enumerate(tuned.metrics):
        out.write("\n" if number else "")
        _write_metric(result, page)
    first = tuned.metrics[0]
    counts = ", ".join(judgment_counts(first.counts))
    page.notes(
        [
            Note(
                f"{counted(first.systems, 'system')} x "
                f"{counted(first.segments, 'segment')}; judgments: {counts}; metric ties "
                f"{_TIES[first.objective]}; seed {first.seed}"
            ),
            *(Note("", result.signature) for result in tuned.metrics),
        ]
    )


def _write_metric(result: TuneResult, page: Page) -> None:
    objective = result.objective
    rows = {
        "metric": result.specification,
        f"{objective} in training": _number(result.training, objective),
        f"{objective} on held-out segments": _number(result.held_out, objective),
        f"{objective} of {result.start}": _number(result.start_value, objective),
    }
    if result.folds:
        rows[f"{objective} of {result.start} on held-out segments"] = _number(
            result.start_held_out, objective
        )
    page.table("tuned", list(rows), [(str(result.method), list(rows.values()))])
    if result.folds:
        page.out.write("\n")
        _write_folds(result, page)
    for place, (name, curve) in enumerate(result.curves.items()):
        page.out.write("\n")
        given, best = result.start_values[place], result.values[place]
        said = [
            ", ".join(
                word
                for word, value in (("as given", given), ("best", best))
                if value == point.value
            )
            for point in curve
        ]
        columns = [
            (objective, [_number(point.agreement, objective) for point in curve]),
            ("", said),
        ]
        page.table(name, [f"{point.value:.6g}" for point in curve], columns)


def _write_folds(result: TuneResult, page: Page) -> None:
    folds, objective = result.folds, result.objective
    columns = [
        (name, [f"{fold.values[place]:.6g}" for fold in folds])
        for place, name in enumerate(result.option_names)
    ]
    columns.append(("training", [_number(fold.training, objective) for fold in folds]))
    columns.append(("held out", [_number(fold.held_out, objective) for fold in folds]))
    page.table("fold", [str(number) for number in range(1, len(folds) + 1)], columns)


def curve_rows(tuned: TunedMetrics) -> LongTable:
    """Return the points of all curves."""
    return LongTable(
        ["metric", "option", "value", tuned.metrics[0].objective],
        [
            (result.start, name, point.value, point.agreement)
            for result in tuned.metrics
            for name, curve in result.curves.items()
            for point in curve
        ],
    )


def _number(value: float | None, objective: str) -> str:
    return "undefined" if value is None else f"{value:.{decimals(objective)}f}"

"""Tuned options as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.counted import counted
from kilter.reports.table.agreement import decimals, judgment_counts
from kilter.reports.table.long_table import LongTable
from kilter.reports.table.page import PAGE, Note, Page

if TYPE_CHECKING:
    from typing import TextIO

    from kilter.reports.table.table import TableFormat
    from kilter.structures.result.tune_result import TuneResult

_TIES = {"consistency": "are not consistent", "tau": "are left out"}


def write_tuning(result: TuneResult, out: TextIO, *, form: TableFormat, width: int = PAGE) -> None:
    """Write the metric first, then its folds; text is laid out for so many columns."""
    page = Page(out, form, width)
    page.start([result.specification])
    objective = result.objective
    rows = {
        "metric": result.specification,
        f"{objective} in training": _number(result.training, objective),
        f"{objective} on held-out segments": _number(result.held_out, objective),
        f"{objective} of {result.start}": _number(result.start_value, objective),
    }
    page.table("tuned", list(rows), [(str(result.method), list(rows.values()))])
    if result.folds:
        out.write("\n")
        _write_folds(result, page)
    counts = ", ".join(judgment_counts(result.counts))
    page.notes(
        [
            Note(
                f"{counted(result.systems, 'system')} x "
                f"{counted(result.segments, 'segment')}; judgments: {counts}; metric ties "
                f"{_TIES[objective]}; seed {result.seed}"
            ),
            Note("", result.signature),
        ]
    )


def _write_folds(result: TuneResult, page: Page) -> None:
    folds, objective = result.folds, result.objective
    columns = [
        (name, [f"{fold.values[place]:.6g}" for fold in folds])
        for place, name in enumerate(result.option_names)
    ]
    columns.append(("training", [_number(fold.training, objective) for fold in folds]))
    columns.append(("held out", [_number(fold.held_out, objective) for fold in folds]))
    page.table("fold", [str(number) for number in range(1, len(folds) + 1)], columns)


def curve_rows(result: TuneResult) -> LongTable:
    """Return the points of all curves."""
    return LongTable(
        ["option", "value", result.objective],
        [
            (name, point.value, point.agreement)
            for name, curve in result.curves.items()
            for point in curve
        ],
    )


def _number(value: float | None, objective: str) -> str:
    return "undefined" if value is None else f"{value:.{decimals(objective)}f}"

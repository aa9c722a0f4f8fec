"""Tuned options as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kilter.counted import counted
from kilter.reports.table.agreement import decimals, judgment_counts
from kilter.reports.table.long_table import LongTable
from kilter.reports.table.page import PAGE, Note, Page

if TYPE_CHECKING:
    from typing import TextIO

    from kilter.reports.table.table import TableFormat

_TIES = {"consistency": "are not consistent", "tau": "are left out"}


def write_tuning(
    document: dict[str, Any], out: TextIO, *, form: TableFormat, width: int = PAGE
) -> None:
    """Write the document `kilter.tune/1`: the metric first, then its folds.

    Text is laid out for so many columns.
    """
    page = Page(out, form, width)
    page.start([document["metric"]])
    objective = document["objective"]
    rows = {
        "metric": document["metric"],
        f"{objective} in training": _number(document["training"], objective),
        f"{objective} on held-out segments": _number(document["held_out"], objective),
        f"{objective} of {document['start']}": _number(document["start_value"], objective),
    }
    page.table("tuned", list(rows), [(document["method"], list(rows.values()))])
    if document["folds"]:
        out.write("\n")
        _write_folds(document, page)
    counts = ", ".join(judgment_counts(document["judgments"]))
    page.notes(
        [
            Note(
                f"{counted(document['systems'], 'system')} x "
                f"{counted(document['segments'], 'segment')}; judgments: {counts}; metric ties "
                f"{_TIES[objective]}; seed {document['seed']}"
            ),
            Note("", document["signature"]),
        ]
    )


def _write_folds(document: dict[str, Any], page: Page) -> None:
    folds, objective = document["folds"], document["objective"]
    columns = [
        (name, [f"{fold['options'][name]:.6g}" for fold in folds]) for name in document["options"]
    ]
    columns.append(("training", [_number(fold["training"], objective) for fold in folds]))
    columns.append(("held out", [_number(fold["held_out"], objective) for fold in folds]))
    page.table("fold", [str(number) for number in range(1, len(folds) + 1)], columns)


def curve_rows(document: dict[str, Any]) -> LongTable:
    """Return the points of all curves."""
    return LongTable(
        ["option", "value", document["objective"]],
        [
            (name, point["value"], point["agreement"])
            for name, curve in document["curves"].items()
            for point in curve
        ],
    )


def _number(value: float | None, objective: str) -> str:
    return "undefined" if value is None else f"{value:.{decimals(objective)}f}"

"""Tuned options as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kilter.reports.page import PAGE, Page
from kilter.reports.table import TableFormat, table_writer

if TYPE_CHECKING:
    from typing import TextIO


def write_tuning(
    document: dict[str, Any], out: TextIO, *, form: TableFormat, width: int = PAGE
) -> None:
    """Write the document `kilter.tune/1`: the metric first, then its folds; curves in rows for programs.

    Text is laid out for so many columns.
    """
    if form in (TableFormat.TSV, TableFormat.JSONL):
        _write_curves(document, out, form)
        return
    page = Page(out, form, width)
    page.start([document["metric"]])
    objective = document["objective"]
    rows = {
        "metric": document["metric"],
        f"{objective} in training": _number(document["training"]),
        f"{objective} on held-out segments": _number(document["held_out"]),
        f"{objective} of {document['start']}": _number(document["start_value"]),
    }
    page.table("tuned", list(rows), [(document["method"], list(rows.values()))])
    folds = document["folds"]
    if not folds:
        return
    out.write("\n")
    columns = [
        (name, [f"{fold['options'][name]:.6g}" for fold in folds]) for name in document["options"]
    ]
    columns.append(("training", [_number(fold["training"]) for fold in folds]))
    columns.append(("held out", [_number(fold["held_out"]) for fold in folds]))
    page.table("fold", [str(number) for number in range(1, len(folds) + 1)], columns)


def _write_curves(document: dict[str, Any], out: TextIO, form: TableFormat) -> None:
    names = ["option", "value", document["objective"]]
    writer = table_writer(form, out, names, header={})
    writer.start()
    points = [
        (name, point["value"], point["agreement"])
        for name, curve in document["curves"].items()
        for point in curve
    ]
    columns = zip(*points, strict=True)
    writer.rows({name: list(column) for name, column in zip(names, columns, strict=True)})
    writer.end()


def _number(value: float | None) -> str:
    if value is None:
        return "undefined"
    return f"{value:.2f}" if abs(value) > 2 else f"{value:.4f}"

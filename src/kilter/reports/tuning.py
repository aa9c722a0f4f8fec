"""Tuned options as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kilter.reports.table import TableFormat, table_writer, write_cells

if TYPE_CHECKING:
    from typing import TextIO


def write_tuning(document: dict[str, Any], out: TextIO, *, form: TableFormat) -> None:
    """Write the document `kilter.tune/1`: the metric first, then its folds; curves in rows for programs."""
    if form in (TableFormat.TSV, TableFormat.JSONL):
        _write_curves(document, out, form)
        return
    rows = [
        ["metric", document["metric"]],
        [f"{document['objective']} in training", _number(document["training"])],
        [f"{document['objective']} on held-out segments", _number(document["held_out"])],
        [f"{document['objective']} of {document['start']}", _number(document["start_value"])],
    ]
    write_cells(form, out, ["tuned", document["method"]], rows, left=2)
    if not document["folds"]:
        return
    names = list(document["options"])
    folds = [
        [
            str(number),
            *(f"{fold['options'][name]:.6g}" for name in names),
            _number(fold["training"]),
            _number(fold["held_out"]),
        ]
        for number, fold in enumerate(document["folds"], start=1)
    ]
    out.write("\n")
    write_cells(form, out, ["fold", *names, "training", "held out"], folds)


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

"""Corpus scores as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kilter.reports.table import TableFormat, table_writer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TextIO

_PAGE = 100


def write_scores(document: dict[str, Any], out: TextIO, *, form: TableFormat) -> None:
    """Write the document `kilter.score/1` as a table: one row a system for people, one a score else."""
    if form in (TableFormat.TSV, TableFormat.JSONL):
        _write_long(document, out, form)
        return
    metrics = list(document["metrics"])
    systems = document["systems"]
    if form is TableFormat.TEXT:
        _write_text(document, out)
        return
    writer = table_writer(form, out, ["system", *metrics], header={})
    writer.start()
    columns: dict[str, Any] = {"system": [system["name"] for system in systems]}
    for name in metrics:
        columns[name] = [_cell(system["scores"][name]) for system in systems]
    writer.rows(columns)
    writer.end()


def _write_long(document: dict[str, Any], out: TextIO, form: TableFormat) -> None:
    names = ["system", "metric", "score", "low", "high", "segments", "signature"]
    rows = [
        {
            "system": system["name"],
            "metric": metric,
            **found,
            "signature": document["metrics"][metric]["signature"],
        }
        for system in document["systems"]
        for metric, found in system["scores"].items()
    ]
    writer = table_writer(form, out, names, header={})
    writer.start()
    writer.rows({name: [row[name] for row in rows] for name in names})
    writer.end()


def _write_text(document: dict[str, Any], out: TextIO) -> None:
    systems = document["systems"]
    width = max(len("system"), *(len(system["name"]) for system in systems))
    for names in _bands(list(document["metrics"]), width):
        columns = [(name, max(len(name), 14)) for name in names]
        out.write("system".ljust(width) + "".join(f"  {name:>{w}}" for name, w in columns) + "\n")
        for system in systems:
            cells = "".join(f"  {_cell(system['scores'][name]):>{w}}" for name, w in columns)
            out.write(system["name"].ljust(width) + cells + "\n")
        out.write("\n")
    out.write(
        f"{document['segments']} segments; ± half of the 95% bootstrap interval, seed {document['seed']}\n"
    )
    out.writelines(described["signature"] + "\n" for described in document["metrics"].values())


def _bands(names: list[str], first: int) -> Iterator[list[str]]:
    """Yield as many columns at a time as fit the page."""
    band: list[str] = []
    used = first
    for name in names:
        needed = max(len(name), 14) + 2
        if band and used + needed > _PAGE:
            yield band
            band, used = [], first
        band.append(name)
        used += needed
    if band:
        yield band


def _cell(found: dict[str, Any]) -> str:
    if found["score"] is None:
        return "undefined"
    if found["low"] is None or found["high"] is None:
        return f"{found['score']:.4f}"
    return f"{found['score']:.4f} ±{(found['high'] - found['low']) / 2:.4f}"

"""Corpus scores as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kilter.reports.page import PAGE, Note, Page
from kilter.reports.table import TableFormat, table_writer
from kilter.structures.counted import counted
from kilter.structures.significance import evidence_note

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TextIO


def write_scores(
    document: dict[str, Any], out: TextIO, *, form: TableFormat, width: int = PAGE
) -> None:
    """Write the document `kilter.score/1` as a table: one row a system for people, one a score else.

    Text is laid out for so many columns.
    """
    if form in (TableFormat.TSV, TableFormat.JSONL):
        _write_long(document, out, form)
        return
    page = Page(out, form, width)
    names = [system["name"] for system in document["systems"]]
    page.start([*names, *document["metrics"]])
    columns = [
        (metric, [_cell(system["scores"][metric]) for system in document["systems"]])
        for metric in document["metrics"]
    ]
    page.table("system", page.labels(names), columns)
    page.notes([*_notes(document), *page.full_names(names)])


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


def _notes(document: dict[str, Any]) -> Iterator[Note]:
    segments = document["segments"]
    shown = any(
        found["low"] is not None
        for system in document["systems"]
        for found in system["scores"].values()
    )
    meaning = f"; ± half of the 95% bootstrap interval, seed {document['seed']}" if shown else ""
    yield Note(counted(segments, "segment") + meaning)
    rough = evidence_note(segments)
    if rough:
        yield Note(rough)
    for described in document["metrics"].values():
        yield Note("", described["signature"])


def _cell(found: dict[str, Any]) -> str:
    if found["score"] is None:
        return "undefined"
    if found["low"] is None or found["high"] is None:
        return f"{found['score']:.4f}"
    return f"{found['score']:.4f} ±{(found['high'] - found['low']) / 2:.4f}"

"""How far a study is, as people and programs read it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kilter.reports.table.long_table import LongTable
from kilter.reports.table.page import Note, Page
from kilter.reports.table.result import write_result
from kilter.reports.table.table import TableFormat, write_cells

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import TextIO

_COUNTS = ("questionnaire", "participants", "started", "submitted", "withdrawn")
_COLUMNS = (*_COUNTS, "answered", "expected", "median_seconds")


def write_status(document: Mapping[str, Any], out: TextIO, *, form: TableFormat) -> None:
    """Write the document `kilter.survey-status/1`; rows for programs hold the questionnaires only."""
    write_result(
        out,
        form,
        document=lambda: document,
        rows=lambda: LongTable.of(_COLUMNS, document["questionnaires"]),
        page=lambda: _write_page(document, Page(out, form)),
        indent=1,
    )


def _write_page(document: Mapping[str, Any], page: Page) -> None:
    page.start(document["agreement"])
    rows = [
        [
            *(str(row[name]) for name in _COUNTS),
            f"{row['answered']}/{row['expected']}",
            "-" if row["median_seconds"] is None else f"{row['median_seconds']:.1f}",
        ]
        for row in document["questionnaires"]
    ]
    write_cells(page.form, page.out, [*_COUNTS, "answered", "median s"], rows, left=0)
    lines = list(_lines(document))
    if page.form is TableFormat.TEXT:
        page.out.writelines(f"{line}\n" for line in lines)
    else:
        page.notes(map(Note, lines))


def _lines(document: Mapping[str, Any]) -> Iterator[str]:
    for name, alpha in document["agreement"].items():
        value = "undefined" if alpha is None else f"{alpha:.3f}"
        yield f"Krippendorff's alpha of {name} on shared items: {value}"
    yield (
        f"{document['participants_doubtful']} of {document['participants_answering']} participants "
        "with doubtful answers"
    )
    if document["paused"]:
        yield "the study is paused"

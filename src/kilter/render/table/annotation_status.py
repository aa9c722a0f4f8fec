"""How far a project is, as people and programs read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.render.table.long_table import LongTable
from kilter.render.table.page import Page
from kilter.render.table.result import write_result
from kilter.render.table.table import write_cells

if TYPE_CHECKING:
    from typing import TextIO

    from kilter.render.table.table import TableFormat
    from kilter.results.annotation_status import AnnotationStatus

_COUNTS = ("sentences", "done", "begun", "open")
_COLUMNS = ("name", *_COUNTS, "median_seconds", "findings", "bookmarks", "comments")


def write_annotation_status(status: AnnotationStatus, out: TextIO, *, form: TableFormat) -> None:
    """Write how far everybody is."""
    write_result(
        out,
        form,
        document=status.to_dict,
        rows=lambda: LongTable.of(_COLUMNS, [row.to_dict() for row in status.annotators]),
        page=lambda: _write_page(status, Page(out, form)),
    )


def _write_page(status: AnnotationStatus, page: Page) -> None:
    page.start(row.name for row in status.annotators)
    rows = [
        [
            row.name,
            *(str(getattr(row, name)) for name in _COUNTS),
            "-" if row.median_seconds is None else f"{row.median_seconds:.1f}",
            str(row.findings),
            str(row.bookmarks),
            str(row.comments),
        ]
        for row in status.annotators
    ]
    titles = ["name", *_COUNTS, "median s", "findings", "bookmarks", "comments"]
    write_cells(page.form, page.out, titles, rows, left=1)

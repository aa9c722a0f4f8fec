"""Personal links of a project, as people and programs read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.render.table.long_table import LongTable
from kilter.render.table.page import Page
from kilter.render.table.result import write_result
from kilter.render.table.table import write_cells

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TextIO

    from kilter.render.table.table import TableFormat
    from kilter.results.annotator_link import AnnotatorLink

_COLUMNS = ("name", "role", "sentences", "opened", "link")


def write_annotator_links(
    links: Sequence[AnnotatorLink], out: TextIO, *, form: TableFormat
) -> None:
    """Write links, one a row."""
    write_result(
        out,
        form,
        document=lambda: [link.to_dict() for link in links],
        rows=lambda: LongTable.of(_COLUMNS, [link.to_dict() for link in links]),
        page=lambda: _write_page(links, Page(out, form)),
    )


def _write_page(links: Sequence[AnnotatorLink], page: Page) -> None:
    page.start(link.name for link in links)
    rows = [
        [link.name, link.role, str(link.sentences), "yes" if link.opened else "", link.link]
        for link in links
    ]
    write_cells(page.form, page.out, _COLUMNS, rows, left=len(_COLUMNS))

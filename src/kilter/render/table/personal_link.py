"""Personal links of a study, as people and programs read them."""

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
    from kilter.results.personal_link import PersonalLink

_COLUMNS = ("number", "group", "questionnaire", "opened", "link")


def write_links(links: Sequence[PersonalLink], out: TextIO, *, form: TableFormat) -> None:
    """Write links, one a row."""
    write_result(
        out,
        form,
        document=lambda: [link.to_dict() for link in links],
        rows=lambda: LongTable.of(_COLUMNS, [link.to_dict() for link in links]),
        page=lambda: _write_page(links, Page(out, form)),
    )


def _write_page(links: Sequence[PersonalLink], page: Page) -> None:
    page.start(link.group or "" for link in links)
    rows = [
        [
            str(link.number),
            link.group or "",
            str(link.questionnaire),
            "yes" if link.opened else "",
            link.link,
        ]
        for link in links
    ]
    write_cells(page.form, page.out, _COLUMNS, rows, left=len(_COLUMNS))

"""Columns hold what they name: personal links of a study."""

import json

from kilter.render.table.study import write_links
from kilter.render.table.table import TableFormat
from kilter.results.study import PersonalLink
from tests.render.cases import case
from tests.render.distinct import Book
from tests.render.written import objects, pages, written


@case("write_links")
def test_columns_of_write_links_hold_what_they_name(book: Book) -> None:
    links = [
        book.make(PersonalLink, "0", group="staff", opened=True),
        book.make(PersonalLink, "1", group=None, opened=False),
    ]
    names = ("number", "group", "questionnaire", "opened", "link")
    rows = [{name: getattr(link, name) for name in names} for link in links]
    assert objects(write_links, links) == rows
    assert json.loads(written(write_links, links, form=TableFormat.JSON)) == rows
    (table,) = pages(write_links, links)
    assert table == [
        {
            "number": str(link.number),
            "group": link.group or "",
            "questionnaire": str(link.questionnaire),
            "opened": "yes" if link.opened else "",
            "link": link.link,
        }
        for link in links
    ]

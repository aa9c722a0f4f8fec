"""Columns hold what they name: personal links of a study."""

from kilter.render.table.page import write_result
from kilter.results.study import PersonalLink, personal_link_table
from tests.render.cases import case
from tests.render.distinct import Book
from tests.render.written import document, objects, pages


@case("personal_link_table")
def test_columns_of_write_links_hold_what_they_name(book: Book) -> None:
    links = [
        book.make(PersonalLink, "0", group="staff", opened=True),
        book.make(PersonalLink, "1", group=None, opened=False),
    ]
    names = ("number", "group", "questionnaire", "opened", "link")
    rows = [{name: getattr(link, name) for name in names} for link in links]
    assert objects(write_result, personal_link_table(links)) == rows
    assert document(personal_link_table(links)) == rows
    (table,) = pages(write_result, personal_link_table(links))
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

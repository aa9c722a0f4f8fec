"""Columns hold what they name: personal links of a project."""

from kilter.render.table.page import write_result
from kilter.results.study import AnnotatorLink, annotator_link_table
from tests.render.cases import case
from tests.render.distinct import Book
from tests.render.written import document, objects, pages


@case("annotator_link_table")
def test_columns_of_write_annotator_link_table_hold_what_they_name(book: Book) -> None:
    links = [
        book.make(AnnotatorLink, str(k), opened=opened) for k, opened in enumerate((True, False))
    ]
    names = ("name", "role", "sentences", "opened", "link")
    rows = [{name: getattr(link, name) for name in names} for link in links]
    assert objects(write_result, annotator_link_table(links)) == rows
    assert document(annotator_link_table(links)) == rows
    (table,) = pages(write_result, annotator_link_table(links))
    assert table == [
        {name: str(getattr(link, name)) for name in names}
        | {"opened": "yes" if link.opened else ""}
        for link in links
    ]

"""Columns hold what they name: personal links of a project."""

import json

from kilter.render.table.study import write_annotator_links
from kilter.render.table.table import TableFormat
from kilter.results.study import AnnotatorLink
from tests.render.cases import case
from tests.render.distinct import Book
from tests.render.written import objects, pages, written


@case("write_annotator_links")
def test_columns_of_write_annotator_links_hold_what_they_name(book: Book) -> None:
    links = [
        book.make(AnnotatorLink, str(k), opened=opened) for k, opened in enumerate((True, False))
    ]
    names = ("name", "role", "sentences", "opened", "link")
    rows = [{name: getattr(link, name) for name in names} for link in links]
    assert objects(write_annotator_links, links) == rows
    assert json.loads(written(write_annotator_links, links, form=TableFormat.JSON)) == rows
    (table,) = pages(write_annotator_links, links)
    assert table == [
        {name: str(getattr(link, name)) for name in names}
        | {"opened": "yes" if link.opened else ""}
        for link in links
    ]

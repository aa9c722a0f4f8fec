"""Columns hold what they name: how far a project is."""

from kilter import __version__
from kilter.render.table.page import write_result
from kilter.results.study import AnnotationStatus, AnnotatorProgress
from tests.render.cases import case
from tests.render.distinct import Book
from tests.render.written import document, objects, pages


@case("AnnotationStatus")
def test_columns_of_write_annotation_status_hold_what_they_name(book: Book) -> None:
    progress = tuple(
        book.make(AnnotatorProgress, str(k), median_seconds=seconds)
        for k, seconds in enumerate((12.25, None))
    )
    status = AnnotationStatus(title="Links", sentences=7, annotators=progress)
    names = ("name", "sentences", "done", "begun", "open", "median_seconds", "findings",
             "bookmarks", "comments")  # fmt: skip
    rows = [{name: getattr(row, name) for name in names} for row in progress]
    assert objects(write_result, status) == rows
    assert document(status) == {
        "schema": "kilter.annotation-status/1",
        "version": __version__,
        "title": "Links",
        "sentences": 7,
        "annotators": rows,
    }
    (table,) = pages(write_result, status)
    assert table == [
        {
            **{name: str(getattr(row, name)) for name in names if name != "median_seconds"},
            "median s": spent,
        }
        for row, spent in zip(progress, ("12.2", "-"), strict=True)
    ]

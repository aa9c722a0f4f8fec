"""The rows of a check."""

from kilter.results.check_result import CheckResult
from tests.render.cases import case
from tests.render.distinct import Book, check_document


@case("CheckResult")
def test_columns_of_checks_hold_what_they_name(book: Book) -> None:
    result = book.make(CheckResult, "check")
    rows = result.data().records()
    assert [*rows[0]] == ["system", "kind", "name", "value", "limit", "p", "passed", "fault"]
    for each, row in zip(result.checks, rows, strict=True):
        assert row == {name: getattr(each, name) for name in row}
    assert check_document(book, result.to_dict(), aliases={}) > 20

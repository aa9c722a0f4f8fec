"""The rows of checks and ladders."""

from kilter.results.check_result import CheckResult
from kilter.results.ladder_result import LadderResult
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


@case("LadderResult")
def test_columns_of_ladders_hold_what_they_name(book: Book) -> None:
    result = book.make(LadderResult, "ladder")
    pairs = [(metric, rung) for metric in result.metrics for rung in metric.rungs]
    for (metric, rung), row in zip(pairs, result.data().records(), strict=True):
        assert (row["metric"], row["rung"], row["signature"]) == (
            metric.name,
            rung.name,
            metric.signature,
        )
        assert (row["score"], row["score_low"], row["score_high"]) == rung.score.triple
        for name in ("change", "worse", "better", "p", "noticed", "preferred"):
            assert row[name] == getattr(rung, name)
    assert check_document(book, result.to_dict(), aliases={}) > 10

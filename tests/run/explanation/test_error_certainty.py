"""How far to trust an order error."""

from typing import Any

import pytest

import kilter
from kilter.results.explanation import LIKELY, OrderError


def errors(hypothesis: str, reference: str, **options: Any) -> list[OrderError]:
    (found,) = kilter.order_errors([hypothesis], [reference], every=True, **options)
    return list(found.errors.segment(0).errors)


def test_all_is_certain_where_every_word_is_linked() -> None:
    (error,) = errors("we to it go now", "we go to it now")
    assert error.certainty == 1.0
    assert error.likely


@pytest.mark.parametrize(
    ("moved", "certainty"),
    [("to", 0.0), ("house", 1 - 0.2)],
    ids=["a short word", "another word"],
)
def test_words_without_link_cast_doubt_and_more_on_short_words(
    moved: str, certainty: float
) -> None:
    """Of ten words eight are linked, and one of them goes past seven."""
    rest = "alpha beta gamma delta epsilon zeta eta"
    (error,) = errors(f"{moved} {rest} xxxx yyyy", f"{rest} {moved} vvvv wwww")
    assert error.distance == 7
    assert error.certainty == pytest.approx(certainty)


def test_a_word_that_occurs_twice_may_be_another_and_is_doubtful() -> None:
    rest = "alpha beta gamma delta epsilon zeta eta theta iota"
    (error,) = errors(f"house {rest} xxxx", f"{rest} house yyyy house")
    assert error.certainty == pytest.approx(max(0.0, 1 - (2 / 12) * 6))


def test_a_short_way_is_doubtful_where_words_are_missing() -> None:
    (error,) = errors("beta alpha gamma delta one two", "alpha beta gamma delta three four")
    assert error.certainty == pytest.approx(max(0.0, 1 - (1 / 3) * 3))
    assert not error.likely


def test_an_uncertain_link_makes_an_uncertain_error() -> None:
    (error,) = errors("cats alpha beta gamma delta", "alpha beta gamma delta cat")
    assert error.certainty == pytest.approx(0.7)


def test_errors_below_the_threshold_are_shown_on_request_only() -> None:
    lines = ["to alpha beta gamma delta xxxx yyyy"], ["alpha beta gamma delta to vvvv wwww"]
    (default,), (every,) = kilter.order_errors(*lines), kilter.order_errors(*lines, every=True)
    assert default.summary.errors == 0
    assert default.errors.segment(0).left_out == 1
    assert every.summary.errors == 1
    assert every.errors.certainty[0] < LIKELY
    assert "OK OK" in next(default.tags())
    assert "ORDER-WORD" in next(every.tags())


def test_marks_give_no_order_error_of_their_own() -> None:
    (found,) = kilter.order_errors(
        [", the old house burned down ."], ["the old house , burned down ."], every=True
    )
    assert found.summary.errors == 0


@pytest.mark.parametrize("metric", ["kendall", "pef"])
def test_marks_alone_are_never_worth_a_look_by_any_metric(metric: str) -> None:
    every = errors("we go , to the old house now", "we go to the old house , now", metrics=metric)
    assert [error.certainty for error in every] == [0.0]
    moved = errors(
        "the old house , we go to see it", "we go to see it the old house ,", metrics=metric
    )
    assert [error.certainty for error in moved] == [1.0]

"""Order errors as a table."""

from dataclasses import replace

import pytest

import kilter
from kilter.reports.explanation.error_table import (
    MOST_STEPS,
    belongs_text,
    error_cells,
    error_headings,
    error_numbers,
    missing_text,
    size_text,
    steps_left,
)
from kilter.structures.result.explanation import RepairStep
from kilter.structures.result.order_error import SegmentErrors


def errors(hypothesis: str, reference: str) -> SegmentErrors:
    found = kilter.explain(hypothesis, reference, metrics=["kendall", "ulam"]).errors
    assert found is not None
    return found


def test_an_error_has_a_cell_for_each_heading_and_a_cost_in_each_metric() -> None:
    found = errors("a c b d", "a b c d")
    assert error_headings(found) == [
        "error", "words", "belongs", "costs kendall", "costs ulam", "share",
    ]  # fmt: skip
    (error,) = found.errors
    cells = error_cells(error, ["a", "c", "b", "d"])
    assert cells[:2] == ["swap", "c b"]
    assert cells[3:] == ["0.166667", "0.333333", "100%"]
    assert error_numbers(found) == {3, 4, 5}


@pytest.mark.parametrize(
    ("hypothesis", "belongs"),
    [
        ("b c d e a", '"a" before "b", 4 linked words to the left'),
        ("e a b c d", '"e" at the end, 4 linked words to the right'),
    ],
)
def test_where_words_belong_is_said_in_words(hypothesis: str, belongs: str) -> None:
    (error,) = errors(hypothesis, "a b c d e").errors
    assert belongs_text(error, hypothesis.split()) == belongs


def test_it_says_whether_fewer_moves_could_do() -> None:
    found = errors("b a", "a b")
    assert size_text(found) == "1 move restores the order; no fewer do"
    several = replace(found, errors=found.errors * 3, moves=3, lower=2)
    assert size_text(several) == "3 moves restore the order; 2 at least are needed"


def test_without_errors_there_are_no_costs() -> None:
    assert error_headings(errors("a b", "a b")) == ["error", "words", "belongs", "share"]


def test_a_complex_error_says_how_far_its_words_go_and_that_moves_are_joined() -> None:
    found = errors("e d c b a", "a b c d e")
    (error,) = found.errors
    cells = error_cells(error, ["e", "d", "c", "b", "a"])
    assert cells[:2] == ["complex", "e d c b"]
    assert cells[2] == "in another order, up to 4 linked words away"
    told = "3 moves restore the order; no fewer do; those that share words are one error"
    assert size_text(found) == told


def test_words_that_stand_apart_are_not_quoted_as_a_phrase() -> None:
    (error,) = errors("w q x a b c d", "a b c d w x").errors
    words = ["w", "q", "x", "a", "b", "c", "d"]
    assert belongs_text(error, words) == '"w … x" at the end, 4 linked words to the right'


def test_the_steps_that_are_not_shown_are_counted() -> None:
    assert steps_left([RepairStep((0,))] * (MOST_STEPS + 1)) == ""
    assert steps_left([RepairStep((0,))] * (MOST_STEPS + 4)) == "and 3 steps more"


@pytest.mark.parametrize(
    ("hypothesis", "told"),
    [
        (
            "a b",
            "4 of 6 words of the reference have no counterpart: this, and not the order, lowers",
        ),
        (
            "b a c d e",
            "1 of 6 words of the reference has no counterpart, which lowers scores beside",
        ),
        ("a b c d e f", ""),
        ("x", "6 of 6 words of the reference have no counterpart"),
    ],
)
def test_what_is_lost_by_words_without_a_counterpart_is_said(hypothesis: str, told: str) -> None:
    found = missing_text(kilter.explain(hypothesis, "a b c d e f", metrics="kendall"))
    assert found.startswith(told)
    assert bool(found) == bool(told)

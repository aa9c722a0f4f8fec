"""Statistics and scores of segments."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from kilter.results.measure import (
    Measure,
    Ordering,
    ScoreParts,
    Term,
    Working,
    WorkingStep,
    part_steps,
)
from tests.oracles import parts as oracle
from tests.working import followed


def test_the_statistics_of_a_mean_are_the_score_and_one() -> None:
    found = Measure.mean(np.array([0.25, 1.0]))
    assert found.scores.tolist() == [0.25, 1.0]
    assert found.statistics.tolist() == [[0.25, 1.0], [1.0, 1.0]]
    assert len(found) == 2


def test_the_best_reference_of_each_segment_counts() -> None:
    found = Measure.best([np.array([0.25, 1.0]), np.array([0.5, 0.0])])
    assert found.scores.tolist() == [0.5, 1.0]
    assert found.statistics.tolist() == Measure.mean(found.scores).statistics.tolist()


# How a score comes about, step by step.


STEPS = (WorkingStep("m", "matches", 3), WorkingStep("score", "share", 0.5, "m / 6"))


def test_the_score_is_the_value_of_the_last_step() -> None:
    assert Working(STEPS).score == 0.5


def test_a_working_is_written_with_its_formulas() -> None:
    assert Working(STEPS).to_dict() == [
        {"name": "m", "meaning": "matches", "formula": "", "value": 3},
        {"name": "score", "meaning": "share", "formula": "m / 6", "value": 0.5},
    ]


@pytest.mark.parametrize("steps", [(), (STEPS[0], STEPS[0])])
def test_steps_without_names_of_their_own_are_refused(steps: tuple[WorkingStep, ...]) -> None:
    with pytest.raises(ValueError, match="a name of its own"):
        Working(steps)


def test_steps_of_a_part_have_names_of_their_own_in_formulas_too() -> None:
    both = (*part_steps(STEPS, "one"), *part_steps(STEPS, "other"))
    assert [step.name for step in both] == ["one_m", "one_score", "other_m", "other_score"]
    assert both[3].formula == "other_m / 6"
    followed(Working(both))


def test_functions_in_formulas_of_a_part_keep_their_names() -> None:
    (only,) = part_steps([WorkingStep("e", "power", 1.0, "exp(min(0, 1))")], "part")
    assert only.formula == "exp(min(0, 1))"


def test_a_formula_that_does_not_give_its_value_is_noticed() -> None:
    with pytest.raises(AssertionError):
        followed(Working((WorkingStep("a", "one", 1), WorkingStep("b", "two", 3.0, "a + 1"))))


# What scores of segments are made of, and their differences.


SIDE = st.tuples(st.floats(0, 1), st.floats(0, 1), st.booleans())
SEGMENTS = st.lists(st.tuples(SIDE, SIDE), min_size=1, max_size=8)


def made(
    rows: list[tuple[float, float, bool]], sizes: NDArray[np.float64] | None = None
) -> ScoreParts:
    order, coverage, evidence = (np.array(column) for column in zip(*rows, strict=True))
    term = Ordering(order, coverage, evidence).term()
    return ScoreParts((term,), evidence, np.ones(len(rows)) if sizes is None else sizes)


@given(SEGMENTS)
def test_parts_of_a_difference_are_those_of_the_definition(
    segments: list[tuple[tuple[float, float, bool], tuple[float, float, bool]]],
) -> None:
    first, second = made([one for one, _ in segments]), made([other for _, other in segments])
    found = first.difference(second)
    back = second.difference(first)
    for place, (one, other) in enumerate(segments):
        order, coverage = oracle.segment_parts(one, other)
        assert found["order"][place] == pytest.approx(float(order), abs=1e-15)
        assert found["coverage"][place] == pytest.approx(float(coverage), abs=1e-15)
        whole = other[0] * other[1] - one[0] * one[1]
        assert found["order"][place] + found["coverage"][place] == pytest.approx(whole, abs=1e-15)
    for name, share in found.items():
        assert back[name].tolist() == (-share).tolist()


def test_without_a_linked_word_on_either_side_nothing_is_due_to_order() -> None:
    linked, unlinked = made([(0.5, 0.8, True)] * 2), made([(0.0, 0.0, False)] * 2)
    assert linked.difference(unlinked)["order"].tolist() == [0.0, 0.0]
    assert linked.difference(unlinked)["coverage"].tolist() == [-0.4, -0.4]
    assert unlinked.difference(linked)["coverage"].tolist() == [0.4, 0.4]


def test_terms_are_weighed_and_parts_keep_their_order() -> None:
    evidence, ones = np.array([True]), np.ones(1)

    def of(order: float, coverage: float, words: float) -> ScoreParts:
        term = Ordering(np.array([order]), np.array([coverage]), evidence).term(0.25)
        return ScoreParts((term, Term(0.75, {"words": np.array([words])})), evidence, ones)

    found = of(0.5, 0.5, 0.2).difference(of(1.0, 0.5, 0.6))
    assert [*found] == ["order", "coverage", "words"]
    assert [share.item() for share in found.values()] == pytest.approx([0.0625, 0.0, 0.3])


def test_means_weigh_segments_and_leave_order_out_where_nothing_is_linked() -> None:
    rows = [(0.5, 1.0, True), (1.0, 0.5, True), (0.0, 0.0, False)]
    assert made(rows).means() == {"order": 0.75, "coverage": 0.5}
    assert made(rows, np.array([3.0, 1.0, 4.0])).means() == {"order": 0.625, "coverage": 0.4375}
    assert made(rows[2:]).means() == {"order": None, "coverage": 0.0}


def test_the_reference_with_the_best_product_is_chosen_the_first_of_several() -> None:
    one = Ordering(np.array([0.5, 1.0, 0.2]), np.array([0.5, 0.3, 1.0]), np.array([True] * 3))
    other = Ordering(np.array([1.0, 0.3, 0.0]), np.array([0.3, 1.0, 0.0]), np.array([False] * 3))
    best = Ordering.best([one, other])
    assert best.order.tolist() == [1.0, 1.0, 0.2]
    assert best.coverage.tolist() == [0.3, 0.3, 1.0]
    assert best.evidence.tolist() == [False, True, True]
    assert best.scores.tolist() == np.maximum(one.scores, other.scores).tolist()


def test_parts_that_are_added_up_are_what_each_adds() -> None:
    terms = (
        Term(0.75, {"words": np.array([1.0, 0.5])}),
        Term(0.25, {"order": np.array([0.5, 1.0])}),
    )
    evidence = np.array([True, False])
    found = ScoreParts(terms, evidence, np.ones(2), added=True)
    assert found.means() == {"words": 0.75 * 0.75, "order": 0.25 * 0.75}
    assert ScoreParts(terms, evidence, np.ones(2)).means() == {"words": 0.75, "order": 0.5}
    assert ScoreParts(terms, evidence, np.zeros(2), added=True).means()["words"] is None

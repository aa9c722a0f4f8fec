"""Agreement on pairs, against plain loops."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.agreement.pairwise import (
    PairKind,
    TieRule,
    accuracy,
    calibrated_threshold,
    consistency,
    count_pairs,
    pair_kinds,
    preferences,
    tau,
)
from kilter.structures.judgment.judgments import JudgedPairs
from tests.agreement.samples import judged
from tests.oracles import meta as oracle
from tests.tolerance import close

GRID = st.integers(0, 8).map(lambda step: step / 8)
PAIRS = st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4), GRID, GRID), max_size=30)


def columns(pairs: list[oracle.Pair]) -> tuple[JudgedPairs, np.ndarray]:
    """Return one segment a pair, with the metric's scores of two systems."""
    rows = [(place, 0, 1, int(np.sign(b - a)), place) for place, (a, b, _, _) in enumerate(pairs)]
    scores = np.array([[pair[2] for pair in pairs], [pair[3] for pair in pairs]], dtype=np.float64)
    return judged(rows, ("A", "B")).pairs, scores.reshape(2, len(pairs))


@given(pairs=PAIRS)
def test_measures_are_those_of_the_oracle(pairs: list[oracle.Pair]) -> None:
    judgments, scores = columns(pairs)
    kinds = pair_kinds(preferences(scores, judgments), judgments.outcome)
    counts = count_pairs(kinds, np.zeros(len(pairs), dtype=np.int64), 1)[0]
    for rule in TieRule:
        assert float(tau(counts, rule=rule)) == close(oracle.tau(pairs, rule), nan_ok=True)
    assert float(consistency(counts)) == close(oracle.consistency(pairs), nan_ok=True)
    assert float(accuracy(counts)) == close(oracle.accuracy(pairs), nan_ok=True)


@given(pairs=PAIRS.filter(len))
def test_no_threshold_beats_the_calibrated_one(pairs: list[oracle.Pair]) -> None:
    judgments, scores = columns(pairs)
    threshold = calibrated_threshold(scores[0] - scores[1], judgments.outcome)
    assert oracle.accuracy(pairs, threshold) == close(oracle.best_accuracy(pairs))


def test_a_missing_score_is_neither_right_nor_wrong() -> None:
    judgments, scores = columns([(1, 2, 0.5, 0.25), (1, 2, np.nan, 0.25), (1, 1, np.nan, 0.5)])
    kinds = pair_kinds(preferences(scores, judgments), judgments.outcome)
    assert kinds.tolist() == [PairKind.CONCORDANT, PairKind.UNSCORED, PairKind.UNSCORED]


@pytest.mark.parametrize(("difference", "preferred"), [(1e-15, 0), (1e-6, 1), (-1e-6, -1)])
def test_scores_that_differ_by_rounding_are_tied(difference: float, preferred: int) -> None:
    judgments, _ = columns([(1, 2, 0.0, 0.0)])
    assert preferences(np.array([[0.5 + difference], [0.5]]), judgments).tolist() == [preferred]


def test_scores_of_any_scale_can_be_told_apart() -> None:
    judgments, _ = columns([(1, 2, 0.0, 0.0)])
    assert preferences(np.array([[2e-20], [1e-20]]), judgments).tolist() == [1]


@given(pairs=PAIRS)
def test_the_calibrated_threshold_is_the_smallest_of_the_best(pairs: list[oracle.Pair]) -> None:
    judgments, scores = columns(pairs)
    tried = sorted({0.0, *(abs(a - b) for _, _, a, b in pairs)})
    worth = [oracle.accuracy(pairs, threshold) for threshold in tried]
    expected = tried[worth.index(max(worth))] if pairs else 0.0
    assert calibrated_threshold(scores[0] - scores[1], judgments.outcome) == expected


@pytest.mark.parametrize("outcomes", [[1, 1], [1, 0], [0, 1], [0, -1]])
def test_a_threshold_that_gains_nothing_is_0(outcomes: list[int]) -> None:
    # Ties up to 0.5 would be as often right as signs are, or less often.
    difference = np.array([0.5, 0.5])
    assert calibrated_threshold(difference, np.array(outcomes, dtype=np.int8)) == (
        0.5 if outcomes == [0, -1] else 0.0
    )

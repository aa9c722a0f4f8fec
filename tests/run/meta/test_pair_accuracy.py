"""Consistency, accuracy and its calibration, against plain loops."""

import numpy as np
import pytest
from hypothesis import given

from kilter.run.meta.pair_count import (
    accuracy,
    calibrated_threshold,
    consistency,
    count_pairs,
    pair_kinds,
    preferences,
)
from tests.oracles import meta as oracle
from tests.run.meta.samples import RANKED_PAIRS, ranked
from tests.tolerance import close


@given(pairs=RANKED_PAIRS)
def test_consistency_and_accuracy_are_those_of_the_oracle(pairs: list[oracle.Pair]) -> None:
    judgments, scores = ranked(pairs)
    kinds = pair_kinds(preferences(scores, judgments), judgments.outcome)
    counts = count_pairs(kinds, np.zeros(len(pairs), dtype=np.int64), 1)[0]
    assert float(consistency(counts)) == close(oracle.consistency(pairs), nan_ok=True)
    assert float(accuracy(counts)) == close(oracle.accuracy(pairs), nan_ok=True)


@given(pairs=RANKED_PAIRS.filter(len))
def test_no_threshold_beats_the_calibrated_one(pairs: list[oracle.Pair]) -> None:
    judgments, scores = ranked(pairs)
    threshold = calibrated_threshold(scores[0] - scores[1], judgments.outcome)
    assert oracle.accuracy(pairs, threshold) == close(oracle.best_accuracy(pairs))


@given(pairs=RANKED_PAIRS)
def test_the_calibrated_threshold_is_the_smallest_of_the_best(pairs: list[oracle.Pair]) -> None:
    judgments, scores = ranked(pairs)
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

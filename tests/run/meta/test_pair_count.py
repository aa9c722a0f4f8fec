"""What a metric makes of judged pairs."""

import numpy as np
import pytest
from hypothesis import given

from kilter.run.meta.pair_count import (
    PairKind,
    TieRule,
    accuracy,
    calibrated_threshold,
    consistency,
    count_pairs,
    named_counts,
    pair_kinds,
    preferences,
    ratio,
    tau,
)
from tests.oracles import meta as oracle
from tests.run.meta.samples import RANKED_PAIRS, ranked
from tests.tolerance import close


def test_a_missing_score_is_neither_right_nor_wrong() -> None:
    judgments, scores = ranked([(1, 2, 0.5, 0.25), (1, 2, np.nan, 0.25), (1, 1, np.nan, 0.5)])
    kinds = pair_kinds(preferences(scores, judgments), judgments.outcome)
    assert kinds.tolist() == [PairKind.CONCORDANT, PairKind.UNSCORED, PairKind.UNSCORED]


@pytest.mark.parametrize(("difference", "preferred"), [(1e-15, 0), (1e-6, 1), (-1e-6, -1)])
def test_scores_that_differ_by_rounding_are_tied(difference: float, preferred: int) -> None:
    judgments, _ = ranked([(1, 2, 0.0, 0.0)])
    assert preferences(np.array([[0.5 + difference], [0.5]]), judgments).tolist() == [preferred]


def test_scores_of_any_scale_can_be_told_apart() -> None:
    judgments, _ = ranked([(1, 2, 0.0, 0.0)])
    assert preferences(np.array([[2e-20], [1e-20]]), judgments).tolist() == [1]


def test_pairs_are_counted_by_unit_and_kind() -> None:
    pairs: list[tuple[float, float, float, float]] = [
        (1, 2, 0.9, 0.1),
        (1, 2, 0.1, 0.9),
        (1, 2, 0.5, 0.5),
        (1, 1, 0.5, 0.5),
        (1, 1, 0.9, 0.1),
    ]
    judgments, scores = ranked(pairs)
    kinds = pair_kinds(preferences(scores, judgments), judgments.outcome)
    counts = count_pairs(kinds, np.array([0, 0, 0, 2, 2]), 3)
    assert counts.tolist() == [[1, 1, 1, 0, 0, 0], [0] * 6, [0, 0, 0, 1, 1, 0]]
    # A tie of both sides is a tie of people, too.
    assert named_counts(counts.sum(axis=0)) == {
        "concordant": 1, "discordant": 1, "ties": 1, "human_ties": 2, "both_ties": 1, "unscored": 0,
    }  # fmt: skip


def test_scores_within_a_threshold_are_tied_and_the_threshold_itself_is_within() -> None:
    judgments, scores = ranked([(1, 2, 0.75, 0.5), (1, 2, 0.5, 0.875)])
    assert preferences(scores, judgments, threshold=0.25).tolist() == [0, -1]


def test_a_part_of_nothing_is_not_a_number() -> None:
    assert np.isnan(ratio(np.array(0.0), np.array(0.0)))
    assert ratio(np.array([1.0, 1.0]), np.array([4.0, 2.0])).tolist() == [0.25, 0.5]


# Consistency, accuracy and its calibration, against plain loops.


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


# Tau over judged pairs.


@given(pairs=RANKED_PAIRS)
def test_tau_by_every_tie_rule_is_that_of_the_oracle(pairs: list[oracle.Pair]) -> None:
    judgments, scores = ranked(pairs)
    kinds = pair_kinds(preferences(scores, judgments), judgments.outcome)
    counts = count_pairs(kinds, np.zeros(len(pairs), dtype=np.int64), 1)[0]
    for rule in TieRule:
        assert float(tau(counts, rule=rule)) == close(oracle.tau(pairs, rule), nan_ok=True)


def test_ties_of_people_never_count() -> None:
    counts = np.array([3.0, 1.0, 0.0, 7.0, 5.0, 2.0])
    assert [float(tau(counts, rule=rule)) for rule in TieRule] == [0.5, 0.5, 0.5]

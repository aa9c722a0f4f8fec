"""What a metric makes of judged pairs."""

import numpy as np
import pytest

from kilter.run.meta.pair_count import (
    PairKind,
    count_pairs,
    named_counts,
    pair_kinds,
    preferences,
    ratio,
)
from tests.run.meta.samples import ranked


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

"""Soft pairwise accuracy: p-values of sign flips one by one, and their agreement."""

from math import isnan, nan

import numpy as np
import pytest

from kilter.run.meta.pair_count import better_p_values, soft_accuracy
from kilter.stats.resampling import Resampling
from tests.oracles import resampling as oracle

DRAWN = Resampling(resamples=60, seed=4)


def test_p_is_small_where_the_first_system_is_surely_better() -> None:
    difference = np.random.default_rng(1).random(40) + 0.5
    first, second = better_p_values(np.column_stack([difference, -difference]), resampling=DRAWN)
    assert (first, second) == (0.0, 1.0)


def test_p_is_the_share_of_flips_that_reach_the_observed_sum_a_tie_half() -> None:
    # Tenths, so that sums tie but for rounding.
    tenths = np.array([3, -1, 2, 0, -2, 1, 4])
    (found,) = better_p_values((tenths / 10)[:, np.newaxis], resampling=DRAWN)
    reached = 0.0
    for resample in range(60):
        flipped = oracle.subset(7, 4, oracle.FLIPS, resample)
        total = int(tenths.sum()) - 2 * sum(int(tenths[k]) for k in flipped)
        reached += (total > tenths.sum()) + 0.5 * (total == tenths.sum())
    assert found == pytest.approx(reached / 60)
    assert 0.0 < found < 0.5


def test_equal_systems_and_missing_scores_have_a_half() -> None:
    columns = np.column_stack([np.zeros(5), np.full(5, nan), [0.0, nan, 0.0, 0.0, 0.0]])
    assert better_p_values(columns, resampling=DRAWN).tolist() == [0.5, 0.5, 0.5]


def test_what_either_side_does_not_know_is_left_out() -> None:
    human, metric = np.array([0.0, nan, 0.5, 1.0]), np.array([0.25, 0.5, nan, 0.5])
    assert soft_accuracy(human, metric) == pytest.approx((0.75 + 0.5) / 2)
    assert isnan(soft_accuracy(human[1:2], metric[1:2]))
    assert isnan(soft_accuracy(np.zeros(0), np.zeros(0)))

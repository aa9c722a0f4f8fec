"""Spearman's rho on resampled segments, against ranks of what is drawn."""

from math import nan

import numpy as np
import pytest

from kilter import _core
from kilter.stats.resampling import bootstrap_indices
from tests.oracles import meta as oracle
from tests.tolerance import close


@pytest.mark.parametrize("seed", range(5))
def test_rho_is_that_of_the_values_that_are_drawn(seed: int) -> None:
    chance = np.random.default_rng(seed)
    first, second = chance.integers(0, 4, (2, 20)).astype(np.int32)
    segment = chance.integers(0, 6, 20).astype(np.int32)
    found = _core.resampled_spearman(first, second, segment, 6, seed, 10, 1)
    for resample, draw in enumerate(bootstrap_indices(6, resamples=10, seed=seed).tolist()):
        rows = [row for place in draw for row in range(20) if segment[row] == place]
        x, y = ([float(column[row]) for row in rows] for column in (first, second))
        expected = oracle.spearman(x, y) if rows else nan
        assert found[resample] == close(expected, nan_ok=True)


def test_a_constant_side_has_no_rank_correlation() -> None:
    column = np.arange(3, dtype=np.int32)
    found = _core.resampled_spearman(column * 0, column, column, 3, 1, 4, 1)
    assert np.isnan(found).all()


def test_no_value_at_all_has_no_rank_correlation() -> None:
    empty = np.zeros(0, dtype=np.int32)
    assert np.isnan(_core.resampled_spearman(empty, empty, empty, 2, 1, 3, 2)).all()


@pytest.mark.parametrize(
    ("first", "segment", "message"),
    [
        ([0, -1], [0, 1], r"first\[1\] is -1"),
        ([0], [0, 1], "every value has a group"),
        ([0, 1], [0, 2], r"segment\[1\] is 2"),
        ([0, 1], [0, -1], r"segment\[1\] is -1"),
    ],
)
def test_bad_columns_are_refused(first: list[int], segment: list[int], message: str) -> None:
    column = np.arange(len(segment), dtype=np.int32)
    with pytest.raises(ValueError, match=message):
        _core.resampled_spearman(
            np.array(first, dtype=np.int32), column, np.array(segment, dtype=np.int32), 2, 1, 2, 1
        )

"""Correlations and average ranks, against plain loops."""

from math import nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.stats.correlation import average_ranks, moments, pearson, pearson_of_sums, spearman
from tests.oracles import meta as oracle
from tests.tolerance import close

VALUES = st.integers(-4, 4).map(float)
COLUMNS = st.integers(1, 12).flatmap(
    lambda n: st.tuples(*[st.lists(VALUES, min_size=n, max_size=n)] * 2)
)


@given(columns=COLUMNS)
def test_correlations_are_those_of_the_oracle(columns: tuple[list[float], list[float]]) -> None:
    x, y = np.array(columns[0]), np.array(columns[1])
    assert float(pearson(x, y)) == close(oracle.pearson(*columns), nan_ok=True)
    assert float(spearman(x, y)) == close(oracle.spearman(*columns), nan_ok=True)
    summed = pearson_of_sums(moments(x, y).sum(axis=0))
    assert float(summed) == close(oracle.pearson(*columns), nan_ok=True)


@pytest.mark.parametrize("length", [5, 128, 129, 300])
def test_ranks_do_not_depend_on_how_they_are_found(length: int) -> None:
    values = np.random.default_rng(length).integers(0, length // 2, (2, length)).astype(float)
    assert average_ranks(values).tolist() == [oracle.ranks(row) for row in values.tolist()]


def test_rows_are_correlated_one_by_one() -> None:
    x = np.array([[1.0, 2.0, 3.0], [1.0, 1.0, 1.0]])
    y = np.array([3.0, 2.0, 1.0])
    assert pearson(x, y) == close([-1.0, nan], nan_ok=True)


def test_a_gap_leaves_no_rank_correlation() -> None:
    assert np.isnan(spearman(np.array([1.0, nan, 2.0]), np.array([1.0, 2.0, 3.0])))


def test_a_correlation_has_the_same_bits_alone_and_among_many_rows() -> None:
    rows = np.random.default_rng(3).random((400, 150))
    target = np.random.default_rng(4).random(150)
    together = pearson(rows, target)
    assert together.tolist() == [float(pearson(row, target)) for row in rows]
    assert together[:3].tolist() == pearson(rows[:3], target).tolist()


@pytest.mark.parametrize("value", [0.1, 1e-7, 12345.678])
def test_equal_values_have_no_correlation_though_their_sums_are_rounded(value: float) -> None:
    rising = np.arange(7.0) / 7
    for first, second in ((np.full(7, value), rising), (rising, np.full(7, value))):
        sums = moments(first, second, centred=False).sum(axis=0)
        assert np.isnan(pearson_of_sums(sums))
    assert not np.isnan(pearson_of_sums(moments(rising, rising**2, centred=False).sum(axis=0)))


def test_one_value_has_no_correlation() -> None:
    assert np.isnan(pearson_of_sums(moments(np.array([0.3]), np.array([0.4])).sum(axis=0)))
    assert np.isnan(pearson_of_sums(np.zeros(6)))


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=12))
def test_sums_of_moments_make_the_correlation_of_the_values(pairs: list[tuple[int, int]]) -> None:
    x, y = (np.array(side) / 5 for side in zip(*pairs, strict=True))
    expected = oracle.pearson(x.tolist(), y.tolist())
    for centred in (True, False):
        sums = moments(x, y, centred=centred).sum(axis=0)
        assert pearson_of_sums(sums) == close(expected, absolute=1e-9, nan_ok=True)


def test_moments_that_are_not_centred_are_those_of_the_values() -> None:
    found = moments(np.array([2.0, nan, 5.0]), np.array([3.0, 1.0, -1.0]), centred=False)
    assert found.tolist() == [[1, 2, 3, 4, 9, 6], [0] * 6, [1, 5, -1, 25, 1, -5]]

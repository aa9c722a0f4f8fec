"""Numbers that are equal but for rounding: how near they lie, and what becomes of them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.judgments import TIE, levelled, rounding

NEAR = st.lists(
    st.tuples(st.integers(-3, 3), st.sampled_from([-1.0, 0.0, 1.0])), min_size=1, max_size=12
)


@pytest.mark.parametrize("scale", [1.0, 1e-9, 3e7])
def test_rounding_is_a_share_of_the_largest_size_alone(scale: float) -> None:
    values = scale * np.array([0.25, -1.0, 0.5, np.nan])
    assert rounding(values) == TIE * scale
    assert rounding(np.array([np.nan])) == rounding(np.zeros(0)) == 0.0


@given(NEAR)
def test_numbers_that_differ_by_rounding_become_one_and_others_stay(
    numbers: list[tuple[int, float]],
) -> None:
    exact = np.array([float(whole) for whole, _ in numbers])
    noise = np.array([sign for _, sign in numbers]) * 0.3 * TIE * np.abs(exact).max()
    found = levelled(exact + noise)
    assert len(np.unique(found)) == len(np.unique(exact))
    assert (
        np.sign(np.subtract.outer(found, found)) == np.sign(np.subtract.outer(exact, exact))
    ).all()
    # Each is one of the given numbers, the smallest of those it is equal to.
    for value in np.unique(exact):
        assert set(found[exact == value]) == {(exact + noise)[exact == value].min()}


def test_missing_numbers_stay_missing() -> None:
    values = np.array([0.1 + 0.2, np.nan, 0.3])
    found = levelled(values)
    assert found[0] == found[2] == 0.3
    assert np.isnan(found[1])
    assert values[0] != values[2]
    assert np.isnan(levelled(np.full(2, np.nan))).all()

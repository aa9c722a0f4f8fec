"""Scales put values in order and enclose them with round numbers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.render.chart.frame import LogScale, Scale, tick_label

FINITE = st.floats(-1e12, 1e12)


@given(FINITE, FINITE)
def test_values_lie_between_the_first_and_the_last_tick(first: float, second: float) -> None:
    low, high = sorted((first, second))
    scale = Scale(low, high, 0, 100)
    assert -1e-6 <= scale(low) <= scale(high) <= 100 + 1e-6
    assert 2 <= len(scale.ticks) <= 10


def test_ticks_hold_an_exact_zero() -> None:
    assert "0" in [tick_label(tick) for tick in Scale(-0.3, 0.3, 0, 1).ticks]


@pytest.mark.parametrize(("low", "high"), [(1, 1), (16, 2100), (0.002, 0.9), (5, 5.1)])
def test_logarithmic_scales_enclose_their_values(low: float, high: float) -> None:
    scale = LogScale(low, high, 0, 100)
    assert 0 <= scale(low) <= scale(high) <= 100
    assert scale(scale.ticks[0]) == 0


def test_equal_ratios_are_equally_far_apart() -> None:
    scale = LogScale(1, 100, 0, 100)
    assert scale(10) - scale(1) == pytest.approx(scale(100) - scale(10))

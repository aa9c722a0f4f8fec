"""Numbers in short, against the statistics of the standard library."""

from statistics import mean, median, stdev

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.stats.undefined import Undefined
from kilter.study.analysis.summary import MeanInterval, mean_interval, summarise


@given(st.lists(st.integers(-9, 9), min_size=2, max_size=9), st.integers(0, 3))
def test_a_summary_is_that_of_the_numbers_that_are_there(numbers: list[int], missing: int) -> None:
    found = summarise(np.array([*numbers, *[np.nan] * missing], dtype=np.float64))
    assert (found.count, found.missing) == (len(numbers), missing)
    assert found.mean == pytest.approx(mean(numbers))
    assert found.deviation == pytest.approx(stdev(numbers))
    assert found.median == pytest.approx(median(numbers))
    assert (found.lowest, found.highest) == (min(numbers), max(numbers))


def test_one_number_does_not_deviate_and_none_is_no_number() -> None:
    alone = summarise(np.array([0.5, np.nan]))
    assert (alone.count, alone.missing, alone.mean, alone.lowest) == (1, 1, 0.5, 0.5)
    assert alone.deviation == Undefined("one value only")
    nothing = summarise(np.full(2, np.nan))
    assert (nothing.count, nothing.missing) == (0, 2)
    for name in ("mean", "deviation", "median", "lowest", "highest"):
        assert getattr(nothing, name) == Undefined("there is no value")


def test_summaries_of_nothing_and_of_one_value() -> None:
    assert summarise(np.array([])).mean == Undefined("there is no value")
    assert summarise(np.array([2.0])).deviation == Undefined("one value only")


def test_intervals_of_mean_answers_stay_on_the_scale_of_answers() -> None:
    high, low = (
        mean_interval(summarise(np.array(values))) for values in ([1, 1, 0.5], [0, 0, 0.5])
    )
    assert isinstance(high, MeanInterval)
    assert isinstance(low, MeanInterval)
    assert (high.high, low.low) == (1.0, 0.0)
    assert high.low == pytest.approx(5 / 6 - 1.96 * stdev([1, 1, 0.5]) / 3**0.5, abs=1e-4)
    assert low.high == pytest.approx(1 / 6 + 1.96 * stdev([1, 1, 0.5]) / 3**0.5, abs=1e-4)

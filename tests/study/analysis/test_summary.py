"""Numbers in short, against the statistics of the standard library."""

from statistics import mean, median, stdev

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.stats.undefined import Undefined
from kilter.study.analysis.summary import (
    MeanInterval,
    Summary,
    mean_interval,
    said,
    said_p,
    summarise,
)
from tests.render.cases import case
from tests.render.distinct import Book, check_row
from tests.render.study_table import SUMMARY


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


@case("summary_cells")
def test_columns_of_summary_cells_hold_what_they_name(book: Book) -> None:
    from kilter.study.analysis.summary import SUMMARY as COLUMNS
    from kilter.study.analysis.summary import summary_cells

    check_row(book, COLUMNS, summary_cells(book.make(Summary, "s")), titles=SUMMARY)


@pytest.mark.parametrize(
    ("value", "digits", "shown"),
    [
        (0.0, 3, "0.000"),
        (0.00049, 3, "4.9e-04"),
        (-0.00049, 3, "-4.9e-04"),
        (0.00051, 3, "0.001"),
        (0.0049, 2, "4.9e-03"),
        (0.0051, 2, "0.01"),
        (1.5, 1, "1.5"),
    ],
)
def test_small_numbers_show_their_size(value: float, digits: int, shown: str) -> None:
    assert said(value, digits=digits) == shown


def test_a_p_value_too_small_for_the_computer_is_not_written_as_nothing() -> None:
    assert [said_p(p) for p in (0.0, 3e-7, 0.0412)] == ["< 0.0001", "3.0e-07", "0.041"]

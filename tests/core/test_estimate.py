"""Numbers that may be uncertain or missing."""

from math import inf, isfinite, nan, nextafter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.estimate import Estimate, p_text

NUMBERS = st.none() | st.floats()


@given(NUMBERS, NUMBERS, NUMBERS, NUMBERS)
def test_no_number_is_nan_or_infinite_and_what_is_missing_has_no_interval(
    value: float | None, low: float | None, high: float | None, p: float | None
) -> None:
    found = Estimate(value, low, high, p, reason="why")
    numbers = (found.value, found.low, found.high, found.p)
    assert all(number is None or isfinite(number) for number in numbers)
    assert (found.value is None) == (value is None or not isfinite(value))
    if found.value is None:
        assert numbers == (None, None, None, None)


@pytest.mark.parametrize(
    ("spec", "shown"),
    [
        (".2f", "-0.10"),
        (".2f±", "-0.10 ±0.15"),
        ("+.2f[]", "-0.10 [-0.25, +0.05]"),
        ("[].2f", "[-0.25, 0.05]"),
        (".1%±", "-10.0% ±15.0%"),
    ],
)
def test_a_format_says_how_the_interval_is_shown(spec: str, shown: str) -> None:
    assert format(Estimate(-0.1, -0.25, 0.05), spec) == shown


@pytest.mark.parametrize("spec", [".2f", ".2f±", "+.2f[]"])
def test_without_both_ends_there_is_a_value_only(spec: str) -> None:
    for estimate in (Estimate(0.5), Estimate(0.5, 0.4), Estimate(0.5, nan, inf)):
        assert format(estimate, spec).lstrip("+") == "0.50"
        assert format(estimate, "[].2f") == "-"
    assert format(Estimate(reason="nothing"), spec) == "-"


def test_a_difference_of_nothing_has_no_minus() -> None:
    assert format(Estimate(-0.0), "+.2f") == "+0.00"


# p-values as people read them.


@pytest.mark.parametrize(
    ("p", "digits", "shown"),
    [
        (0.0, 4, "< 0.0001"),
        (9.9e-5, 4, "< 0.0001"),
        (1e-4, 4, "0.0001"),
        (0.0312, 4, "0.0312"),
        (1.0, 4, "1.0000"),
        (4e-4, 3, "< 0.001"),
        (1e-3, 3, "0.001"),
        (None, 4, "-"),
    ],
)
def test_no_p_value_is_written_as_nothing(p: float | None, digits: int, shown: str) -> None:
    assert p_text(p, digits=digits) == shown


@pytest.mark.parametrize(
    ("p", "digits", "shown"),
    [
        (10 / 1001, 3, "0.00999"),
        (10 / 1001, 4, "0.00999"),
        (0.0099, 3, "0.0099"),
        (0.049998, 4, "0.049998"),
        (0.0496, 3, "0.0496"),
        (0.00096, 4, "0.0010"),
        (0.0494, 3, "0.049"),
        (0.01, 3, "0.010"),
        (0.0101, 3, "0.010"),
        (0.05, 4, "0.0500"),
        (0.0296, 2, "0.03"),
    ],
)
def test_no_p_value_below_a_threshold_is_written_as_that_threshold(
    p: float, digits: int, shown: str
) -> None:
    assert p_text(p, digits=digits) == shown


def test_a_p_value_just_below_a_threshold_is_written_to_its_last_digit() -> None:
    for threshold in (0.05, 0.01):
        assert float(p_text(nextafter(threshold, 0.0))) < threshold

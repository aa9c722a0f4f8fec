"""Numbers that may be uncertain or missing."""

from math import inf, isfinite, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.estimate import Estimate

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

"""p-values as people read them."""

from math import nextafter

import pytest

from kilter.core.estimate import p_text


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

"""Numbers as options."""

import click
import pytest

from kilter.cli.option.finite_number import FiniteNumber


@pytest.mark.parametrize("text", ["nan", "inf", "-1", "0.6", "x"])
def test_what_is_no_number_within_the_bounds_is_refused(text: str) -> None:
    with pytest.raises(click.BadParameter):
        FiniteNumber(0, 0.5).convert(text, None, None)


def test_infinity_is_refused_where_nothing_bounds_it() -> None:
    with pytest.raises(click.BadParameter, match="inf is no finite number"):
        FiniteNumber(0).convert("inf", None, None)
    assert FiniteNumber(0).convert("2.5", None, None) == 2.5

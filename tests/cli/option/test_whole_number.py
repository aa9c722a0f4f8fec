"""Whole numbers as options."""

import click
import pytest

from kilter.cli.main import run
from kilter.cli.option.whole_number import WholeNumber
from kilter.core.settings import BOUNDS


@pytest.mark.parametrize("name", BOUNDS)
def test_an_option_takes_the_numbers_that_python_takes(name: str) -> None:
    low, high = BOUNDS[name]
    kind = WholeNumber(name)
    assert [kind.convert(str(bound), None, None) for bound in (low, high)] == [low, high]
    for beyond in (low - 1, high + 1):
        with pytest.raises(click.BadParameter):
            kind.convert(str(beyond), None, None)


def test_a_number_that_is_too_great_is_an_error_of_usage(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["permutation", "orders.txt", "--jobs", "2147483648"]) == 2
    assert "2147483648 is more than 2147483647" in capsys.readouterr().err


def test_more_resamples_than_anybody_needs_are_refused_with_the_most(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["score", "-r", "reference", "system", "--resamples", "2147483647"]) == 2
    assert "2147483647 is more than 1000000; write a number from 1 to 1000000" in (
        capsys.readouterr().err
    )

"""Ranges of numbers on the command line."""

import pytest

from kilter.cli.fields import number_range
from kilter.core.errors import OptionError


def test_a_range_holds_both_ends() -> None:
    assert [*number_range("4", option="--copies", most=20, example="1-20")] == [4]
    assert [*number_range("9-11", option="--copies", most=11, example="1-20")] == [9, 10, 11]


@pytest.mark.parametrize(
    "text", ["0", "0-3", "3-2", "", "-", "1-", "-2", "a", "1-2-3", "1.5", "21", "1-21", "9" * 30]
)
def test_what_is_no_range_from_1_to_the_most_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(OptionError) as raised:
        number_range(text, option="--copies", most=20, example="1-20")
    assert str(raised.value) == (
        f"--copies is {text!r}; write a number from 1 to 20, or a range such as 1-20"
    )

"""Options that have one of a few named values."""

from enum import StrEnum

import pytest

from kilter.core.errors import OptionError
from kilter.core.settings import Choice, chosen


class Colour(Choice):
    RED = "red"
    BLUE = "blue"


class TrafficLight(Choice):
    GREEN = "green"


class Side(StrEnum):
    LEFT = "left"
    RIGHT = "right"


def test_another_value_is_refused_with_those_that_are_allowed() -> None:
    assert Colour("blue") is Colour.BLUE
    with pytest.raises(OptionError, match=r"^colour is 'green'; it can be red, blue$"):
        Colour("green")
    with pytest.raises(OptionError, match=r"^traffic light is 'blue'; it can be green$"):
        TrafficLight("blue")


def test_an_enumeration_of_others_is_refused_under_the_name_of_the_option() -> None:
    assert chosen(Side, "left", "side") is Side.LEFT
    with pytest.raises(OptionError, match=r"^side is 'up'; it can be left, right$"):
        chosen(Side, "up", "side")

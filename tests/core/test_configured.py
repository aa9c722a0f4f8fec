"""Things with options: fields that are checked, read from text and written again."""

from dataclasses import dataclass
from typing import ClassVar

import pytest

from kilter.core.errors import OptionError
from kilter.core.registry import Configured, option, split_specification
from kilter.core.settings import Choice


class Mode(Choice):
    FAST = "fast"
    SLOW = "slow"


@dataclass(frozen=True, kw_only=True)
class Shared(Configured):
    weight: float = option(0.5, "how much it counts", low=0.0, high=1.0)


@dataclass(frozen=True, kw_only=True)
class Thing(Shared):
    name: ClassVar[str] = "thing"

    mode: Mode = option(Mode.FAST, "how it works")
    size: int = option(3, "how large it is", low=1, high=9)
    loud: bool = option(default=False, description="whether it is heard")


def test_own_options_come_before_shared_ones() -> None:
    assert [entry.name for entry in Thing.declared()] == ["mode", "size", "loud", "weight"]
    assert Thing().options() == {"mode": "fast", "size": "3", "loud": "false", "weight": "0.5"}


def test_a_specification_holds_what_is_not_default_and_makes_the_same_again() -> None:
    made = Thing(mode=Mode.SLOW, loud=True)
    assert Thing().specification() == "thing"
    assert made.specification() == "thing:mode=slow,loud=true"
    name, options = split_specification(made.specification(), "thing")
    assert name == "thing"
    assert Thing.from_text(options) == made


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"colour": "red"},
            "thing has no option 'colour'; its options are: loud, mode, size, weight",
        ),
        ({"mode": "odd"}, "mode is 'odd'; it can be fast, slow"),
        ({"size": "10"}, "thing: size is 10; it must lie between 1 and 9"),
        ({"size": "2.5"}, "thing: size is '2.5', which is no number"),
        ({"size": "²"}, "thing: size is '²', which is no number"),
        ({"weight": "nan"}, "thing: weight is 'nan', which is no number"),
        ({"loud": "1"}, "thing: loud is '1'; it can be true or false"),
    ],
)
def test_options_that_cannot_be_are_refused(options: dict[str, str], message: str) -> None:
    with pytest.raises(OptionError) as raised:
        Thing.from_text(options)
    assert message in str(raised.value)


def test_a_number_is_no_truth_and_a_truth_no_number() -> None:
    with pytest.raises(OptionError, match="size is True; it must be int"):
        Thing(size=True)
    with pytest.raises(OptionError, match="loud is 1; it must be bool"):
        Thing(loud=1)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="weight is inf; it must be a finite number"):
        Thing(weight=float("inf"))
    assert isinstance(Thing(weight=1).weight, float)


@dataclass(frozen=True, kw_only=True)
class Placed(Configured):
    name: ClassVar[str] = "placed"
    places: ClassVar[frozenset[str]] = frozenset({"file"})

    file: str = option("", "where it is")
    said: str = option("", "what is said")


def test_a_place_that_is_named_and_empty_is_refused() -> None:
    assert Placed.from_text({"said": "", "file": "x"}).file == "x"
    with pytest.raises(OptionError, match="placed: file is empty; name a file or folder"):
        Placed.from_text({"file": ""})


def test_an_option_has_both_bounds_or_none() -> None:
    with pytest.raises(TypeError, match="both bounds or none: 'words' has one"):
        option(4, "words", low=1)

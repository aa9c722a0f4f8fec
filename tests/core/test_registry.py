"""Classes by name, from entry points."""

from dataclasses import dataclass
from functools import cache
from importlib import metadata
from importlib.metadata import EntryPoint, EntryPoints
from typing import ClassVar

import pytest

from kilter.core import registry
from kilter.core.errors import OptionError
from kilter.core.registry import (
    Configured,
    Registry,
    option,
    split_specification,
    suggestion,
    value_of_text,
)
from kilter.core.settings import Choice
from kilter.metrics.metric import Metric

ENTRIES = [
    EntryPoint("kendall", "kilter.metrics.kendall:Kendall", "things"),
    EntryPoint("absent", "nowhere.at_all:Absent", "things"),
]


@pytest.fixture
def things(monkeypatch: pytest.MonkeyPatch) -> Registry[Metric]:
    monkeypatch.setattr(registry, "_entry_points", lambda: EntryPoints(ENTRIES))
    return Registry("things", "thing")


def test_what_packages_register_is_read_once_for_all_kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    found = EntryPoints([*ENTRIES, EntryPoint("tau", "kilter.metrics.tau:Tau", "others")])
    reads = iter([found])
    monkeypatch.setattr(metadata, "entry_points", lambda: next(reads))
    monkeypatch.setattr(registry, "_entry_points", cache(registry._entry_points.__wrapped__))
    kinds: list[Registry[Metric]] = [Registry("things", "thing"), Registry("others", "other")]
    assert [kind.names() for kind in kinds] == [["kendall", "absent"], ["tau"]]


def test_nothing_is_imported_before_it_is_asked_for(things: Registry[Metric]) -> None:
    assert things.names() == ["kendall", "absent"]
    assert things.make("kendall:penalty=false").specification() == "kendall:penalty=false"
    with pytest.raises(ModuleNotFoundError, match="nowhere"):
        things.find("absent")


def test_an_unknown_name_is_refused_with_the_nearest_and_all_there_are(
    things: Registry[Metric],
) -> None:
    with pytest.raises(OptionError) as near:
        things.find("kendal")
    assert str(near.value) == (
        "there is no thing 'kendal'; did you mean kendall? there are: kendall, absent"
    )
    with pytest.raises(OptionError, match=r"^there is no thing 'zz'; there are: kendall, absent$"):
        things.make("zz:a=b")


# Things with options: fields that are checked, read from text and written again.


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
        ({"size": "2.5"}, "thing: size is '2.5', which is not a number"),
        ({"size": "²"}, "thing: size is '²', which is not a number"),
        ({"weight": "nan"}, "thing: weight is 'nan', which is not a number"),
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


# What was meant by a name that does not exist.


NAMES = ["score", "compare", "pet-count", "Wide"]


@pytest.mark.parametrize(
    ("name", "meant"),
    [("scor", "score"), ("SCORE", "score"), ("pet_count", "pet-count"), ("wide", "Wide")],
)
def test_the_nearest_name_is_asked_after(name: str, meant: str) -> None:
    assert suggestion(name, NAMES) == f"did you mean {meant}?"


@pytest.mark.parametrize("name", ["", "x", "quality", "stone"])
def test_where_no_name_is_near_nothing_is_asked(name: str) -> None:
    assert suggestion(name, NAMES) == ""


# A name and options in one text.


def test_a_name_stands_before_its_options() -> None:
    assert split_specification("pef", "metric") == ("pef", {})
    assert split_specification("pef:", "metric") == ("pef", {})
    assert split_specification("pef:beta=0.5,mode=a=b", "metric") == (
        "pef",
        {"beta": "0.5", "mode": "a=b"},
    )


@pytest.mark.parametrize(
    ("specification", "message"),
    [
        ("thing:size", "write options as name=value, not 'size'"),
        ("thing:size=1,size=2", "option size is given twice"),
        (7, "an ape is named by a text, not by 7"),
    ],
)
def test_what_is_no_specification_is_refused(specification: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        split_specification(specification, "ape")


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("true", bool, True),
        ("no", bool, False),
        ("-12", int, -12),
        (".5", float, 0.5),
        ("1E2", float, 100.0),
        ("007", str, "007"),
    ],
)
def test_text_is_read_as_the_type_of_its_option(text: str, kind: type, value: object) -> None:
    read = value_of_text(text, kind, "thing: part")
    assert (type(read), read) == (kind, value)


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("True", bool, "thing: part is 'True'; it can be true or false"),
        ("1e2", int, "thing: part is '1e2', which is not a number"),
        ("", float, "thing: part is '', which is not a number"),
        ("1_000", int, "thing: part is '1_000', which is not a number"),
        ("inf", float, "thing: part is 'inf', which is not a number"),
    ],
)
def test_text_of_another_type_is_refused(text: str, kind: type, message: str) -> None:
    with pytest.raises(OptionError) as raised:
        value_of_text(text, kind, "thing: part")
    assert str(raised.value) == message

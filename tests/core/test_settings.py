"""Arguments are checked against annotations, and told what would be right."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from kilter.core.errors import OptionError
from kilter.core.settings import (
    Choice,
    FileUse,
    InputFile,
    OutputFile,
    argument,
    checked,
    checked_value,
    chosen,
    declared,
    flag,
    from_values,
    in_order,
    input_files,
    like,
    mixed,
    setting,
    shown,
    unsequenced,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator


class Colour(Choice):
    RED = "red"
    BLUE = "blue"


@pytest.mark.parametrize(
    ("name", "value", "hint", "taken"),
    [
        ("size", np.int64(3), int, 3),
        ("weight", 2, float, 2),
        ("colour", "red", Colour, Colour.RED),
        ("colour", "red", Colour | str, Colour.RED),
        ("colour", "green", Colour | str, "green"),
        ("names", ["a", "b"], Sequence[str], ("a", "b")),
        ("names", np.array(["a"]), tuple[str, ...], ("a",)),
        ("path", Path("a/b"), str, "a/b"),
        ("cache", Path("a/b"), str | None, "a/b"),
        ("data", Path("a/b"), str | None, "a/b"),
        ("pair", (1, "a"), tuple[int, str], (1, "a")),
        ("scores", {"a": Path("b")}, Mapping[str, str], {"a": "b"}),
        ("anything", ..., Any, ...),
    ],
)
def test_what_fits_is_taken_as_the_annotation_has_it(
    name: str, value: object, hint: Any, taken: object
) -> None:
    assert checked_value(name, value, hint) == taken


@pytest.mark.parametrize(
    ("name", "value", "hint", "message"),
    [
        ("jobs", 0, int, "jobs is 0; it must be a whole number from 1 to 2147483647"),
        ("size", 2.0, int, "size is 2.0; it must be a whole number"),
        ("size", True, int, "size is True; it must be a whole number"),
        (
            "size",
            2**31,
            int | None,
            "size is 2147483648; it must be a whole number from -2147483647 to 2147483647, or None",
        ),
        (
            "sizes",
            [1, -(2**70)],
            Sequence[int],
            "each entry a whole number from -2147483647 to 2147483647",
        ),
        (
            "words",
            3,
            Sequence[Hashable],
            "it must be a list, each entry a value that can be hashed, such as a text or a number",
        ),
        ("part", 3, Fraction, "part is 3; it must be a Fraction"),
        ("weight", float("nan"), float, "weight is nan; it must be a number"),
        ("colour", "green", Colour, "colour is 'green'; it must be one of red, blue"),
        ("names", "ab", Sequence[str], "names is 'ab'; it must be a list, each entry a text"),
        ("names", {"a"}, Sequence[str], "names is {'a'}; it must be a list, each entry a text"),
        ("pair", (1,), tuple[int, str], "it must be a pair of a whole number and a text"),
        ("scores", [], Mapping[str, int], "it must be a mapping from a text to a whole number"),
        ("progress", 3, Callable[[int], None], "progress is 3; it must be a function"),
        ("text", 3, str | None, "text is 3; it must be a text, or None"),
        ("text", "", str | None, "text is an empty text; name something, or None"),
        # More than memory holds, and refused without being counted.
        ("degrees", range(1, 10**11), Sequence[int], "each entry a whole number from 1 to 1000000"),
        # A text that names no file is no path.
        ("title", Path("a"), str, "it must be a text"),
    ],
)
def test_what_does_not_fit_is_refused_with_what_would(
    name: str, value: object, hint: Any, message: str
) -> None:
    with pytest.raises(OptionError) as raised:
        checked_value(name, value, hint)
    assert message in str(raised.value)


def test_a_checked_function_begins_only_when_all_fits() -> None:
    began = []

    @checked
    def run(text: str, *, colour: Colour = Colour.RED) -> Colour:
        began.append(text)
        return colour

    assert run("", colour="blue") is Colour.BLUE  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="colour is 3"):
        run("b", colour=3)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        run()  # type: ignore[call-arg]
    assert began == [""]


# Options that have one of a few named values.


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


# Values one after another, whatever they come in.


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ("text", "is a single string"),
        (b"text", "is bytes, which are not decoded"),
        (pd.DataFrame({"a": [1]}), "is a whole table (DataFrame)"),
        (pa.table({"a": [1]}), "is a whole table (Table)"),
        (5, "is 5"),
        ({"a": 1}, "is a mapping (dict)"),
        (frozenset("a"), "is a frozenset, which has no order"),
        (np.zeros((2, 2)), "is an array of 2 dimensions"),
    ],
)
def test_what_has_no_single_order_is_refused(values: Any, reason: str) -> None:
    assert unsequenced(values) == reason


@pytest.mark.parametrize(
    "values",
    [
        ["a", "b"],
        ("a", "b"),
        iter("ab"),
        {"a": 1, "b": 2}.keys(),
        np.array(["a", "b"]),
        pd.Series(["a", "b"]),
        pa.array(["a", "b"]),
    ],
)
def test_what_has_an_order_becomes_a_list_of_python_s_own_values(values: Any) -> None:
    assert unsequenced(values) is None
    found = in_order(values)
    assert found == ["a", "b"]
    assert {type(value) for value in found} == {str}


def test_a_message_shows_the_beginning_of_a_long_value_on_one_line() -> None:
    assert shown("a\nb") == "'a\\nb'"
    assert len(shown("x" * 78)) == 80
    assert shown("x" * 79) == "'" + "x" * 76 + "..."


# Fields that declare settings.


@dataclass(frozen=True, kw_only=True)
class Run:
    """Settings that others hold."""

    jobs: int = setting("-j", "--jobs", default=1, description="Threads.")
    plain: int = 2
    quiet: bool = flag(description="Say nothing.")

    def problems(self, given: Collection[str]) -> Iterator[str]:
        if self.quiet and self.jobs > 4:
            yield f"too many threads to be quiet, {', '.join(given)}"


@dataclass(frozen=True, kw_only=True)
class Kept:
    """Settings with everything."""

    paths: tuple[InputFile, ...] = argument(metavar="PATHS")
    gold: InputFile | None = setting(default=None, description="Gold.")
    output: OutputFile | None = setting("-o", "--output", default=None, description="Where.")
    append: bool = flag(needs="output", description="Add to it.")
    pair: tuple[str, str] | None = setting(default=None, description="Two.")
    names: dict[str, str] = field(default_factory=dict)
    run: Run = mixed(Run, jobs="Workers.")


def test_a_setting_is_a_field_with_its_default() -> None:
    assert (Run(), Run(jobs=3).jobs) == (Run(jobs=1, plain=2, quiet=False), 3)


def test_only_fields_that_are_settings_are_declared_with_those_that_they_hold() -> None:
    known = declared(Kept)
    assert [*known] == ["paths", "gold", "output", "append", "pair", "jobs", "quiet"]
    assert [each.flags for each in known.values()] == [
        (), ("--gold",), ("-o", "--output"), ("--append",), ("--pair",), ("-j", "--jobs"), ("--quiet",)
    ]  # fmt: skip
    assert [each.called for each in known.values()][:3] == ["PATHS", "--gold", "--output"]
    assert known["jobs"].path == ("run", "jobs")
    assert known["jobs"].spelling.description == "Workers."
    assert (known["paths"].default, known["jobs"].default) == (MISSING, 1)


def test_a_type_says_how_often_a_value_is_given_and_what_it_names() -> None:
    known = declared(Kept)
    assert [name for name, each in known.items() if each.several] == ["paths"]
    assert [name for name, each in known.items() if each.pair] == ["pair"]
    assert (known["gold"].use, known["output"].use) == (FileUse.READ, FileUse.WRITTEN)
    assert {known[name].kind for name in ("paths", "gold", "pair")} == {str}


def test_settings_are_left_out_of_a_mix_by_their_names() -> None:
    @dataclass(frozen=True)
    class Outer:
        run: Run = mixed(Run, without=("quiet",))

    assert [*_names(Outer)] == ["jobs"]


def test_a_setting_like_another_keeps_what_is_not_changed() -> None:
    @dataclass(frozen=True)
    class Own:
        jobs: int = like(Run, "jobs", default=3, description="Others.")

    (own,) = declared(Own).values()
    assert (own.flags, own.default, own.spelling.description) == (("-j", "--jobs"), 3, "Others.")
    assert Own().jobs == 3


def test_values_reach_the_settings_that_declare_them() -> None:
    found = from_values(Kept, {"paths": ("a",), "jobs": 2, "quiet": True})
    assert found == Kept(paths=("a",), run=Run(jobs=2, quiet=True))


def test_what_has_no_name_here_is_refused_with_those_that_have() -> None:
    with pytest.raises(OptionError, match="there is no option 'job'; the options are: paths, "):
        from_values(Kept, {"job": 1})


def test_everything_that_is_wrong_across_fields_is_told_at_once() -> None:
    with pytest.raises(OptionError) as raised:
        from_values(Kept, {"paths": ("-",), "gold": "-", "append": True, "jobs": 9, "quiet": True})
    assert [str(raised.value), *raised.value.__notes__] == [
        "--append goes with --output FILE",
        "only one input can come from standard input",
        "too many threads to be quiet, paths, gold, append, jobs, quiet",
    ]


@pytest.mark.parametrize("paths", [("-", "-"), ("-::a", "-"), ("-::-",)])
def test_one_input_comes_from_standard_input(paths: tuple[str, ...]) -> None:
    with pytest.raises(OptionError, match="only one input can come from standard input"):
        from_values(Kept, {"paths": paths})


def test_inputs_are_the_files_that_are_read_and_not_their_parts() -> None:
    found = from_values(Kept, {"paths": ("-", "a.tsv#x", "b::c"), "gold": "d", "output": "e"})
    assert input_files(found) == ["a.tsv#x", "a.tsv", "b::c", "b", "c", "d"]


def _names(kind: type) -> list[str]:
    return [*declared(kind)]

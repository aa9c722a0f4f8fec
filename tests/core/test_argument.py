"""Arguments are checked against annotations, and told what would be right."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kilter.core.errors import OptionError
from kilter.core.settings import Choice, checked, checked_value


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

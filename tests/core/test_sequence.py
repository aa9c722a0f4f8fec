"""Values one after another, whatever they come in."""

from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from kilter.core.settings import in_order, shown, unsequenced


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

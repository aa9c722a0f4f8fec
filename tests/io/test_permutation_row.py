"""Rows of tables that are permutations, whatever the table is."""

from typing import Any

import numpy as np
import pytest

from kilter.core.errors import InputError
from kilter.io.permutation import checked_rows, chosen_name, from_zero


@pytest.mark.parametrize(
    ("names", "lists", "wanted", "found"),
    [
        (["a", "permutation"], ["a", "permutation"], None, "permutation"),
        (["a", "b"], ["b"], None, "b"),
        (["a", "b"], ["b"], "a", "a"),
        (["A", "b"], [], "a", "A"),
        (["A", "a"], [], "a", "a"),
    ],
)
def test_the_column_is_the_one_that_is_wanted_or_cannot_be_another(
    names: list[str], lists: list[str], wanted: str | None, found: str
) -> None:
    assert chosen_name(names, lists, wanted, noun="column", where="t") == found


def test_two_columns_of_one_name_leave_no_choice() -> None:
    twice = ["permutation", "permutation"]
    with pytest.raises(InputError, match="t: has several fields 'permutation'; its fields are"):
        chosen_name(twice, twice, None, noun="field", where="t")


@pytest.mark.parametrize("base", [0, 1])
def test_good_rows_stay_and_bad_ones_say_why(base: int) -> None:
    rows: list[Any] = [[1, 0], None, [0, 0], [], [0, 2], [0]]
    given = [row and [value + base for value in row] for row in rows]
    flat = np.array([value for row in given if row for value in row], dtype=np.int64)
    lengths = [len(row or []) for row in rows]
    block = checked_rows(
        from_zero(flat, base),
        np.array([0, *np.cumsum(lengths)], dtype=np.int64),
        lines=np.arange(11, 17),
        given=given.__getitem__,
        base=base,
        jobs=1,
        there=np.array([row is not None for row in rows]),
    )
    assert [block.batch[place].tolist() for place in range(3)] == [[1, 0], [], [0]]
    assert block.lines.tolist() == [11, 14, 16]
    first, second = ("position 1", "position 2") if base else ("index 0", "index 1")
    assert [(bad.line, bad.reason.split(";")[0]) for bad in block.bad] == [
        (12, "the row is null"),
        (13, f"{base} at {second} stands already at {first}"),
        (15, f"{2 + base} at {second} is out of range"),
    ]

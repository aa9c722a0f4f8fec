"""Texts and tables in the columns of a terminal."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.markup import text_table, text_width, wrapped


@pytest.mark.parametrize("cells", [[("猫", "1"), ("cat", "22")], [("e\u0301", "1"), ("cat", "22")]])
def test_columns_of_a_table_end_below_one_another(cells: list[tuple[str, str]]) -> None:
    widths = {text_width(line) for line in text_table(cells, numbers={1})}
    assert widths == {7}


@given(st.lists(st.sampled_from(["a", "bcd", "猫", "efghijk"]), min_size=1), st.integers(7, 30))
def test_lines_are_no_wider_than_asked_and_lose_no_word(words: list[str], width: int) -> None:
    lines = wrapped(" ".join(words), width)
    assert " ".join(lines).split() == words
    assert all(text_width(line) <= width for line in lines)
    for line, following in pairwise(lines):
        assert text_width(line) + 1 + text_width(following.split()[0]) > width


def test_the_widest_column_gives_room_first() -> None:
    row = ("number", "a text of some words", "a text that has a good deal more of them", "1")
    assert text_table([row], numbers={3}, width=60) == [
        "number  a text of some words  a text that has a good deal  1",
        "                              more of them",
    ]


def test_a_table_that_fits_breaks_nothing() -> None:
    rows = [("a", "b c d"), ("e", "f")]
    assert text_table(rows, numbers=(), width=8) == ["a  b c d", "e  f"]

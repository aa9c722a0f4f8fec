"""Dependency trees drawn in characters can be read back."""

import pytest
from hypothesis import given

from kilter.core.dependency_tree import DependencyTree
from tests import strategies
from tests.golden.test_tree_examples import BECOMING
from tests.thorough import examples


def test_the_tree_of_the_thesis_is_drawn() -> None:
    assert BECOMING.draw().splitlines() == [
        "   ┌──── DET    the",
        " ┌─●──── NSUBJ  detective",
        " ├────── AUX    is",
        "─●────── root   becoming",
        " │   ┌── DET    a",
        " │ ┌─●── CMP    Sherlock",
        " └─●──── DOBJ   Holmes",
    ]


def test_lines_that_only_cross_make_a_plus_sign() -> None:
    tree = DependencyTree([*"abcd"], [2, 3, -1, 2], labels=[*"xyrz"])
    assert tree.draw().splitlines() == [
        " ┌──── x  a",
        " │ ┌── y  b",
        "─●─┼── r  c",
        " └─●── z  d",
    ]


def heads_read(drawn: str) -> list[int]:
    """Return the heads of a drawing: from the left end of a word's line along its column to a dot."""
    rows = drawn.splitlines()
    heads = []
    for place, row in enumerate(rows):
        start = next(at for at, sign in enumerate(row) if sign in "┌├└─")
        # Lines of other heads may pass on the left; a word's own line begins with a corner or at the margin.
        starts = [at for at, sign in enumerate(row) if sign in "┌├└"]
        if not starts:
            assert start == 0
            heads.append(-1)
            continue
        column = starts[0]
        step = -1 if row[column] == "└" else 1
        found = _follow(rows, place, column, step)
        if found is None:
            found = _follow(rows, place, column, -step)
        assert found is not None
        heads.append(found)
    return heads


def _follow(rows: list[str], place: int, column: int, step: int) -> int | None:
    at = place + step
    while 0 <= at < len(rows) and rows[at][column] in "├│┼┌└●":
        if rows[at][column] == "●":
            return at
        if rows[at][column] == (
            "└" if step > 0 else "┌"
        ):  # where a line ends that comes from there
            return None
        at += step
    return None


@examples(200)
@given(strategies.dependency_trees(max_size=25))
def test_the_tree_is_read_back_from_its_drawing(tree: DependencyTree) -> None:
    named = DependencyTree(
        [f"w{place}" for place in range(len(tree))], tree.heads, labels=["r"] * len(tree)
    )
    if not len(tree):
        assert named.draw() == "(no words)"
        return
    drawn = named.draw()
    assert [line.split()[-1] for line in drawn.splitlines()] == list(named.words)
    assert heads_read(drawn) == list(tree.heads)


@pytest.mark.parametrize("word", ["日本語", "שלום", "a\u0301"])
def test_words_of_any_script_stand_last_and_shift_nothing(word: str) -> None:
    drawn = DependencyTree([word, "b"], [1, -1], labels=["nsubj", "root"]).draw()
    assert drawn.splitlines() == [f" ┌── nsubj  {word}", "─●── root   b"]

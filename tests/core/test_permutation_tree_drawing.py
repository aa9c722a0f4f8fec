"""Trees drawn in characters."""

import pytest
from hypothesis import given

from kilter import Permutation
from kilter.core.permutation_tree import outline
from tests import strategies
from tests.shapes import wedge


def test_a_small_tree_is_drawn_over_its_diagram() -> None:
    drawn = Permutation.from_one_based([2, 4, 5, 6, 1, 3]).tree().draw()
    assert drawn.splitlines() == [
        "         2413",
        "     ┌───┬┴──┬─┐",
        "     │  2x12 │ │",
        "     │ ┌─┼─┐ │ │",
        "     2 4 5 6 1 3",
        "",
        "6 │  · · · ● · ·",
        "5 │  · · ● · · ·",
        "4 │  · ● · · · ·",
        "3 │  · · · · · ●",
        "2 │  ● · · · · ·",
        "1 │  · · · · ● ·",
    ]


def _reads_like(drawn: str, values: list[int]) -> bool:
    """Return whether the row of leaves holds the values and the diagram a dot for each."""
    tree, _, diagram = drawn.partition("\n\n")
    rows = diagram.splitlines()
    leaves = tree.splitlines()[-1].split()
    dots = {int(row.split("│")[0]): row.index("●") for row in rows}
    columns = sorted(dots.values())
    return leaves == list(map(str, values)) and [
        columns.index(dots[value]) for value in values
    ] == list(range(len(values)))


@given(strategies.permutations(1, 40))
def test_leaves_and_dots_stand_in_order(values: list[int]) -> None:
    drawn = Permutation(values).tree().draw()
    assert _reads_like(drawn, [value + 1 for value in values])
    assert not any(line != line.rstrip() for line in drawn.splitlines())


@given(strategies.permutations(2, 40))
def test_every_operator_is_in_the_picture(values: list[int]) -> None:
    tree = Permutation(values).tree()
    picture = tree.draw().partition("\n\n")[0]
    for node in tree.nodes():
        if node.operator:
            assert tree.operator_label(node.index) in picture


def test_labels_are_short() -> None:
    assert Permutation.identity(2).tree().operator_label(0) == "12"
    assert Permutation.identity(5).tree().operator_label(0) == "4x12"
    assert Permutation.reversal(5).tree().operator_label(0) == "4x21"
    assert Permutation.identity(5).tree().binary().operator_label(0) == "12"
    assert Permutation.from_one_based([2, 4, 1, 3]).tree().operator_label(0) == "2413"
    ten = Permutation([1, 3, 5, 7, 9, 0, 2, 4, 6, 8])
    assert ten.tree().operator_label(0) == "2,4,6,8,10,1,3,5,7,9"


def test_no_words_are_said_to_be_none() -> None:
    assert Permutation([]).tree().draw() == "(empty permutation)"


def test_more_than_forty_elements_are_an_outline() -> None:
    values = [*range(20), *range(41, 19, -1)]
    drawn = Permutation(values).tree().draw()
    assert drawn.splitlines() == [
        "20x12 1-42",
        f"├─ {' '.join(map(str, range(1, 21)))}",
        "└─ 21x21 21-42",
        f"   └─ {' '.join(map(str, range(42, 20, -1)))}",
    ]


def test_an_outline_draws_lines_past_open_nodes() -> None:
    tree = Permutation.from_one_based([2, 1, 3, 5, 4]).tree()
    assert outline(tree).splitlines() == [
        "2x12 1-5",
        "├─ 21 1-2",
        "│  └─ 2 1",
        "├─ 3",
        "└─ 21 4-5",
        "   └─ 5 4",
    ]


@pytest.mark.parametrize("length", [41, 2000])
def test_deep_trees_are_outlined_without_recursion(length: int) -> None:
    drawn = Permutation(wedge(length)).tree().draw()
    # A line for each node and for each run of leaves: the innermost node has two of them.
    assert len(drawn.splitlines()) == 2 * length - 2


def test_a_binary_tree_is_drawn_with_binary_nodes() -> None:
    tree = Permutation.identity(3).tree()
    assert tree.draw().partition("\n\n")[0].count("12") == 1
    assert tree.binary().draw().partition("\n\n")[0].count("12") == 2


def test_an_outline_over_words_has_each_word_with_its_value() -> None:
    tree = Permutation.from_one_based([3, 1, 2]).tree()
    assert outline(tree, ["c", "a", "b"]).splitlines() == [
        "21 1-3",
        "├─ c 3",
        "└─ 12 2-3",
        "   └─ a 1, b 2",
    ]

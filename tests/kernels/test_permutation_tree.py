"""The flattened tree: equal to the oracle's when small, well-formed at any size and depth."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from numpy.typing import NDArray

from kilter import _core
from tests import strategies
from tests.arrays import all_up_to, one_based, zero_based
from tests.oracles import permutation as oracle
from tests.shapes import SHAPES
from tests.thorough import examples, some, tried

LEAF, MONOTONE, INVERTED, PRIME = range(4)


def tree_of(values: Any) -> tuple[NDArray[np.int32], ...]:
    return _core.tree(np.ascontiguousarray(values, dtype=np.int32))


def nested(values: Any) -> oracle.FlatTree:
    """Return the kernel's arrays as the oracle's nested tuples, from the last node to the first."""
    kind, start, _, low, children, _, following = (c.tolist() for c in tree_of(values))
    built: list[oracle.FlatTree] = [0] * len(kind)
    for node in range(len(kind) - 1, -1, -1):
        if kind[node] == LEAF:
            assert low[node] == values[start[node]]
            built[node] = low[node] + 1
            continue
        inside = [node + 1]
        while len(inside) < children[node]:
            inside.append(following[inside[-1]])
        below = tuple(built[child] for child in inside)
        if kind[node] == PRIME:
            order = sorted(low[child] for child in inside)
            built[node] = (tuple(order.index(low[c]) + 1 for c in inside), 1, below)
        else:
            operator = (1, 2) if kind[node] == MONOTONE else (2, 1)
            built[node] = (operator, children[node] - 1, below)
    return built[0]


def test_trees_of_all_short_permutations_are_the_oracles() -> None:
    for pi in all_up_to(tried(7, quick=5)):
        assert nested(zero_based(pi)) == oracle.flat_tree(pi)


@examples(60)
@given(strategies.permutations(8, 24))
def test_trees_of_longer_permutations_are_the_oracles(values: list[int]) -> None:
    assert nested(values) == oracle.flat_tree(one_based(values))


def test_no_words_have_an_empty_tree() -> None:
    assert [column.size for column in tree_of([])] == [0] * 7


@pytest.mark.parametrize(
    "length", some([64, 65, 1000, 100_000, 1_000_000], quick=[64, 65, 1000, 100_000])
)
@pytest.mark.parametrize("shape", SHAPES)
def test_trees_of_nasty_shapes_are_well_formed(shape: str, length: int) -> None:
    values = SHAPES[shape](length)
    check_structure(values, *tree_of(values))


def check_structure(
    values: NDArray[np.int32],
    kind: NDArray[np.int32],
    start: NDArray[np.int32],
    end: NDArray[np.int32],
    low: NDArray[np.int32],
    children: NDArray[np.int32],
    parent: NDArray[np.int32],
    following: NDArray[np.int32],
) -> None:
    """Check all that makes it the one flattened tree, except that primal operators are primal."""
    nodes, length = np.arange(len(kind)), len(values)
    leaf = kind == LEAF
    # Leaves stand in order, each over its own word; the root is over all of them.
    assert np.array_equal(start[leaf], np.arange(length))
    assert np.array_equal(low[leaf], values)
    assert np.array_equal(end[leaf], start[leaf] + 1)
    assert (int(start[0]), int(end[0]), int(low[0]), int(parent[0])) == (0, length, 0, -1)
    # Sizes of operators add up, whatever the shape.
    linear = (kind == MONOTONE) | (kind == INVERTED)
    assert int((children[linear] - 1).sum() + (children[kind == PRIME] - 1).sum()) == length - 1
    assert (children[linear] >= 2).all()
    assert (children[kind == PRIME] >= 4).all()
    assert (children[leaf] == 0).all()
    # Preorder: a parent stands before its children, and `next` ends a subtree.
    assert (parent[1:] < nodes[1:]).all()
    assert np.array_equal(np.bincount(parent[1:], minlength=len(kind)), children)
    assert (following > nodes).all()
    assert (following[1:] <= following[parent[1:]]).all()
    leaves_before = np.concatenate([[0], np.cumsum(leaf)])
    assert np.array_equal(leaves_before[following] - leaves_before[:-1], end - start)
    # Every span is an interval of values.
    lowest, highest = node_extremes(values, start, end)
    assert np.array_equal(lowest, low)
    assert np.array_equal(highest - lowest, end - start - 1)
    # Siblings in a linear node follow one another in value, and never repeat its kind.
    child = nodes[1:]
    assert not (linear[parent[1:]] & (kind[child] == kind[parent[1:]])).any()
    later = child[start[child] > start[parent[child]]]
    # The left neighbour of a child ends where it starts: the last node before it, of its parent.
    same_parent = np.lexsort((start[child], parent[child]))
    ordered = child[same_parent]
    neighbours = parent[ordered[1:]] == parent[ordered[:-1]]
    left, right = ordered[:-1][neighbours], ordered[1:][neighbours]
    assert len(right) == len(later)
    assert np.array_equal(end[left], start[right])
    above = low[right] == low[left] + end[left] - start[left]
    under = low[left] == low[right] + end[right] - start[right]
    assert above[kind[parent[right]] == MONOTONE].all()
    assert under[kind[parent[right]] == INVERTED].all()
    assert not (above | under)[kind[parent[right]] == PRIME].any()


def node_extremes(
    values: NDArray[np.int32], start: NDArray[np.int32], end: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the least and the greatest value of every span, from tables of doubling lengths."""
    lowest, highest = np.empty_like(start), np.empty_like(start)
    least, greatest, width = values, values, 1
    while width <= len(values):
        covered = (end - start >= width) & (end - start < 2 * width)
        first, last = start[covered], end[covered] - width
        lowest[covered] = np.minimum(least[first], least[last])
        highest[covered] = np.maximum(greatest[first], greatest[last])
        least = np.minimum(least[:-width], least[width:])
        greatest = np.maximum(greatest[:-width], greatest[width:])
        width *= 2
    return lowest, highest


@pytest.mark.parametrize("shape", ["odds_before_evens", "zipped_halves", "nested_primes", "wedge"])
def test_prime_nodes_of_nasty_shapes_have_primal_operators(shape: str) -> None:
    values = SHAPES[shape](61)
    assert nested(values.tolist()) == oracle.flat_tree(one_based(values))


def test_widths_are_those_of_linear_nodes_with_choices() -> None:
    widths = _core.linear_widths(np.array([4, 3, 2, 5, 6, 7, 8, 1, 0], dtype=np.int32))
    assert sorted(widths.tolist()) == [3, 3, 5]


def widths_by_oracle(pi: list[int]) -> list[int]:
    found: list[int] = []

    def visit(tree: oracle.FlatTree) -> None:
        if not isinstance(tree, int):
            operator, merged, below = tree
            if len(operator) == 2 and merged > 1:
                found.append(merged + 1)
            for child in below:
                visit(child)

    visit(oracle.flat_tree(pi))
    return sorted(found)


@examples(60)
@given(strategies.permutations(1, 20))
def test_widths_and_logarithm_give_the_number_of_trees(values: list[int]) -> None:
    array = np.array(values, dtype=np.int32)
    pi = list(one_based(values))
    assert sorted(_core.linear_widths(array).tolist()) == widths_by_oracle(pi)
    trees = oracle.tree_count(pi)
    assert np.exp(_core.log_tree_count(array)) == pytest.approx(trees, rel=1e-9)


def test_siblings_of_a_deep_tree_are_found_without_recursion() -> None:
    kind, start, end, *_ = tree_of(SHAPES["wedge"](1_000_000))
    spans = (end - start)[kind != LEAF].tolist()
    assert len(spans) == 999_999
    assert all(inner == outer - 1 for outer, inner in pairwise(spans))

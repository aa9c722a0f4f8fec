"""Factorizations as trees: all of them, none twice, counted without listing them."""

from math import prod

import pytest
from hypothesis import given

from kilter import Permutation
from kilter.core.permutation_factorization import (
    chain_tree_counts,
    factorization_tree,
    operators,
    permutation_trees,
    weak_factorization_count,
    weak_factorizations,
)
from kilter.core.permutation_tree import PermutationTree
from kilter.io.permutation_tree import PermutationTreeFormat, write_tree
from tests import strategies
from tests.arrays import all_up_to
from tests.oracles import permutation as oracle
from tests.thorough import examples, tried


def inner_spans(tree: PermutationTree) -> frozenset[tuple[int, int]]:
    return frozenset((node.start, node.end) for node in tree.nodes() if node.children)


def same(first: PermutationTree, second: PermutationTree) -> bool:
    names = ("kind", "start", "end", "low", "children", "parent", "next")
    return all(getattr(first, k).tolist() == getattr(second, k).tolist() for k in names)


def test_all_permutation_trees_up_to_length_six_are_the_oracles() -> None:
    for pi in all_up_to(tried(6, quick=5)):
        permutation = Permutation.from_one_based(pi)
        found = [inner_spans(tree) for tree in permutation_trees(permutation)]
        assert len(found) == len(set(found)) == permutation.tree().tree_count()
        if len(pi) > 1:
            assert set(found) == {oracle.tree_spans(tree) for tree in oracle.all_trees(pi)}


@examples(40)
@given(strategies.permutations(1, 9))
def test_the_first_tree_is_left_branching_and_the_last_right_branching(values: list[int]) -> None:
    permutation = Permutation(values)
    found = list(permutation_trees(permutation))
    assert same(found[0], permutation.tree().binary("left"))
    assert same(found[-1], permutation.tree().binary("right"))


def test_weak_factorizations_are_counted_without_listing_them() -> None:
    for pi in [(), *all_up_to(tried(6, quick=5))]:
        permutation = Permutation.from_one_based(pi)
        assert weak_factorization_count(permutation) == len(list(weak_factorizations(permutation)))
    schroeder = [1, 1, 3, 11, 45, 197, 903, 4279, 20793, 103049]
    assert [weak_factorization_count(Permutation.identity(n)) for n in range(1, 11)] == schroeder
    assert len(str(weak_factorization_count(Permutation.identity(2000)))) > 1500


def test_trees_of_weak_factorizations_have_their_spans_and_operators() -> None:
    for pi in all_up_to(5):
        permutation = Permutation.from_one_based(pi)
        for spans in weak_factorizations(permutation):
            tree = factorization_tree(permutation, spans)
            assert inner_spans(tree) == spans
            listed = [node.operator for node in tree.nodes() if node.children]
            assert sorted(listed) == operators(permutation, spans)
            leaves = [node.low + 1 for node in tree.nodes() if not node.children]
            assert leaves == list(pi)


@pytest.mark.parametrize(
    ("spans", "text"),
    [
        ([(0, 4)], "<1,2,4,3>[1, 2, 4, 3]"),
        ([(0, 4), (0, 2)], "<1,3,2>[<1,2>[1, 2], 4, 3]"),
        ([(0, 4), (1, 4), (2, 4)], "<1,2>[1, <1,2>[2, <2,1>[4, 3]]]"),
    ],
)
def test_a_node_that_could_be_cut_further_shows_its_operator(
    spans: list[tuple[int, int]], text: str
) -> None:
    tree = factorization_tree(Permutation.from_one_based([1, 2, 4, 3]), spans)
    assert write_tree(tree, PermutationTreeFormat.BRACKETED) == text
    assert tree.draw()


def test_every_permutation_tree_becomes_every_other_one() -> None:
    for pi in all_up_to(tried(6, quick=5)):
        permutation = Permutation.from_one_based(pi)
        count = permutation.tree().tree_count()
        for tree in permutation_trees(permutation):
            assert prod(chain_tree_counts(tree)) == count
        whole = factorization_tree(permutation, [(0, len(pi))])
        assert prod(chain_tree_counts(whole)) == 1

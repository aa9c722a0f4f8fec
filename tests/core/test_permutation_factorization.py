"""Factorizations as trees: all of them, none twice, counted without listing them."""

from collections.abc import Callable, Sequence
from math import prod

import pytest
from hypothesis import given

from kilter import Permutation
from kilter.core.permutation_factorization import (
    chain_tree_counts,
    check_tightness,
    factorization_tree,
    is_semi_tight_for,
    is_tight_for,
    operators,
    permutation_trees,
    sub_permutations,
    weak_factorization_count,
    weak_factorizations,
)
from kilter.core.permutation_tree import Operator, PermutationTree
from kilter.io.permutation_tree import PermutationTreeFormat, write_tree
from tests import strategies
from tests.arrays import all_up_to
from tests.golden import Case, cases
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


# Weak factorizations, tightness, and the false claims about it (M8).


def average_operator_length(listed: Sequence[Operator]) -> float:
    return sum(map(len, listed)) / len(listed) if listed else 0.0


def longest_operator(listed: Sequence[Operator]) -> float:
    return max(map(len, listed), default=0)


def non_binary_nodes(listed: Sequence[Operator]) -> float:
    return sum(len(operator) > 2 for operator in listed)


def minus_node_count(listed: Sequence[Operator]) -> float:
    return -len(listed)


COMPLEXITIES: dict[str, Callable[[Sequence[Operator]], float]] = {
    "average_operator_length": average_operator_length,
    "longest_operator": longest_operator,
    "minus_node_count": minus_node_count,
    "non_binary_nodes": non_binary_nodes,
}


@pytest.mark.parametrize("case", cases("weak_factorizations"), ids=lambda case: str(case["pi"]))
def test_weak_factorizations_of_the_vectors_are_reproduced(case: Case) -> None:
    permutation = Permutation.from_one_based(case["pi"])
    found = list(weak_factorizations(permutation))
    assert len(found) == len(set(found)) == case["weak_factorizations"]
    assert permutation.tree().tree_count() == case["pets"]
    assert case["tight"] == {k: is_tight_for(permutation, c) for k, c in COMPLEXITIES.items()}
    assert case["semi_tight"] == {
        k: is_semi_tight_for(permutation, c) for k, c in COMPLEXITIES.items()
    }


def test_factorizations_and_operators_up_to_length_five_are_the_oracles() -> None:
    for pi in all_up_to(5):
        permutation = Permutation.from_one_based(pi)
        found = {spans: operators(permutation, spans) for spans in weak_factorizations(permutation)}
        assert found == {
            spans: oracle.factorization_operators(pi, spans)
            for spans in oracle.weak_factorizations(pi)
        }


def test_sub_permutations_up_to_length_six_are_the_oracles() -> None:
    for pi in all_up_to(6):
        expected = {span for span in oracle.sub_permutations(pi) if span[1] - span[0] > 1}
        assert set(sub_permutations(Permutation.from_one_based(pi))) == expected
    assert (2, 4) not in sub_permutations(Permutation.from_one_based([1, 2, 3, 5, 4]))


def test_the_largest_factorizations_are_the_trees() -> None:
    for pi in all_up_to(5, start=2):
        found = list(weak_factorizations(Permutation.from_one_based(pi)))
        largest = {spans for spans in found if not any(spans < other for other in found)}
        assert largest == {oracle.tree_spans(tree) for tree in oracle.all_trees(pi)}


def test_average_length_and_number_of_nodes_are_tight() -> None:
    for complexity in (average_operator_length, minus_node_count):
        report = check_tightness(complexity, longest=5)
        assert report.is_tight
        assert report.is_semi_tight
        assert report.permutations == 6 + 22 + 114
        assert (report.first_not_tight, report.first_not_semi_tight) == (None, None)


def test_the_longest_operator_is_semi_tight_and_not_tight() -> None:
    report = check_tightness(longest_operator, longest=5)
    assert report.is_semi_tight
    assert not report.is_tight
    assert report.first_not_tight is not None
    assert not is_tight_for(report.first_not_tight, longest_operator)


def test_a_false_claim_of_the_papers_m8a_non_binary_nodes_are_not_semi_tight() -> None:
    assert not is_semi_tight_for(Permutation.from_one_based([2, 4, 5, 6, 1, 3]), non_binary_nodes)
    shorter = check_tightness(non_binary_nodes, longest=4)
    report = check_tightness(non_binary_nodes, longest=5)
    failures = report.permutations - report.semi_tight
    assert failures - (shorter.permutations - shorter.semi_tight) == 110
    assert report.permutations - shorter.permutations == 114
    assert not report.is_semi_tight
    permutation = Permutation.from_one_based([2, 4, 5, 6, 1, 3])
    values = [
        non_binary_nodes(operators(permutation, frozenset(spans)))
        for spans in ([(0, 6)], [(0, 6), (1, 4)])
    ]
    assert values == [1, 2]


def test_a_false_claim_of_the_papers_m8b_not_every_ground_metric_averages_to_a_tight_one() -> None:
    def constant(listed: Sequence[Operator]) -> float:
        return sum(1 for _ in listed) / len(listed)

    def saturating(listed: Sequence[Operator]) -> float:
        return sum(1 if len(operator) == 2 else 10 for operator in listed) / len(listed)

    assert not is_tight_for(Permutation.identity(5), saturating)
    assert not is_semi_tight_for(Permutation.identity(3), constant)
    assert check_tightness(constant, longest=4).tight == 0


@pytest.mark.parametrize("values", [[], [1], [2, 1], [2, 4, 1, 3]])
def test_what_cannot_be_factorized_is_tight_by_definition(values: list[int]) -> None:
    permutation = Permutation.from_one_based(values)
    assert is_tight_for(permutation, non_binary_nodes)
    assert is_semi_tight_for(permutation, non_binary_nodes)


def test_complexities_of_no_operator_are_zero() -> None:
    assert [complexity([]) for complexity in COMPLEXITIES.values()] == [0, 0, 0, 0]

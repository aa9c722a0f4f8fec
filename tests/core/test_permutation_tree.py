"""Flattened and binary permutation trees against the vectors, the oracle and their laws."""

import math
import sys
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter import Permutation, PermutationTree
from kilter.core.errors import OptionError
from kilter.core.permutation_batch import Branching
from kilter.core.permutation_tree import Kind, tree_count, tree_count_digits
from kilter.metrics.pef import pef
from kilter.metrics.pet import pet
from tests import shapes, strategies
from tests.arrays import all_up_to, one_based
from tests.golden import Case, cases
from tests.oracles import permutation as oracle
from tests.thorough import examples, some, tried
from tests.tolerance import close

PI_A, PI_B = (6, 1, 4, 2, 3, 5), (6, 1, 5, 2, 3, 4)
PI_C, SEVEN = (2, 4, 5, 6, 1, 3), (5, 7, 4, 6, 3, 1, 2)
BECAUSE = (5, 6, 7, 8, 4, 1, 2, 3)


def tree_of(pi: Any) -> PermutationTree:
    return Permutation.from_one_based(pi).tree()


def nested(tree: PermutationTree) -> oracle.Tree:
    """Return a binary tree in the oracle's form: a leaf is its value, a node (operator, children)."""
    built: list[oracle.Tree] = [0] * len(tree)
    for node in reversed(list(tree.nodes())):
        below = tuple(built[child] for child in tree.child_indices(node.index))
        built[node.index] = (node.operator, below) if below else node.low + 1
    return built[0]


def flattened(tree: PermutationTree) -> oracle.FlatTree:
    built: list[oracle.FlatTree] = [0] * len(tree)
    for node in reversed(list(tree.nodes())):
        below = tuple(built[child] for child in tree.child_indices(node.index))
        operator = {Kind.MONOTONE: (1, 2), Kind.INVERTED: (2, 1)}.get(node.kind, node.operator)
        built[node.index] = (operator, node.merged, below) if below else node.low + 1
    return built[0]


def frozen(value: Any) -> Any:
    return tuple(map(frozen, value)) if isinstance(value, list) else value


@pytest.mark.parametrize("case", cases("forests"), ids=lambda case: str(case["pi"]))
def test_trees_of_the_vectors_are_reproduced(case: Case) -> None:
    tree = tree_of(case["pi"])
    assert flattened(tree) == frozen(case["flat"])
    assert nested(tree.binary(Branching.LEFT)) == frozen(case["left"])
    assert nested(tree.binary("right")) == frozen(case["right"])


def test_binary_trees_of_all_permutations_up_to_length_six_are_the_oracles() -> None:
    for pi in all_up_to(6):
        tree = tree_of(pi)
        assert nested(tree.binary()) == oracle.left_tree(pi)
        assert nested(tree.binary(Branching.RIGHT)) == oracle.right_tree(pi)
        assert tree.operators() == sorted(oracle.operators(pi))


@pytest.mark.parametrize(
    ("found", "printed"),
    [
        (tree_of(PI_A).longest_operator, 2),
        (tree_of(PI_A).operators().count((2, 1)), 2),
        (tree_of(PI_B).longest_operator, 2),
        (tree_of(PI_B).operators().count((2, 1)), 2),
        (tree_of(PI_C).operator(0), (2, 4, 1, 3)),
        (tree_of((4, 2, 3, 1)).arity, 2),
        (tree_of(PI_C).arity, 4),
        (next(tree_of((4, 3, 2, 1)).nodes()).merged, 3),
        (tree_of(SEVEN).arity, 2),
        (tree_of((2, 4, 1, 3)).arity, 4),
        (tree_of(BECAUSE).tree_count(), 20),
    ],
)
def test_numbers_printed_in_the_papers_are_reproduced(found: object, printed: object) -> None:
    assert found == printed


def test_trees_printed_in_the_papers_are_reproduced() -> None:
    rows = {row["id"]: row["printed"] for row in cases("worked_examples")}
    assert str(nested(tree_of(SEVEN).binary("left"))) == rows["PEF-fig3"]
    assert str(nested(tree_of(PI_C).binary("right"))) == rows["PEF-fig1"]


@given(strategies.permutations(1, 60))
def test_law_4_operators_and_tree_counts_fit_the_flattened_tree(values: list[int]) -> None:
    tree = Permutation(values).tree()
    assert sum(len(operator) - 1 for operator in tree.operators()) == len(values) - 1
    linear = [n for n in tree.nodes() if n.kind in (Kind.MONOTONE, Kind.INVERTED)]
    product = 1
    for node in linear:
        product *= oracle.catalan(node.children - 1)
    assert tree.tree_count() == product
    if len(values) >= 3:
        choices = any(node.children >= 3 for node in linear)
        assert (Permutation(values).pet_count() > 0) == choices


@examples(50)
@given(strategies.permutations(1, 14))
def test_law_5_left_and_right_trees_flatten_to_the_same_tree(values: list[int]) -> None:
    tree = Permutation(values).tree()
    expected = flattened(tree)
    for branching in Branching:
        assert oracle.flatten(nested(tree.binary(branching))) == expected
    assert nested(tree.binary()) == oracle.left_tree(one_based(values))


@given(strategies.permutations(1, 40))
def test_binary_trees_have_the_operators_of_the_flattened_tree(values: list[int]) -> None:
    tree = Permutation(values).tree()
    for branching in Branching:
        binary = tree.binary(branching)
        found = [node.operator for node in binary.nodes() if node.operator]
        assert sorted(found) == tree.operators()
        assert binary.node_count == tree.node_count == len(found)
        assert [n.low for n in binary.nodes() if n.kind is Kind.LEAF] == values


@given(strategies.permutations(2, 30))
def test_nodes_say_what_they_cover(values: list[int]) -> None:
    tree = Permutation(values).tree()
    nodes = list(tree.nodes())
    for node in nodes:
        inside = values[node.start : node.end]
        assert sorted(inside) == list(range(node.low, node.low + len(inside)))
        parent = int(tree.parent[node.index])
        assert node.depth == (nodes[parent].depth + 1 if parent >= 0 else 0)
        assert len(node.operator) == node.children == len(tree.child_indices(node.index))
    assert Counter(n.kind is Kind.LEAF for n in nodes)[True] == len(values)


def test_no_words_have_a_tree_without_nodes() -> None:
    tree = Permutation([]).tree()
    assert (len(tree), tree.node_count, tree.longest_operator, tree.arity) == (0, 0, 0, 0)
    assert (tree.tree_count(), tree.operators(), list(tree.nodes())) == (0, [], [])
    assert tree.average_operator_length == 0.0
    assert len(tree.binary()) == 0
    assert tree.score(lambda _: 1.0) == (0.0, 0.0)


def test_a_single_word_is_a_leaf() -> None:
    tree = Permutation([0]).tree()
    assert (len(tree), tree.node_count, tree.longest_operator, tree.arity) == (1, 0, 0, 1)
    assert (tree.tree_count(), tree.operators(), tree.average_operator_length) == (1, [], 0.0)
    assert nested(tree.binary()) == 1
    assert tree.score(lambda _: 0.0) == (1.0, 1.0)


def test_any_score_of_operators_may_be_plugged_in() -> None:
    def by_length(operator: tuple[int, ...]) -> float:
        return 1 / len(operator)

    def exact(operator: oracle.Permutation) -> Any:
        return Fraction(1, len(operator))

    for pi in all_up_to(5):
        for branching in ("left", "right"):
            found = tree_of(pi).score(by_length, beta=0.25, branching=branching)
            beta = Fraction(1, 4)
            assert found[0] == close(oracle.pef(pi, beta=beta, operator_score=exact))
            assert found[1] == close(
                oracle.pet(
                    pi,
                    beta=beta,
                    branching="left" if branching == "left" else "right",
                    operator_score=exact,
                )
            )


@pytest.mark.parametrize(
    "shape",
    some(["wedge", "nested_primes", "identity", "swapped_pairs"], quick=["wedge", "nested_primes"]),
)
def test_deep_and_wide_trees_are_walked_without_recursion(shape: str) -> None:
    length = tried(100_000, quick=20_000)
    tree = Permutation(shapes.SHAPES[shape](length)).tree()
    binary = tree.binary()
    assert binary.node_count == tree.node_count
    assert int((binary.children[binary.children > 0] - 1).sum()) == length - 1
    assert int(tree.depths().max()) >= {
        "wedge": length - 1,
        "nested_primes": length // 3 - 1,
    }.get(shape, 1)


@pytest.mark.parametrize("score", [None, "0.5", -0.1, 1.5, float("nan"), 10**400, np.ones(2)])
def test_a_score_of_operators_that_is_no_score_is_named(score: Any) -> None:
    permutation = Permutation([1, 0])
    for scored in (pef, pet, lambda it, operator_score: it.tree().score(operator_score)):
        with pytest.raises(OptionError) as raised:
            scored(permutation, operator_score=lambda _: score)
        assert str(raised.value).startswith(f"operator_score gives {score!r:.80} for the operator ")
        assert str(raised.value).endswith("(2, 1); it must give a number from 0 to 1")


def test_a_score_of_operators_may_be_any_kind_of_number() -> None:
    numbers: list[Any] = [1, Fraction(1), np.float32(1), np.array(1.0)]
    left = iter(numbers)
    for _ in numbers:
        assert pef(Permutation([1, 0]), operator_score=lambda _: next(left)) == 1.0


# Exact numbers of trees, however many digits they have.


def naive(widths: list[int]) -> int:
    return math.prod(math.comb(2 * w - 2, w - 1) // w for w in widths)


@given(st.lists(st.integers(1, 60), max_size=6))
def test_the_count_is_the_product_of_catalan_numbers(widths: list[int]) -> None:
    assert tree_count(widths) == naive(widths)
    assert tree_count_digits(widths) == str(naive(widths))


@pytest.mark.parametrize(
    "widths", [[2047], [2048], [2049], [3000, 2, 2500, 2500], [5000] * 2, [6999], [7000], [7001]]
)
def test_prime_factors_give_the_same_count(widths: list[int]) -> None:
    assert tree_count(widths) == naive(widths)


@pytest.mark.parametrize(
    "widths", [[7000], [7001], [4000, 4000, 3], [20000], [2] * 8000, [3] * 9000]
)
def test_digits_go_beyond_what_python_prints(widths: list[int]) -> None:
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        assert tree_count_digits(widths) == str(naive(widths))
    finally:
        sys.set_int_max_str_digits(limit)


def test_no_widths_leave_one_tree() -> None:
    assert (tree_count([]), tree_count_digits([])) == (1, "1")


def test_a_hundred_thousand_words_have_a_number_with_sixty_thousand_digits() -> None:
    digits = tree_count_digits([100_000])
    assert digits.isdigit()
    assert digits[0] != "0"
    # log10 of Catalan(n - 1) by log-gamma
    n = 99_999
    size = (math.lgamma(2 * n + 1) - math.lgamma(n + 1) - math.lgamma(n + 2)) / math.log(10)
    assert len(digits) == math.floor(size) + 1
    assert pow(10, size % 1) == pytest.approx(float(f"{digits[0]}.{digits[1:8]}"), rel=1e-5)

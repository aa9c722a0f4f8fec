"""The oracle of tree edit distance: its two ways agree, and it gives the golden vectors."""

import random

import pytest

from tests.golden import Case, cases
from tests.oracles import tree_edit as oracle
from tests.oracles.tree_edit import Heads, Link
from tests.thorough import some
from tests.tolerance import close
from tests.trees import all_trees, random_links

VARIANTS = ("b", "c", "co")


def test_there_are_as_many_ordered_trees_as_catalan_numbers() -> None:
    assert [len(all_trees(size)) for size in range(1, 8)] == [1, 1, 2, 5, 14, 42, 132]


@pytest.mark.parametrize("size", some(range(1, 6), quick=range(1, 5)))
def test_taking_forests_apart_finds_the_cheapest_mapping_of_small_trees(size: int) -> None:
    chance = random.Random(size)
    for first in all_trees(size):
        for second in [tree for other in range(1, size + 1) for tree in all_trees(other)]:
            check(first, second, random_links(len(first), len(second), chance))


@pytest.mark.parametrize("seed", some(range(100), quick=range(20)))
def test_taking_forests_apart_finds_the_cheapest_mapping_of_larger_trees(seed: int) -> None:
    chance = random.Random(seed)
    first, second = (chance.choice(all_trees(chance.randrange(5, 8))) for _ in range(2))
    check(first, second, random_links(len(first), len(second), chance))


def check(first: Heads, second: Heads, links: list[Link]) -> None:
    listed = list(oracle.mappings(first, second))
    for variant in VARIANTS:
        for node in (False, True):
            price = oracle.prices(variant, links, node=node)
            best = min(oracle.mapping_cost(each, first, second, price) for each in listed)
            assert oracle.distance(first, second, price) == best


@pytest.mark.parametrize("seed", range(60))
def test_binarising_with_epsilon_nodes_changes_no_distance(seed: int) -> None:
    chance = random.Random(seed)
    first, second = (chance.choice(all_trees(chance.randrange(1, 7))) for _ in range(2))
    links = random_links(len(first), len(second), chance)
    for variant in VARIANTS:
        price = oracle.prices(variant, links)
        expected = oracle.distance(first, second, price)
        assert oracle.binarised_distance(first, second, price) == expected


def test_a_binarised_tree_has_no_more_than_two_children_at_a_node() -> None:
    heads, epsilon = oracle.binarised([-1, 0, 0, 0, 0])
    assert max(map(len, oracle.children(heads).values())) == 2
    assert len(epsilon) == 2


@pytest.mark.parametrize("case", cases("dted"), ids=lambda case: case["note"] or "random")
def test_the_golden_vectors_come_out(case: Case) -> None:
    first, second = case["hyp_heads"], case["ref_heads"]
    links = [(one, other) for one, other in case["links"]]
    flat = oracle.flat(first), oracle.flat(second)
    for (one, other), expected in (((first, second), case["tree"]), (flat, case["flat"])):
        for variant in ("b", "c", "co", "cl"):
            assert oracle.score(one, other, links, variant) == close(expected[variant])
        for variant in "bc":
            cost = oracle.distance(one, other, oracle.prices(variant, links))
            assert cost[0] == expected[f"dist_{variant}"]
        pair = oracle.distance(one, other, oracle.prices("co", links))
        assert pair == (expected["dist_a"], expected["dist_na"])
        assert oracle.log_weight(len(one), len(other), links) == close(expected["log"])
    node = case["node_rule"]
    pair = oracle.distance(first, second, oracle.prices("co", links, node=True))
    assert pair == (node["dist_a"], node["dist_na"])

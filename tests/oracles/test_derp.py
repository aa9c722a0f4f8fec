"""The oracle of DERP: spanning trees tried one by one, either base, and the golden vectors."""

import json
import random
from pathlib import Path

import pytest

from tests.golden import Case, cases
from tests.oracles import derp as oracle
from tests.oracles.derp import Link, Tree
from tests.tolerance import close
from tests.trees import random_links, random_tree


def random_case(seed: int, most: int = 6) -> tuple[Tree, Tree, list[Link]]:
    chance = random.Random(seed)
    sizes = chance.randrange(1, most), chance.randrange(1, most)
    hypothesis, reference = (
        Tree(random_tree(size, chance), chance.choices("ab", k=size)) for size in sizes
    )
    return hypothesis, reference, random_links(*sizes, chance)


def swapped(links: list[Link]) -> list[Link]:
    return sorted((second, first) for first, second in links)


@pytest.mark.parametrize("seed", range(80))
def test_two_passes_find_the_least_spanning_tree_of_the_meta_graph(seed: int) -> None:
    hypothesis, reference, links = random_case(seed)
    if oracle.is_many_to_many(links):
        return
    expected = oracle.sums(hypothesis, reference, links)
    weights = oracle.meta_graph(hypothesis, reference, links)
    assert oracle.least_spanning_tree(dict(weights)) == expected
    turned = oracle.meta_graph(reference, hypothesis, swapped(links))
    assert oracle.least_spanning_tree(dict(turned)) == expected


@pytest.mark.parametrize("seed", range(80))
def test_the_paths_of_the_reference_choose_one_least_spanning_tree(seed: int) -> None:
    _, reference, links = random_case(seed)
    weights = oracle.reference_graph(reference, links)
    assert oracle.least_spanning_tree(weights)[-2:] == oracle.reference_sums(reference, links)


def test_many_to_many_is_told_from_the_rest() -> None:
    assert not oracle.is_many_to_many([(0, 0), (0, 1), (1, 2), (2, 2)])
    assert oracle.is_many_to_many([(0, 0), (0, 1), (1, 1)])


def test_some_random_cases_are_many_to_many() -> None:
    kinds = {oracle.is_many_to_many(random_case(seed)[2]) for seed in range(80)}
    assert kinds == {True, False}


@pytest.mark.parametrize("case", cases("derp"), ids=lambda case: case["note"] or "random")
def test_the_golden_vectors_come_out(case: Case) -> None:
    links = [(first, second) for first, second in case["links"]]
    hypothesis = Tree(case["hyp_heads"], case["hyp_labels"])
    reference = Tree(case["ref_heads"], case["ref_labels"])
    flattened = oracle.flat(len(hypothesis.heads)), oracle.flat(len(reference.heads))
    for trees, expected in (((hypothesis, reference), case["tree"]), (flattened, case["flat"])):
        cost, most = oracle.sums(*trees, links)
        assert (cost, most) == (expected["cost"], expected["max"])
        assert oracle.score(cost, most) == close(expected["score"])


def test_figure_5_7_is_greedy_and_not_cheapest() -> None:
    path = Path(__file__).parents[1] / "golden" / "derp.json"
    figure = json.loads(path.read_text(encoding="utf-8"))["figure_5_7"]
    pairs = [(cost, most, *words) for (cost, most), *words in figure["pairs"]]
    links = [(first, second) for first in range(3) for second in range(3)]
    chosen = [*oracle.chosen_pairs(pairs, links)]
    assert sum(pair[0] for part in chosen for pair in part) == figure["greedy"] == 7
    assert figure["exact"] == 5

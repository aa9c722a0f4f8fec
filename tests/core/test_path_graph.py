"""Graphs of paths have an edge for every two linked words and hold the tree that is scored. [TH] table 5.1"""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kilter.core.dependency_tree import DependencyTree
from kilter.core.links import Link
from kilter.core.path_graph import PathGraph, PathKind, path_graph, path_tree
from kilter.metrics.derp import derp, derp_graph
from tests import texts
from tests.golden import cases
from tests.golden.test_tree_examples import BECOMES, BECOMING, SHERLOCK_LINKS
from tests.oracles.derp import Tree, groups, path_pairs
from tests.strategies import dependency_trees

Case = tuple[DependencyTree, DependencyTree, list[Link]]


@st.composite
def linked(draw: st.DrawFn) -> Case:
    first, second = draw(dependency_trees(max_size=6)), draw(dependency_trees(max_size=6))
    return first, second, draw(texts.links(len(first), len(second)))


def one_to_one(links: list[Link]) -> list[Link]:
    kept: list[Link] = []
    for link in links:
        if all(link[0] != first and link[1] != second for first, second in kept):
            kept.append(link)
    return kept


def printed() -> dict[frozenset[str], list[int]]:
    """Return table 5.1 as it should read: its misprints are recorded beside it."""
    rows = {
        frozenset(case["id"].removeprefix("TH-table5.1-").split("-")): case["oracle"]
        for case in cases("worked_examples")
        if case["id"].startswith("TH-table5.1-")
    }
    return rows | {frozenset({"becoming", "is"}): [0, 0]}


def sherlock() -> PathGraph:
    return path_graph(BECOMES, BECOMING, SHERLOCK_LINKS)


def test_all_fifteen_edges_of_the_table_are_there() -> None:
    found = {
        frozenset(BECOMING.words[word] for word in edge.reference): [edge.cost, edge.most]
        for edge in sherlock().edges
    }
    assert len(sherlock().edges) == len(found) == 15
    assert found == printed()


def test_the_tree_of_the_table_is_chosen() -> None:
    graph = sherlock()
    chosen = {frozenset(BECOMING.words[word] for word in edge.reference) for edge in graph.chosen}
    assert chosen == {
        frozenset(pair.split("-"))
        for pair in (
            "becoming-is", "Sherlock-a", "detective-the", "becoming-detective", "becoming-Sherlock",
        )
    }  # fmt: skip
    assert (graph.cost, graph.most, len(graph.nodes)) == (5, 9, 6)
    assert 1 - graph.cost / graph.most == derp(BECOMES, BECOMING, links=SHERLOCK_LINKS)


def test_words_that_share_a_partner_have_no_path() -> None:
    (shared,) = [edge for edge in sherlock().edges if edge.shared]
    assert [BECOMING.words[word] for word in shared.reference] == ["is", "becoming"]
    assert (shared.reference_path, shared.hypothesis_path, shared.chosen) == (None, None, True)


# Links of one word of the hypothesis, of several on both sides, and of several that a third link joins.
STAR = [(0, 0), (0, 1), (0, 2)]
SQUARE = [(0, 0), (0, 1), (1, 0)]
CHAIN = [*SQUARE, (2, 1), (2, 2), (3, 3), (3, 4)]


@given(linked())
@example((DependencyTree([*"abcde"], range(-1, 4)),) * 2 + (STAR,))
@example((DependencyTree([*"abcde"], range(-1, 4)),) * 2 + (SQUARE,))
@example((DependencyTree([*"abcde"], range(-1, 4)),) * 2 + (CHAIN,))
def test_words_share_a_partner_only_in_groups_with_one_word_of_the_hypothesis(case: Case) -> None:
    """Section 10.3: in groups with several words on both sides, a common partner joins no words."""
    *_, links = case
    expected = {
        pair
        for partners, words in groups(links)
        if len(partners) == 1
        for pair in combinations(sorted(words), 2)
    }
    edges = [edge for edge in path_graph(*case).edges if edge.reference[0] != edge.reference[1]]
    assert {edge.reference for edge in edges if edge.shared} == expected


@pytest.mark.parametrize("kind", PathKind)
@given(linked())
def test_what_is_chosen_is_the_spanning_tree(kind: PathKind, case: Case) -> None:
    first, second, links = case
    graph = path_graph(first, second, links, kind=kind)
    taken = path_tree(first, second, links, kind=kind)
    assert sorted((e.reference, e.hypothesis, e.cost, e.most) for e in graph.chosen) == sorted(
        (p.reference, p.hypothesis, p.cost, p.most) for p in taken
    )


@pytest.mark.parametrize("kind", PathKind)
@given(linked())
def test_one_to_one_links_have_every_edge_once(kind: PathKind, case: Case) -> None:
    first, second, links = case
    links = one_to_one(links)
    graph = path_graph(first, second, links, kind=kind)
    words = sorted(word for _, word in links)
    pairs = [(n, m) for place, n in enumerate(words) for m in words[place + 1 :]]
    assert [edge.reference for edge in graph.edges] == pairs
    assert graph.nodes == tuple(words)


@pytest.mark.parametrize("kind", PathKind)
@given(linked())
def test_the_parts_of_an_edge_add_up(kind: PathKind, case: Case) -> None:
    for edge in path_graph(*case, kind=kind).edges:
        if edge.parts is None:
            assert (edge.cost, edge.most) == (0, 0)
            continue
        assert edge.parts.up + edge.parts.turned + edge.parts.down == edge.cost <= edge.most


@given(linked())
def test_every_edge_is_the_cheapest_path_of_the_definition(case: Case) -> None:
    first, second, links = case
    cheapest: dict[tuple[int, int], tuple[int, int]] = {}
    trees = [Tree(tree.heads, tree.labels) for tree in (first, second)]
    for cost, most, n, m, _, _ in path_pairs(trees[0], trees[1], links):
        cheapest[n, m] = min(cheapest.get((n, m), (cost, most)), (cost, most))
    listed: set[tuple[int, int]] = set()
    for edge in path_graph(first, second, links).edges:
        if not edge.shared and edge.reference not in listed:
            assert (edge.cost, edge.most) == cheapest[edge.reference]
            listed.add(edge.reference)


@pytest.mark.parametrize("kind", PathKind)
@given(linked())
def test_two_words_have_one_edge_unless_links_are_tangled(kind: PathKind, case: Case) -> None:
    first, second, links = case
    sides = Counter(one for one, _ in links), Counter(other for _, other in links)
    links = [link for link in links if sides[0][link[0]] == 1 or sides[1][link[1]] == 1]
    edges = path_graph(first, second, links, kind=kind).edges
    pairs = [edge.reference for edge in edges if edge.reference[0] != edge.reference[1]]
    assert len(pairs) == len(set(pairs))


def test_partners_shared_in_a_tangle_join_nothing() -> None:
    """Words of both sides have several partners: 0 for sharing one would not be what is scored."""
    tree = DependencyTree([*"abc"], [-1, 0, 1], labels=["root", "x", "y"])
    links = [(0, 0), (0, 1), (1, 1), (1, 0)]
    graph = path_graph(tree, tree, links)
    assert all(not edge.shared for edge in graph.edges)
    untangled = path_graph(tree, tree, [(0, 0), (0, 1)])
    assert [edge.shared for edge in untangled.edges] == [True]


def test_options_of_the_metric_choose_what_is_compared() -> None:
    flat = derp_graph(BECOMES, BECOMING, links=SHERLOCK_LINKS, flat=True)
    assert (flat.kind, flat.cost, flat.most) == (PathKind.FLAT, 8, 12)
    plain = derp_graph(BECOMES, BECOMING, links=SHERLOCK_LINKS, labels=False)
    assert plain.kind is PathKind.STRUCTURE


def test_fewer_than_two_linked_words_have_no_edge() -> None:
    assert path_graph(BECOMES, BECOMING, []).edges == ()
    assert path_graph(BECOMES, BECOMING, [(0, 0)]).edges == ()

"""Graphs of paths: every edge a line and a row, the spanning tree thick. [TH] table 5.1"""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.dependency_tree import DependencyTree
from kilter.core.path_graph import PathGraph
from kilter.metrics.derp import derp_graph
from kilter.render.explanation.path_graph import (
    HEADINGS,
    edge_cells,
    path_graph_picture,
    path_text,
)
from tests import strategies
from tests.golden.test_tree_examples import BECOMES, BECOMING, SHERLOCK_LINKS
from tests.render.explanation.look import check, lines
from tests.render.picture import texts
from tests.thorough import examples

THICK, DOUBLE, THIN = "3.5", "1.6", "1"


def sherlock() -> PathGraph:
    return derp_graph(BECOMES, BECOMING, links=SHERLOCK_LINKS)


def test_all_fifteen_edges_are_drawn_and_five_are_the_tree() -> None:
    picture = path_graph_picture(sherlock(), BECOMING.words)
    check(picture)
    widths = Counter(line.get("stroke-width") for line in lines(picture))
    assert (widths[THICK], widths[DOUBLE], widths[THIN]) == (4, 2, 10)


def test_every_edge_has_its_numbers_at_its_line_and_its_row() -> None:
    graph = sherlock()
    picture = path_graph_picture(graph, BECOMING.words)
    drawn = texts(picture)
    labels = Counter(text for text in drawn if "/" in text and text[0].isdigit())
    assert labels == Counter(f"{e.cost}/{e.most}" for e in graph.edges if not e.shared)
    start = drawn.index(HEADINGS[0])
    table = drawn[start : start + 6 * 16]
    rows = [tuple(table[at : at + 6]) for at in range(0, len(table), 6)]
    assert rows == [HEADINGS, *(edge_cells(edge, BECOMING.words) for edge in graph.edges)]
    assert drawn[start + 6 * 16 : -1] == [
        "sum of L over the spanning tree",
        "5",
        "sum of L_max",
        "9",
    ]


def test_every_linked_word_is_a_node_once() -> None:
    drawn = texts(path_graph_picture(sherlock(), BECOMING.words))
    assert [drawn.count(word) for word in BECOMING.words] == [1, 1, 1, 1, 1, 1, 0]


def test_paths_are_written_as_in_the_thesis() -> None:
    graph = sherlock()
    (edge,) = [edge for edge in graph.edges if edge.reference == (0, 5)]
    assert path_text(edge.hypothesis_path) == "(DET DOBJ, left, NSUBJ)"
    assert path_text(edge.reference_path) == "(DET NSUBJ, right, DOBJ CMP)"
    assert path_text(None) == "-"


@examples(20)
@given(strategies.dependency_trees(max_size=13), st.randoms(use_true_random=False))
def test_graphs_of_any_size_are_legible(tree: DependencyTree, chance: Random) -> None:
    order = list(range(len(tree)))
    chance.shuffle(order)
    words = [f"word{place}" for place in range(len(tree))]
    named = DependencyTree(words, tree.heads, labels=tree.labels)
    graph = derp_graph(named, named, links=[*zip(order, range(len(tree)), strict=True)])
    picture = path_graph_picture(graph, words)
    check(picture)
    assert [text for text in texts(picture) if text in words] == words


@pytest.mark.parametrize(("size", "seed"), [(6, 20), (7, 1), (8, 0)])
def test_long_numbers_make_the_circle_wider(size: int, seed: int) -> None:
    """Paths of a hundred edges: their numbers would touch on a circle of the usual size."""
    chance = Random(seed)
    chain = DependencyTree(["w"] * 200, range(-1, 199))
    places = sorted(chance.sample(range(200), size))
    links = [*zip(chance.sample(range(200), size), places, strict=True)]
    check(path_graph_picture(derp_graph(chain, chain, links=links, flat=True), chain.words))


@pytest.mark.parametrize("links", [[], [(0, 0)]])
def test_too_few_words_for_an_edge_make_a_picture_all_the_same(
    links: list[tuple[int, int]],
) -> None:
    picture = path_graph_picture(derp_graph(BECOMES, BECOMING, links=links), BECOMING.words)
    check(picture)
    assert "sum of L_max" in texts(picture)


def test_misplaced_words_are_marked_and_the_key_has_room() -> None:
    for reference, links in ((BECOMING, SHERLOCK_LINKS), (BECOMING, SHERLOCK_LINKS[:2])):
        graph = derp_graph(BECOMES, reference, links=links)
        picture = path_graph_picture(graph, reference.words, misplaced={4, 6})
        check(picture)
        assert "Misplaced in the hypothesis: a." in picture
        assert len(lines(picture, width="2.5")) == 1

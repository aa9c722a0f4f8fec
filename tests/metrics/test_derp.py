"""DERP: laws, policies, and the spanning tree."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.dependency_tree import DependencyTree
from kilter.core.dependency_tree_column import DependencyTreeColumn, GivenDependencyTrees
from kilter.core.errors import InputError
from kilter.core.path_graph import PathEncoding, PathKind, path_tree
from kilter.metrics.derp import Derp, derp, derp_tree
from tests import texts
from tests.oracles import derp as oracle
from tests.strategies import dependency_trees
from tests.tolerance import close

Link = tuple[int, int]
Pair = tuple[DependencyTree, DependencyTree, list[Link]]


@st.composite
def linked(draw: st.DrawFn, most: int = 7) -> Pair:
    first, second = (draw(dependency_trees(max_size=most)) for _ in range(2))
    return first, second, draw(texts.links(len(first), len(second)))


def as_oracle(tree: DependencyTree) -> oracle.Tree:
    return oracle.Tree(tree.heads, tree.labels)


@given(linked())
def test_scores_are_those_of_the_oracle(pair: Pair) -> None:
    first, second, links = pair
    expected = oracle.score(*oracle.sums(as_oracle(first), as_oracle(second), links))
    assert derp(first, second, links=links, no_evidence="published") == close(expected)
    assert 0.0 <= expected <= 1.0


@given(linked())
def test_labels_of_columns_read_apart_are_compared_by_name(pair: Pair) -> None:
    first, second, links = pair
    # The other side's vocabulary numbers its labels in another order.
    column = DependencyTreeColumn.of([DependencyTree(["c"], [-1], labels=["c"]), second])
    again = column.tree(1)
    assert derp(first, again, links=links) == derp(first, second, links=links)


@given(linked())
def test_the_base_does_not_matter_without_many_to_many_links(pair: Pair) -> None:
    first, second, links = pair
    if not oracle.is_many_to_many(links):
        turned = [(b, a) for a, b in links]
        assert derp(first, second, links=links) == derp(second, first, links=turned)


@given(dependency_trees(min_size=1))
def test_a_tree_that_is_linked_word_by_word_with_itself_scores_one(tree: DependencyTree) -> None:
    links = [(word, word) for word in range(len(tree))]
    for options in ({}, {"flat": True}, {"labels": False}):
        assert derp(tree, tree, links=links, **options) == 1.0


@given(linked())
def test_without_labels_only_lengths_and_directions_are_compared(pair: Pair) -> None:
    first, second, links = pair
    plain = [DependencyTree(tree.words, tree.heads) for tree in (first, second)]
    expected = derp(plain[0], plain[1], links=links)
    assert derp(first, second, links=links, labels=False) == expected


@given(linked())
def test_flattened_scores_are_those_of_chains(pair: Pair) -> None:
    first, second, links = pair
    chains = first.flattened(), second.flattened()
    assert derp(first, second, links=links, flat=True) == derp(*chains, links=links)


NOTHING, ONE = DependencyTree([], []), DependencyTree(["a"], [-1])
TWO = DependencyTree(["a", "b"], [-1, 0])


@pytest.mark.parametrize(
    ("first", "second", "links", "zero", "published"),
    [
        (NOTHING, NOTHING, [], 1.0, 1.0),
        (NOTHING, ONE, [], 0.0, 1.0),
        (ONE, NOTHING, [], 0.0, 1.0),
        (ONE, ONE, [], 0.0, 1.0),
        (ONE, ONE, [(0, 0)], 1.0, 1.0),
        (ONE, TWO, [(0, 0), (0, 1)], 1.0, 1.0),
    ],
)
def test_fewer_than_two_linked_words_have_a_policy(
    first: DependencyTree, second: DependencyTree, links: list[Link], zero: float, published: float
) -> None:
    for flat in (False, True):
        assert derp(first, second, links=links, flat=flat) == zero
        assert derp(first, second, links=links, flat=flat, no_evidence="published") == published


@given(pair=linked(), flat=st.booleans(), labels=st.booleans())
def test_the_pairs_of_the_spanning_tree_make_the_score(
    pair: Pair, *, flat: bool, labels: bool
) -> None:
    first, second, links = pair
    pairs = derp_tree(first, second, links=links, flat=flat, labels=labels)
    cost, most = sum(entry.cost for entry in pairs), sum(entry.most for entry in pairs)
    score = derp(first, second, links=links, flat=flat, labels=labels, no_evidence="published")
    assert score == close(oracle.score(cost, most))
    shown = (first.flattened(), second.flattened()) if flat else (first, second)
    for entry in pairs:
        assert set(zip(entry.hypothesis, entry.reference, strict=True)) <= set(links)
        if entry.reference_path is None or entry.hypothesis_path is None:
            assert entry.most == 0
            continue
        assert entry.hypothesis_path == PathEncoding.of(shown[0], *entry.hypothesis)
        assert entry.reference_path == PathEncoding.of(shown[1], *entry.reference)
        if labels:
            parts = [
                (path.up, "left" if path.left_to_right else "right", path.down)
                for path in (entry.reference_path, entry.hypothesis_path)
            ]
            assert oracle.disparity(*parts) == (entry.cost, entry.most)


def test_a_path_tree_can_follow_the_reference_alone() -> None:
    # Word 2 hangs from word 0 in the reference: 1-2 is a path of two edges and is not taken.
    star = DependencyTree(["a", "b", "c"], [-1, 0, 0])
    pairs = path_tree(star, star, [(0, 0), (2, 1), (1, 2)], kind=PathKind.REFERENCE)
    assert [(entry.reference, entry.cost, entry.most) for entry in pairs] == [
        ((0, 1), 1, 3),
        ((0, 2), 1, 3),
    ]


def test_a_flat_path_tree_joins_neighbours_and_that_of_the_reference_follows_its_edges() -> None:
    star = DependencyTree(["a", "b", "c"], [-1, 0, 0])
    joined = {
        kind: [
            entry.reference for entry in path_tree(star, star, [(0, 0), (1, 1), (2, 2)], kind=kind)
        ]
        for kind in (PathKind.FLAT, PathKind.REFERENCE)
    }
    assert joined == {PathKind.FLAT: [(0, 1), (1, 2)], PathKind.REFERENCE: [(0, 1), (0, 2)]}


def test_links_outside_the_sentences_are_refused() -> None:
    with pytest.raises(InputError, match="link 0-1 points past the"):
        derp(ONE, ONE, links=[(0, 1)])
    with pytest.raises(InputError, match="link 0-1 points past the"):
        derp_tree(ONE, ONE, links=[(0, 1)])


def test_a_segment_with_too_many_links_is_named() -> None:
    size = 12_000
    long = DependencyTree(["w"] * size, range(-1, size - 1))
    links = [(k, k) for k in range(size)]
    with pytest.raises(InputError, match="segment 1: 12000 links are too many"):
        derp(long, long, links=links, flat=True)


def test_the_best_parse_of_either_side_counts() -> None:
    chain, star = (DependencyTree(["w"] * 3, heads) for heads in ([-1, 0, 1], [-1, 0, 0]))
    links = [(0, 0), (1, 1), (2, 2)]
    made = texts.evaluation([["w"] * 3] * 2, [["w"] * 3] * 2, links=[[links] * 2])
    columns = {
        made.hypothesis: DependencyTreeColumn.of([[star], [star, chain]]),
        made.references[0]: DependencyTreeColumn.of([[chain], [chain]]),
    }
    scores = Derp().measure(replace(made, trees=GivenDependencyTrees(columns))).scores.tolist()
    assert scores == [derp(star, chain, links=links), 1.0]
    assert scores[0] < 1.0

"""DERP along the reference's tree: hypotheses need no trees."""

import math
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.dependency_tree import DependencyTree
from kilter.core.errors import InputError
from kilter.metrics.derp_reference import DerpReference, derp_reference
from tests import texts
from tests.oracles import derp as oracle
from tests.strategies import dependency_trees
from tests.tolerance import close

Link = tuple[int, int]
Case = tuple[int, DependencyTree, list[Link]]


@st.composite
def linked(draw: st.DrawFn, most: int = 7) -> Case:
    length, reference = draw(st.integers(0, most)), draw(dependency_trees(max_size=most))
    return length, reference, draw(texts.links(length, len(reference)))


def as_oracle(tree: DependencyTree) -> oracle.Tree:
    return oracle.Tree(tree.heads, tree.labels)


@given(linked())
def test_scores_are_those_of_the_oracle(case: Case) -> None:
    length, reference, links = case
    score = oracle.score(*oracle.reference_sums(as_oracle(reference), links))
    covered = len({word for _, word in links})
    if covered:
        assert derp_reference(length, reference, links=links, penalty=False) == close(score)
        penalty = min(1.0, math.exp(1 - len(reference) / covered))
        assert derp_reference(length, reference, links=links) == close(score * penalty)


@given(dependency_trees(min_size=1))
def test_the_order_of_the_reference_scores_one_whatever_its_tree(tree: DependencyTree) -> None:
    links = [(word, word) for word in range(len(tree))]
    assert derp_reference(len(tree), tree, links=links) == 1.0


@given(dependency_trees(min_size=2), st.data())
def test_only_the_order_of_the_reference_scores_one(
    tree: DependencyTree, data: st.DataObject
) -> None:
    order = data.draw(st.permutations(range(len(tree))))
    links = list(zip(order, range(len(tree)), strict=True))
    score = derp_reference(len(tree), tree, links=links)
    assert (score == 1.0) == (list(order) == list(range(len(tree))))


def test_turning_two_words_round_scores_zero() -> None:
    pair = DependencyTree(["a", "b"], [-1, 0])
    assert derp_reference(2, pair, links=[(0, 1), (1, 0)]) == 0.0


def test_the_worst_order_is_not_better_than_the_reversal_of_a_chain() -> None:
    chain = DependencyTree(["w"] * 4, [-1, 0, 1, 2])
    scores = {
        order: derp_reference(4, chain, links=list(zip(order, range(4), strict=True)))
        for order in permutations(range(4))
    }
    assert scores[3, 2, 1, 0] == min(scores.values()) == 0.0
    assert max(scores, key=scores.__getitem__) == (0, 1, 2, 3)


def test_a_phrase_that_moves_as_a_whole_pays_only_where_it_is_attached() -> None:
    # sleeps(cat(the, old), today): "today" goes to the front, or "the" and "old" change places.
    tree = DependencyTree(["the", "old", "cat", "sleeps", "today"], [2, 2, 3, -1, 3])
    moved = [(1, 0), (2, 1), (3, 2), (4, 3), (0, 4)]
    # Only today-sleeps pays: d = 1, d' = 4, turned round, 1 + 1 + 4 of 1 + 1 + 4.
    expected = 1 - 6 / (6 + 2 + 2 + 3)
    assert derp_reference(5, tree, links=moved) == close(expected)
    scattered = [(0, 0), (2, 1), (4, 2), (1, 3), (3, 4)]
    assert derp_reference(5, tree, links=scattered) < expected


def test_the_tree_decides_which_words_belong_together() -> None:
    """The same words in the same order, but another tree of the reference."""
    links = [(0, 0), (1, 1), (3, 2), (2, 3)]
    left = DependencyTree(["a", "b", "c", "d"], [1, -1, 1, 1])
    right = DependencyTree(["a", "b", "c", "d"], [1, -1, 3, 1])
    assert derp_reference(4, left, links=links) > derp_reference(4, right, links=links)


def test_words_without_link_are_passed_over_and_paid_for_by_the_penalty() -> None:
    tree = DependencyTree(["a", "b", "c"], [1, -1, 1])
    # The head has no link: its children are joined by the path of two edges.
    assert derp_reference(2, tree, links=[(0, 0), (1, 2)], penalty=False) == close(1 - 1 / 3)
    assert derp_reference(2, tree, links=[(0, 0), (1, 2)]) == close(
        (1 - 1 / 3) * math.exp(1 - 3 / 2)
    )


@pytest.mark.parametrize(
    ("length", "size", "links", "expected"),
    [
        (0, 0, [], 1.0),
        (0, 1, [], 0.0),
        (1, 0, [], 0.0),
        (1, 1, [], 0.0),
        (1, 1, [(0, 0)], 1.0),
        (1, 2, [(0, 0), (0, 1)], 1.0),
    ],
)
def test_few_linked_words_score_as_permutations_do(
    length: int, size: int, links: list[Link], expected: float
) -> None:
    tree = DependencyTree(["w"] * size, range(-1, size - 1))
    assert derp_reference(length, tree, links=links) == expected
    if not links and size + length:
        assert derp_reference(length, tree, links=links, empty=0.25) == 0.25


def test_links_outside_the_sentences_are_refused() -> None:
    with pytest.raises(InputError, match="link 3-0 points past the"):
        derp_reference(2, DependencyTree(["a"], [-1]), links=[(3, 0)])


def test_it_needs_the_trees_of_references_only() -> None:
    assert DerpReference().needed(set()) == ("links", "reference-trees")
    made = texts.evaluation([["a", "b"]], [["a", "b"]], links=[[[(0, 0), (1, 1)]]])
    with pytest.raises(InputError, match="reference: there are no trees of this text"):
        DerpReference().measure(made)

"""Trees by votes in little memory, against the oracle and the table of all arcs."""

import tracemalloc
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter import _core
from kilter.parsers import perceptron
from kilter.parsers.perceptron import elected, vote_tree
from tests.oracles.spanning_tree import best_total, is_tree

Votes = list[list[int]]


def tree(size: int, chance: Random) -> list[int]:
    """Return the heads of a tree with one root."""
    order = chance.sample(range(size), size)
    heads = [-1] * size
    for place in range(1, size):
        heads[order[place]] = order[chance.randrange(place)]
    return heads


def table(votes: Votes) -> list[list[float]]:
    """Return the votes for every arc, as the oracle takes them."""
    size = len(votes[0])
    scores = [[0.0] * (size + 1) for _ in range(size)]
    for place, heads in enumerate(votes):
        for word, head in enumerate(heads):
            scores[word][head + 1] += 64 - place
    return scores


def arcs(votes: Votes) -> list[tuple[int, int, int]]:
    return [
        (word, head, 64 - place)
        for place, heads in enumerate(votes)
        for word, head in enumerate(heads)
    ]


@given(st.integers(1, 5), st.integers(1, 5), st.randoms(use_true_random=False))
def test_no_tree_has_more_votes(size: int, voters: int, chance: Random) -> None:
    votes = [tree(size, chance) for _ in range(voters)]
    found, scores = vote_tree(arcs(votes), size), table(votes)
    assert is_tree(tuple(found))
    assert sum(scores[word][head + 1] for word, head in enumerate(found)) == best_total(scores)[1]


@given(st.integers(2, 5), st.randoms(use_true_random=False))
def test_words_that_nobody_votes_together_are_joined_where_it_costs_least(
    size: int, chance: Random
) -> None:
    # Pairs of words vote for one another and for nothing else, so that no votes lead out of them.
    given = [
        (word, word ^ 1, chance.randint(1, 9))
        for word in range(size)
        if word ^ 1 < size and chance.random() < 0.9
    ]
    scores = [[0.0] * (size + 1) for _ in range(size)]
    for word, head, votes in given:
        scores[word][head + 1] += votes
    found = vote_tree(given, size)
    assert is_tree(tuple(found))
    assert sum(scores[word][head + 1] for word, head in enumerate(found)) == best_total(scores)[1]


@given(st.integers(1, 80), st.integers(1, 5), st.randoms(use_true_random=False))
def test_longer_sentences_have_as_many_votes_as_by_the_table(
    size: int, voters: int, chance: Random
) -> None:
    votes = [tree(size, chance) for _ in range(voters)]
    found, scores = vote_tree(arcs(votes), size), np.array(table(votes))
    dense = _core.spanning_trees(scores.ravel(), np.array([size]))
    assert is_tree(tuple(found))
    words = np.arange(size)
    assert scores[words, np.array(found) + 1].sum() == scores[words, dense + 1].sum()


def test_voters_who_agree_get_their_tree() -> None:
    heads = tree(5000, Random(1))
    assert vote_tree(arcs([heads, heads]), 5000) == heads
    assert vote_tree([], 0) == []
    assert vote_tree(arcs([[-1]]), 1) == [-1]


def test_the_parser_takes_the_table_of_all_arcs_for_short_sentences_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    heads = np.array(tree(60, Random(2)), dtype=np.int32)
    found = [(heads, np.zeros(60, dtype=np.int32))] * 2
    monkeypatch.setattr(perceptron, "DENSE", 60)
    monkeypatch.setattr(perceptron, "vote_tree", None)
    assert elected(found, np.array([0, 60]))[0].tolist() == heads.tolist()
    monkeypatch.setattr(perceptron, "vote_tree", vote_tree)
    monkeypatch.setattr(perceptron, "DENSE", 59)
    monkeypatch.setattr(_core, "spanning_trees", None)
    assert elected(found, np.array([0, 60]))[0].tolist() == heads.tolist()


def test_memory_grows_with_the_words_of_a_sentence_not_with_their_square() -> None:
    heads = np.array(tree(4000, Random(3)), dtype=np.int32)
    tracemalloc.start()
    elected([(heads, heads)] * 3, np.array([0, 4000]))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 4000 * 4000  # the table of arcs alone takes 8 bytes for each

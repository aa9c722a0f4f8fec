"""The perceptron tagger and parser: what they learn, and that every answer is a tree."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from kilter import _core
from tests.oracles import spanning_tree as oracle

LENGTHS = st.lists(st.integers(0, 9), min_size=1, max_size=6)


def parts_of(forms: NDArray[np.int64]) -> NDArray[np.uint32]:
    """Return words that differ in all parts if they differ in form."""
    return np.repeat(forms[:, None], 6, axis=1).astype(np.uint32)


def projective(heads: list[int]) -> bool:
    arcs = [tuple(sorted((word, head))) for word, head in enumerate(heads)]
    return not any(a < c < b < d for a, b in arcs for c, d in arcs)


def projective_trees(words: int) -> list[tuple[int, ...]]:
    return [heads for heads in oracle.trees(words) if projective(list(heads))]


def small(means: NDArray[np.float64]) -> NDArray[np.int8]:
    unit = max(1.0, float(np.abs(means).max())) / 127
    return np.round(means / unit).astype(np.int8)


@given(LENGTHS, st.integers(0, 2**32 - 1))
def test_random_weights_give_projective_trees_with_one_root(lengths: list[int], seed: int) -> None:
    random = np.random.default_rng(seed)
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    parts = parts_of(random.integers(0, 5, offsets[-1]))
    moves, labels, tagger = (
        random.integers(-127, 128, (256, classes)).astype(np.int8) for classes in (3, 4, 5)
    )
    tags = _core.perceptron_tags(tagger, parts, offsets)
    heads, names = _core.perceptron_trees(moves, labels, parts, offsets, tags)
    assert ((tags >= 0) & (tags < 5)).all()
    assert ((names >= 0) & (names < 4)).all()
    for begin, end in pairwise(offsets.tolist()):
        tree = heads[begin:end].tolist()
        assert tree == [] or oracle.is_tree(tuple(tree))
        assert projective(tree)


@pytest.mark.parametrize("explore", [False, True])
def test_every_projective_tree_of_four_words_can_be_learned(explore: bool) -> None:  # noqa: FBT001
    trees = projective_trees(4)
    offsets = np.arange(len(trees) + 1) * 4
    # Every tree has words of its own, so that there is no contradiction to learn.
    parts = parts_of(np.arange(offsets[-1]))
    heads = np.array(trees, dtype=np.int32).ravel()
    labels = (np.arange(len(heads)) % 7).astype(np.int32)
    tags = np.zeros(len(heads), dtype=np.int32)
    trainer = _core.ParserTrainer(19, 19, 7)
    for _ in range(40):
        trainer.learn(parts, offsets, tags, heads, labels, explore)
    moves, names = trainer.means()
    found = _core.perceptron_trees(small(moves), small(names), parts, offsets, tags)
    assert found[0].tolist() == heads.tolist()
    assert found[1].tolist() == labels.tolist()


def test_ten_parts_are_looked_at_where_words_have_them() -> None:
    # The words of every sentence are alike in their first six parts; the last one tells the tag and the tree.
    random = np.random.default_rng(2)
    which = random.integers(0, 2, 200)
    parts = np.zeros((400, 10), dtype=np.uint32)
    parts[:, 9] = np.repeat(which, 2)
    offsets, tags = np.arange(0, 401, 2), np.repeat(which, 2).astype(np.int32)
    tagger = _core.TaggerTrainer(12, 2)
    for _ in range(3):
        tagger.learn(parts, offsets, tags)
    weights = small(tagger.means())
    assert _core.perceptron_tags(weights, parts, offsets).tolist() == tags.tolist()
    few = np.ascontiguousarray(parts[:, :6])
    assert _core.perceptron_tags(weights, few, offsets).tolist() != tags.tolist()


def test_tags_that_depend_on_the_tag_before_are_learned() -> None:
    random = np.random.default_rng(5)
    # Words 0 and 1 have tags of their own, word 2 keeps the tag before: only the history tells.
    words = random.integers(0, 3, 3000)
    words[::10] = 0
    tags = words.copy()
    for place in np.flatnonzero(words == 2).tolist():
        tags[place] = tags[place - 1]
    offsets = np.arange(0, 3001, 10)
    trainer = _core.TaggerTrainer(16, 2)
    parts, right = parts_of(words), tags.astype(np.int32)
    for _ in range(10):
        trainer.learn(parts, offsets, right)
    found = _core.perceptron_tags(small(trainer.means()), parts, offsets)
    assert np.mean(found == right) > 0.95


def test_the_mean_weight_counts_every_step() -> None:
    # One word whose tag is 1. The first guess is 0, the next are right: weights are 1 from the first
    # step on, of which there are four, and the first is counted before it changes anything.
    trainer = _core.TaggerTrainer(20, 2)
    for _ in range(4):
        trainer.learn(parts_of(np.array([7])), np.array([0, 1]), np.array([1], dtype=np.int32))
    means = trainer.means()
    assert means.max() == pytest.approx(3 / 4)
    assert means.min() == pytest.approx(-3 / 4)


def test_wrong_shapes_are_refused() -> None:
    parts, offsets = parts_of(np.array([1, 2])), np.array([0, 2])
    tags = np.zeros(2, dtype=np.int32)
    table = np.zeros((4, 3), dtype=np.int8)
    with pytest.raises(ValueError, match="power of two"):
        _core.perceptron_tags(np.zeros((3, 2), dtype=np.int8), parts, offsets)
    with pytest.raises(ValueError, match="7 parts; it must have 6 or 10"):
        _core.perceptron_tags(table, np.zeros((2, 7), dtype=np.uint32), offsets)
    with pytest.raises(ValueError, match="offsets"):
        _core.perceptron_tags(table, parts, np.array([0, 1]))
    with pytest.raises(ValueError, match="tags has 1 entries for 2 words"):
        _core.perceptron_trees(table, table, parts, offsets, tags[:1])
    with pytest.raises(ValueError, match="1 to 24 bits"):
        _core.TaggerTrainer(0, 2)
    with pytest.raises(ValueError, match=r"tags\[0\] is 2"):
        _core.TaggerTrainer(4, 2).learn(parts, offsets, tags + 2)
    with pytest.raises(ValueError, match="lies outside tree 0"):
        _core.ParserTrainer(4, 4, 2).learn(parts, offsets, tags, tags + 5, tags, explore=False)

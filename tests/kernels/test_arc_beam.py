"""The beam of the transition parser: what it finds, how it scores, and what it learns."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from kilter import _core
from tests.kernels.test_perceptron import LENGTHS, parts_of, projective_trees, small

SEEDS = st.integers(0, 2**32 - 1)


def random_tables(seed: int) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    random = np.random.default_rng(seed)
    moves, labels = (random.integers(-99, 99, (256, k)).astype(np.int8) for k in (3, 4))
    return moves, labels


def words_of(lengths: list[int], seed: int) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    return parts_of(np.random.default_rng(seed).integers(0, 5, offsets[-1])), offsets


@given(LENGTHS, SEEDS)
def test_a_beam_of_one_is_greedy(lengths: list[int], seed: int) -> None:
    parts, offsets = words_of(lengths, seed)
    tags = (parts[:, 0] % 3).astype(np.int32)
    tables = random_tables(seed)
    heads, names = _core.perceptron_trees(*tables, parts, offsets, tags)
    found = _core.perceptron_beam_trees(*tables, parts, offsets, tags, 1, 1, 1)
    assert found[0].tolist() == heads.tolist()
    assert found[1].tolist() == names.tolist()
    assert found[2].tolist() == [1] * len(lengths)


@given(LENGTHS, SEEDS)
def test_a_wider_beam_never_ends_with_a_worse_tree_and_its_trees_are_sorted_and_differ(
    lengths: list[int], seed: int
) -> None:
    parts, offsets = words_of(lengths, seed)
    tags = (parts[:, 0] % 3).astype(np.int32)
    tables = random_tables(seed)
    greedy = _core.perceptron_beam_trees(*tables, parts, offsets, tags, 1, 1, 1)[3]
    heads, names, counts, scores = _core.perceptron_beam_trees(
        *tables, parts, offsets, tags, 6, 3, 6
    )
    tree = row = 0
    for sentence, count in enumerate(counts.tolist()):
        own = scores[tree : tree + count].tolist()
        assert own == sorted(own, reverse=True)
        assert own[0] >= greedy[sentence]
        size = lengths[sentence]
        seen = {
            (tuple(heads[at : at + size].tolist()), tuple(names[at : at + size].tolist()))
            for at in range(row, row + count * size, size or 1)
        }
        assert len(seen) == count or size == 0
        tree, row = tree + count, row + count * size
    assert row == len(heads)


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_a_beam_that_is_wide_enough_finds_every_tree_with_the_score_of_its_moves(size: int) -> None:
    # Whatever is seen, a shift scores 5, an arc to the left 2 and one to the right -3, once for each feature.
    moves = np.tile(np.array([5, 2, -3], dtype=np.int8), (256, 1))
    labels = np.zeros((256, 1), dtype=np.int8)
    parts, tags = parts_of(np.arange(size)), np.zeros(size, dtype=np.int32)

    def found(width: int) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        offsets = np.array([0, size])
        trees = _core.perceptron_beam_trees(moves, labels, parts, offsets, tags, width, 1, width)
        return trees[0].reshape(-1, size), trees[3]

    one = parts_of(np.arange(1)), np.array([0, 1]), tags[:1]
    features = int(_core.perceptron_beam_trees(moves, labels, *one, 1, 1, 1)[3][0]) // (5 - 3)
    heads, scores = found(1024)
    assert sorted(map(tuple, heads.tolist())) == sorted(projective_trees(size))
    lefts = (heads > np.arange(size)).sum(axis=1)
    assert scores.tolist() == (features * (5 * size + 2 * lefts - 3 * (size - lefts))).tolist()


def test_another_label_costs_what_it_scores_below_the_best() -> None:
    moves, labels = np.zeros((2, 3), dtype=np.int8), np.tile(np.array([1, 4, 3], np.int8), (2, 1))
    parts, offsets, tags = parts_of(np.arange(2)), np.array([0, 2]), np.zeros(2, dtype=np.int32)
    heads, names, counts, scores = _core.perceptron_beam_trees(
        moves, labels, parts, offsets, tags, 64, 3, 64
    )
    # Two trees; the root of each has its best label, the other word any of three.
    assert counts.tolist() == [6]
    below = {1: 0, 2: 1, 0: 3}
    other = heads.reshape(-1, 2) >= 0
    assert (names.reshape(-1, 2)[~other] == 1).all()
    lost = [below[name] for name in names.reshape(-1, 2)[other].tolist()]
    feature_count = -int(scores.min()) // 3
    assert feature_count > 20
    assert scores.tolist() == [-feature_count * each for each in lost]


@pytest.mark.parametrize("width", [2, 8])
def test_every_projective_tree_of_four_words_is_learned_by_early_update(width: int) -> None:
    trees = projective_trees(4)
    offsets = np.arange(len(trees) + 1) * 4
    parts = parts_of(np.arange(offsets[-1]))
    heads = np.array(trees, dtype=np.int32).ravel()
    labels = (np.arange(len(heads)) % 7).astype(np.int32)
    tags = np.zeros(len(heads), dtype=np.int32)
    trainer = _core.ParserTrainer(19, 19, 7)
    for _ in range(40):
        trainer.learn_beam(parts, offsets, tags, heads, labels, width)
    moves, names = map(small, trainer.means())
    found = _core.perceptron_beam_trees(moves, names, parts, offsets, tags, width, 1, 1)
    assert found[0].tolist() == heads.tolist()
    assert found[1].tolist() == labels.tolist()


def test_nothing_is_learned_of_moves_that_were_right() -> None:
    # After a first step that teaches it, one word can only be shifted and made the root.
    trainer = _core.ParserTrainer(4, 4, 1)
    parts, offsets, zero = parts_of(np.arange(1)), np.array([0, 1]), np.zeros(1, dtype=np.int32)
    trainer.learn_beam(parts, offsets, zero, zero - 1, zero, 4)
    assert not any(each.any() for each in trainer.means())


def test_memory_of_a_long_sentence_is_no_square() -> None:
    size = 20_000
    parts, offsets = words_of([size], 3)
    heads, _, counts, _ = _core.perceptron_beam_trees(
        *random_tables(3), parts, offsets, np.zeros(size, dtype=np.int32), 2, 1, 2
    )
    assert all(len(heads[a:b]) == size for a, b in pairwise(range(0, len(heads) + 1, size)))
    assert len(heads) == counts[0] * size


def test_widths_that_are_none_are_refused() -> None:
    parts, offsets = words_of([2], 1)
    tags = np.zeros(2, dtype=np.int32)
    for width, alternatives, most in ((0, 1, 1), (1, 0, 1), (1, 1, 0), (1025, 1, 1)):
        with pytest.raises(ValueError, match="must be 1 to 1024"):
            _core.perceptron_beam_trees(
                *random_tables(1), parts, offsets, tags, width, alternatives, most
            )

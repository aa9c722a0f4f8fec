"""Trees of a beam: which of them differ, and those of a parser that reads from right to left."""

import numpy as np

from kilter.parsers.perceptron_beam import (
    BeamParses,
    TaggedBlock,
    beam_trees,
    different,
    joined,
    turned,
)
from tests.kernels.test_perceptron import parts_of


def test_trees_that_are_alike_once_their_labels_are_named_are_kept_once() -> None:
    heads = np.array([-1, 0, -1, 0, 1, -1, -1], dtype=np.int32)
    labels = np.array([7, 3, 7, 3, 2, 7, 7], dtype=np.int32)
    found = BeamParses(heads, labels, np.array([3, 1]), np.array([9, 8, 7, 1]))
    offsets = np.array([0, 2, 3])
    chosen = different(found, labels, offsets, 5)
    assert chosen.kept.tolist() == [True, False, True, True]
    assert chosen.counts.tolist() == [2, 1]
    # What is added to the number of a row is the number of its word.
    assert chosen.starts.tolist() == [0, -2, -4, -4]
    assert different(found, labels, offsets, 1).kept.tolist() == [True, False, False, True]


def test_a_parser_that_reads_backwards_gives_trees_of_the_words_as_they_stand() -> None:
    random = np.random.default_rng(4)
    offsets = np.array([0, 5, 5, 8])
    moves, labels = (random.integers(-99, 99, (64, k)).astype(np.int8) for k in (3, 2))
    parts, tags = parts_of(random.integers(0, 4, 8)), random.integers(0, 3, 8).astype(np.int32)
    turn = turned(offsets)
    forwards, backwards = False, True
    plain = beam_trees(
        moves, labels, forwards, TaggedBlock(parts[turn], offsets, tags[turn]), 4, 2, 4
    )
    found = beam_trees(moves, labels, backwards, TaggedBlock(parts, offsets, tags), 4, 2, 4)
    assert found.scores.tolist() == plain.scores.tolist()
    first, turned_first = found.heads[:5].tolist(), plain.heads[:5].tolist()
    assert first == [-1 if head == -1 else 4 - head for head in reversed(turned_first)]
    assert found.labels[:5].tolist() == plain.labels[:5].tolist()[::-1]


def test_no_blocks_are_no_trees() -> None:
    assert [len(each) for each in joined([])] == [0, 0, 0, 0]

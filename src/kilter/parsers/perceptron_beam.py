"""Several derivations beside one another, and the different trees that they end with [ZC]."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kilter import _core
from kilter.core.dependency_tree import ROOT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

WIDEST = 1024
"""Derivations that a beam keeps at most."""
ALTERNATIVES = 3
"""Labels of an arc that are tried where several trees are wanted."""


class TaggedBlock(NamedTuple):
    """Some sentences: the parts of their words, where they begin, and their tags."""

    parts: NDArray[np.uint32]
    offsets: NDArray[np.int64]
    tags: NDArray[np.int32]


class BeamParses(NamedTuple):
    """Trees one after another, the best of each sentence first: `counts` says how many a sentence has.

    `heads` and `labels` have one entry for each word of each tree, `scores` one for each tree.
    """

    heads: NDArray[np.int32]
    labels: NDArray[np.int32]
    counts: NDArray[np.int64]
    scores: NDArray[np.int64]


class Chosen(NamedTuple):
    """Which trees are kept, of what lengths, and how many a sentence keeps.

    `starts` leads from the rows of a tree to those of its words: it is what is added to the number of a row.
    """

    kept: NDArray[np.bool_]
    lengths: NDArray[np.int64]
    counts: NDArray[np.int64]
    starts: NDArray[np.int64]


def beam_trees(
    moves: NDArray[np.int8],
    labels: NDArray[np.int8],
    backwards: bool,  # noqa: FBT001 - a column of the model file
    block: TaggedBlock,
    width: int,
    alternatives: int,
    most: int,
) -> BeamParses:
    """Return the best trees by one parser, which may read from right to left."""
    parts, offsets, tags = block
    if not backwards:
        found = _core.perceptron_beam_trees(
            moves, labels, parts, offsets, tags, width, alternatives, most
        )
        return BeamParses(*found)
    turn = turned(offsets)
    heads, names, counts, scores = _core.perceptron_beam_trees(
        moves, labels, parts[turn], offsets, tags[turn], width, alternatives, most
    )
    lengths = np.repeat(np.diff(offsets), counts)
    borders = np.concatenate([[0], np.cumsum(lengths)])
    return BeamParses(turned_heads(heads, borders), names[turned(borders)], counts, scores)


def joined(blocks: Sequence[BeamParses]) -> BeamParses:
    """Return the trees of several blocks as those of one."""
    empty = np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.int64)
    return BeamParses(
        *(np.concatenate([empty[k > 1], *(block[k] for block in blocks)]) for k in range(4))
    )


def different(
    found: BeamParses, labels: NDArray[np.int32], offsets: NDArray[np.int64], most: int
) -> Chosen:
    """Return the first so many trees of each sentence that differ from those before in heads or labels."""
    lengths = np.repeat(np.diff(offsets), found.counts)
    borders = np.concatenate([[0], np.cumsum(lengths)])
    rows = np.stack([found.heads, labels], axis=1)
    kept = np.zeros(len(lengths), dtype=np.bool_)
    counts = np.zeros(len(found.counts), dtype=np.int64)
    tree = 0
    for sentence, count in enumerate(found.counts.tolist()):
        seen: set[bytes] = set()
        for place in range(tree, tree + count):
            content = rows[borders[place] : borders[place + 1]].tobytes()
            kept[place] = len(seen) < most and content not in seen
            seen.add(content)
        counts[sentence] = kept[tree : tree + count].sum()
        tree += count
    starts = np.repeat(offsets[:-1], found.counts) - borders[:-1]
    return Chosen(kept, lengths, counts, starts)


def turned(offsets: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the places of all words with each sentence turned around."""
    lengths = np.diff(offsets)
    ends = np.repeat(offsets[:-1] + offsets[1:] - 1, lengths)
    return ends - np.arange(len(ends))


def turned_heads(heads: NDArray[np.int32], offsets: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return heads in turned sentences, in the order of the turned words.

    >>> turned_heads(np.array([1, -1, 1], dtype=np.int32), np.array([0, 3])).tolist()
    [1, -1, 1]
    >>> turned_heads(np.array([-1, 0, 1], dtype=np.int32), np.array([0, 3])).tolist()
    [1, 2, -1]
    """
    lengths = np.repeat(np.diff(offsets), np.diff(offsets)).astype(np.int32)
    return np.where(heads == ROOT, ROOT, lengths - 1 - heads).astype(np.int32)[turned(offsets)]

"""Words that stand for one another in the texts at hand: specification, section 1.9."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kilter import _core
from kilter.aligners.offered_pair import OfferedPairs
from kilter.core.link_batch import LinkBatch
from kilter.core.token_column import TokenColumn, joined_columns

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from kilter.core.taught_pairs import TaughtPairs

ITERATIONS = 3
NEIGHBOUR = 5.0
"""How many times as likely two words are to stand for one another beside each link of their neighbours."""
DISTANCE = 5.0
"""How fast that falls with the distance of their relative positions."""
ALONE = 0.1
"""The weight of standing for no word."""
THRESHOLD = 0.2
"""Least strength of a pair in its place."""
EVIDENCE = 1.0
"""Least number of times that two words are taken to have stood for one another."""
MOST_PAIRS = 1 << 16
"""Segments with more pairs of free words than this are left out, as the search leaves them out."""


@dataclass(frozen=True, slots=True, eq=False)
class NumberedPairs:
    """Pairs of segments of earlier runs, their words numbered as those at hand are."""

    first: TokenColumn
    second: TokenColumn
    links: LinkBatch
    words: int
    """Numbers of words, those at hand included."""

    @classmethod
    def of(cls, taught: TaughtPairs, known: Mapping[int, int], size: int) -> NumberedPairs:
        """Return the pairs; words with a digest that is not `known` have numbers from `size` on."""
        digests, places = np.unique(
            np.concatenate([taught.first, taught.second]), return_inverse=True
        )
        numbers = [known.get(digest, -1) for digest in digests.tolist()]
        found = np.array(numbers, dtype=np.int64)
        new = found < 0
        found[new] = size + np.arange(np.count_nonzero(new))
        ids = found[places].astype(np.int32)
        return cls(
            TokenColumn(np.ascontiguousarray(ids[: len(taught.first)]), taught.first_offsets),
            TokenColumn(np.ascontiguousarray(ids[len(taught.first) :]), taught.second_offsets),
            taught.links,
            size + int(np.count_nonzero(new)),
        )


def learned_pairs(
    first: TokenColumn,
    second: TokenColumn,
    links: LinkBatch,
    keys: NDArray[np.int32],
    *,
    jobs: int,
    earlier: NumberedPairs | None = None,
) -> OfferedPairs:
    """Return the pairs of words without a link that stand for one another in several segments.

    `keys` gives a number to each word of the vocabulary, the same to words that count as one; segments of
    `earlier` runs teach, too.
    """
    one, other = (TokenColumn(keys[side.ids], side.offsets) for side in (first, second))
    batch, words = links, int(keys.max(initial=-1)) + 1
    if earlier is not None:
        one, other = joined_columns([one, earlier.first]), joined_columns([other, earlier.second])
        batch = LinkBatch(
            np.concatenate([links.links, earlier.links.links]),
            np.concatenate([links.offsets, links.offsets[-1] + earlier.links.offsets[1:]]),
        )
        words = earlier.words
    cells, offsets, strength = _core.learned_cells(
        one.ids,
        one.offsets,
        other.ids,
        other.offsets,
        batch.links,
        batch.offsets,
        words,
        ITERATIONS,
        NEIGHBOUR,
        DISTANCE,
        ALONE,
        THRESHOLD,
        EVIDENCE,
        jobs,
    )
    offsets = offsets[: len(first) + 1]
    cells, strength = cells[: offsets[-1]], strength[: offsets[-1]]
    free = (first.lengths - links.counts) * (second.lengths - links.counts)
    left_out = np.flatnonzero(free > MOST_PAIRS).tolist()
    return OfferedPairs(cells, offsets, certainty(strength), tuple(left_out))


def certainty(strength: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how many links of this strength people draw too, as a curve near the training part of Edinburgh++.

    >>> certainty(np.array([0.8, 7.2])).tolist()
    [0.6, 0.8]
    """
    return 0.35 + 0.5 * strength / (strength + 0.8)

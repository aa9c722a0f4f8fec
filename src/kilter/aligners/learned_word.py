"""Words that stand for one another in the texts at hand: specification, section 1.9."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kilter import _core
from kilter.aligners.offered_pair import OfferedPairs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.structures.link.link_batch import LinkBatch
    from kilter.structures.text.token_column import TokenColumn

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


def learned_pairs(
    first: TokenColumn,
    second: TokenColumn,
    links: LinkBatch,
    keys: NDArray[np.int32],
    *,
    jobs: int,
) -> OfferedPairs:
    """Return the pairs of words without a link that stand for one another in several segments.

    `keys` gives a number to each word of the vocabulary, the same to words that count as one.
    """
    cells, offsets, strength = _core.learned_cells(
        keys[first.ids],
        first.offsets,
        keys[second.ids],
        second.offsets,
        links.links,
        links.offsets,
        int(keys.max(initial=-1)) + 1,
        ITERATIONS,
        NEIGHBOUR,
        DISTANCE,
        ALONE,
        THRESHOLD,
        EVIDENCE,
        jobs,
    )
    free = (first.lengths - links.counts) * (second.lengths - links.counts)
    left_out = np.flatnonzero(free > MOST_PAIRS).tolist()
    return OfferedPairs(cells, offsets, certainty(strength), tuple(left_out))


def certainty(strength: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how many links of this strength people draw too, as a curve near the training part of Edinburgh++.

    >>> certainty(np.array([0.8, 7.2])).tolist()
    [0.6, 0.8]
    """
    return 0.35 + 0.5 * strength / (strength + 0.8)

"""Pairs of words that a stage of the matcher may link, and how certain each link would be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.core.token_column import TokenColumn


@dataclass(frozen=True, slots=True, eq=False)
class OfferedPairs:
    """The pairs of segment s are rows `offsets[s]` to `offsets[s + 1]` of `cells`, sorted, as links are."""

    cells: NDArray[np.int32]
    offsets: NDArray[np.int64]
    certainty: NDArray[np.float64]
    left_out: tuple[int, ...] = ()
    """Segments that the stage did not look at, because they are too long."""

    def certainty_of(
        self, words: NDArray[np.int64], others: NDArray[np.int32], first: TokenColumn
    ) -> NDArray[np.float64]:
        """Return the certainty of pairs that are offered.

        A pair is a word of the first text, counted over all its segments, and a place in its segment of
        the second.
        """
        starts = np.repeat(first.offsets[:-1], np.diff(self.offsets))
        offered = _number(starts + self.cells[:, 0], self.cells[:, 1])
        found: NDArray[np.float64] = self.certainty[
            np.searchsorted(offered, _number(words, others))
        ]
        return found


def _number(words: NDArray[np.int64], others: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return a number for each pair, which rises as pairs do."""
    return (words << 32) | others

"""Which trees are compared with which: every parse of a hypothesis with every parse of its reference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.core.dependency_tree_column import DependencyTreeColumn


@dataclass(frozen=True, slots=True, eq=False)
class DependencyTreePairs:
    """Pair p compares tree `firsts[p]` with tree `seconds[p]` of segment `segments[p]`.

    The pairs of segment s are `starts[s]` to `starts[s + 1]`, at least one.
    """

    firsts: NDArray[np.int64]
    seconds: NDArray[np.int64]
    segments: NDArray[np.int64]
    starts: NDArray[np.int64]

    @classmethod
    def of(cls, first: DependencyTreeColumn, second: DependencyTreeColumn) -> DependencyTreePairs:
        """Return every parse of each segment in one column with every one in the other."""
        left, right = np.diff(first.parses), np.diff(second.parses)
        counts = left * right
        starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
        segments = np.repeat(np.arange(len(counts)), counts)
        place = np.arange(len(segments)) - starts[segments]
        return cls(
            first.parses[segments] + place // right[segments],
            second.parses[segments] + place % right[segments],
            segments,
            starts,
        )

    @classmethod
    def single(cls, second: DependencyTreeColumn) -> DependencyTreePairs:
        """Return the parses of one column, where the other side has no trees."""
        segments = np.repeat(np.arange(len(second)), np.diff(second.parses))
        trees = np.arange(second.trees)
        return cls(np.zeros_like(trees), trees, segments, second.parses)

    def best(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the best score of each segment over its pairs."""
        if len(self.starts) == 1:
            return np.zeros(0)
        best: NDArray[np.float64] = np.maximum.reduceat(scores, self.starts[:-1])
        return best

    def best_of(self, scores: NDArray[np.float64], segment: int) -> tuple[int, tuple[int, int]]:
        """Return the pair with which a segment scores best, the first of several, and its two trees."""
        start, end = self.starts[segment : segment + 2].tolist()
        pair = start + int(np.argmax(scores[start:end]))
        return pair, (int(self.firsts[pair]), int(self.seconds[pair]))

"""Kendall score and complete match of reordered sentences with tied words. [FRS]"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kilter.metrics.reordering_metric import ReorderingMetric

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.core.reordering import OrderMatch


@dataclass(frozen=True, kw_only=True)
class TiedKendall(ReorderingMetric):
    """Share of pairs of words in the right order; a pair of tied words always is."""

    name: ClassVar[str] = "kendall"
    summary: ClassVar[str] = "share of pairs of source words in the right order, with tied words"
    formula: ClassVar[str] = "1 - #{pairs in the wrong order} / (M(M-1)/2)"

    def parts(self, match: OrderMatch) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the pairs in the right order, and all."""
        pairs = match.lengths * (match.lengths - 1) // 2
        return pairs - match.wrong_pairs(), pairs


@dataclass(frozen=True, kw_only=True)
class TiedComplete(ReorderingMetric):
    """Whether every word is in its place, whatever the order of tied words."""

    name: ClassVar[str] = "complete"
    summary: ClassVar[str] = "1 if the whole order is right, else 0"
    formula: ClassVar[str] = "1 if no pair is in the wrong order, else 0"

    def parts(self, match: OrderMatch) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return 1 for each segment in perfect order, and 1 for each segment."""
        right = (match.wrong_pairs() == 0).astype(np.int64)
        return right, np.ones_like(right)

"""What a metric found in one system's output, segment by segment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kilter.results.score_parts import ScoreParts


@dataclass(frozen=True, slots=True, eq=False)
class Measure:
    """One row of additive statistics and one score per segment, computed together.

    The sum of the rows of any segments, given to `Metric.corpus_score`, is the score of these segments.
    `parts` are what scores are made of, where a metric can tell order from the rest.
    """

    statistics: NDArray[np.float64]
    scores: NDArray[np.float64]
    parts: ScoreParts | None = None
    margins: NDArray[np.float64] | None = None
    """How far two outputs for a segment must be apart for most judges to agree, where a metric was fitted on them."""

    @classmethod
    def mean(cls, scores: NDArray[np.float64], parts: ScoreParts | None = None) -> Measure:
        """Return the measure of a plain mean: statistics are the score, and 1 for the segment itself."""
        return cls(np.column_stack([scores, np.ones(len(scores))]), scores, parts)

    @classmethod
    def best(cls, by_reference: Sequence[NDArray[np.float64]]) -> Measure:
        """Return the measure of a plain mean over segments, of which the best reference counts."""
        return cls.mean(np.max(by_reference, axis=0))

    def __len__(self) -> int:
        return len(self.scores)

"""What a metric found in one system's output, segment by segment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Measure:
    """One row of additive statistics and one score per segment, computed together.

    The sum of the rows of any segments, given to `Metric.corpus_score`, is the score of these segments.
    """

    statistics: NDArray[np.float64]
    scores: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.scores)

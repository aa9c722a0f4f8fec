"""Complete match: is every word in its place? [FRS]"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kilter.core.permutation import Permutation
from kilter.core.settings import checked
from kilter.metrics.permutation_metric import PermutationMetric
from kilter.results.measure import WorkingStep

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.core.permutation_batch import PermutationBatch


@checked
def complete(permutation: Permutation) -> float:
    """Return 1 for the identity of one word or more, else 0.

    >>> from kilter import Permutation
    >>> complete(Permutation.identity(3)), complete(Permutation.reversal(3))
    (1.0, 0.0)
    """
    length = len(permutation)
    return float(length > 0 and np.array_equal(permutation.values, np.arange(length)))


@dataclass(frozen=True, kw_only=True)
class Complete(PermutationMetric):
    """Complete match; its mean is the share of segments in perfect order."""

    name: ClassVar[str] = "complete"
    summary: ClassVar[str] = "1 if the whole order is right, else 0"
    formula: ClassVar[str] = "1 if p is the identity, else 0"
    citations: ClassVar[tuple[str, ...]] = ("talbot-2011",)

    def _scores(self, permutations: PermutationBatch) -> NDArray[np.float64]:
        scores: NDArray[np.float64] = (permutations.counts["chunks"] == 1).astype(np.float64)
        return scores

    def _order_steps(self, permutation: Permutation) -> list[WorkingStep]:
        wrong = sum(value != place for place, value in enumerate(permutation))
        return [
            WorkingStep("wrong", "words that are not in their own place", wrong),
            self._order_step(permutation, "0 if wrong else 1", least=1),
        ]

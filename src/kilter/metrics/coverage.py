"""Coverage: how many words are linked, whatever their order. [PC], [PEF]: the penalty by itself"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kilter.core.permutation import Permutation
from kilter.core.settings import checked
from kilter.metrics.permutation_metric import PermutationMetric

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.core.permutation_batch import PermutationBatch
    from kilter.results.measure import WorkingStep


@checked
def coverage(permutation: Permutation) -> float:
    """Return 1 for any order of one word or more, and 0 where no word is linked.

    >>> from kilter import Permutation
    >>> coverage(Permutation.reversal(3)), coverage(Permutation([]))
    (1.0, 0.0)
    """
    return float(len(permutation) > 0)


@dataclass(frozen=True, kw_only=True)
class Coverage(PermutationMetric):
    """The order part set to 1: the control of every metric of permutations."""

    name: ClassVar[str] = "coverage"
    order_only: ClassVar[bool] = False
    summary: ClassVar[str] = "1 whatever the order: the brevity penalty of linked words alone"
    purpose: ClassVar[str] = "penalty for reference words not found, exp(1 - 1/share)"
    formula: ClassVar[str] = "1, times BP(linked words, reference length)"
    citations: ClassVar[tuple[str, ...]] = ("stanojevic-simaan-2014",)

    @property
    def prices_errors(self) -> bool:
        """No order costs anything."""
        return False

    def _scores(self, permutations: PermutationBatch) -> NDArray[np.float64]:
        return np.ones(len(permutations))

    def _order_steps(self, permutation: Permutation) -> list[WorkingStep]:
        return [self._order_step(permutation, "1", least=1)]

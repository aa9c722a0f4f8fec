"""Kendall's tau as a score: the share of word pairs in the right order. [PEF] [PC] [LR]"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from kilter.core.permutation import Permutation, pair_score
from kilter.core.registry import option
from kilter.core.settings import checked
from kilter.metrics.permutation_metric import PermutationMetric, rising_pairs
from kilter.results.measure import WorkingStep

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kilter.core.permutation_batch import PermutationBatch


@checked
def kendall(permutation: Permutation, other: Permutation | None = None) -> float:
    """Return the share of word pairs that keep their order: 1 for the identity, 0 for the reversal.

    A single word leaves no pair to misplace and scores 1; no word at all scores 0. With a second
    permutation of the same sentence, the share of pairs that both order alike (d_tau of [LR]).

    >>> from kilter import Permutation
    >>> kendall(Permutation.from_one_based([1, 3, 2, 4]))
    0.8333333333333334
    >>> kendall(Permutation.from_one_based([1, 3, 2]), Permutation.from_one_based([3, 2, 1]))
    0.3333333333333333
    """
    return permutation.kendall() if other is None else pair_score(permutation, other, "kendall")


@dataclass(frozen=True, kw_only=True)
class Kendall(PermutationMetric):
    """Kendall score of a permutation."""

    name: ClassVar[str] = "kendall"
    summary: ClassVar[str] = "share of word pairs in the right order"
    formula: ClassVar[str] = "#{i<j: p_i < p_j} / (n(n-1)/2);  root: 1 - sqrt(1 - kendall)"
    citations: ClassVar[tuple[str, ...]] = ("stanojevic-simaan-2014", "birch-osborne-2010")

    root: bool = option(default=False, description="take the root of the distance")

    def _scores(self, permutations: PermutationBatch) -> NDArray[np.float64]:
        return permutations.scores()["kendall-sqrt"] if self.root else permutations.kendall_scores()

    def _order_steps(self, permutation: Permutation) -> list[WorkingStep]:
        share = "C / P"
        return [
            WorkingStep("n", "linked words", len(permutation)),
            WorkingStep("C", "pairs of words in the right order", rising_pairs(permutation)),
            WorkingStep(
                "P",
                "pairs of words",
                len(permutation) * (len(permutation) - 1) // 2,
                "n * (n - 1) / 2",
            ),
            self._order_step(permutation, f"1 - sqrt(1 - {share})" if self.root else share),
        ]

"""Ulam score: the longest part of the sentence that is in order. [PEF] [PC]"""

from __future__ import annotations

from bisect import bisect
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from kilter.core.permutation import Permutation
from kilter.core.settings import checked
from kilter.metrics.permutation_metric import PermutationMetric
from kilter.results.measure import WorkingStep

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kilter.core.permutation_batch import PermutationBatch


@checked
def ulam(permutation: Permutation) -> float:
    """Return (longest increasing subsequence - 1) / (n - 1); a single word scores 1, none 0.

    >>> from kilter import Permutation
    >>> ulam(Permutation.from_one_based([2, 4, 5, 6, 1, 3]))
    0.6
    """
    return permutation.ulam()


@dataclass(frozen=True, kw_only=True)
class Ulam(PermutationMetric):
    """Ulam score of a permutation."""

    name: ClassVar[str] = "ulam"
    summary: ClassVar[str] = "longest subsequence in the right order"
    formula: ClassVar[str] = "(LIS(p) - 1) / (n - 1)"
    citations: ClassVar[tuple[str, ...]] = ("stanojevic-simaan-2014",)

    def _scores(self, permutations: PermutationBatch) -> NDArray[np.float64]:
        return permutations.scores()["ulam"]

    def _order_steps(self, permutation: Permutation) -> list[WorkingStep]:
        ends: list[int] = []  # the least last value of a rising subsequence of each length
        for value in permutation:
            place = bisect(ends, value)
            ends[place : place + 1] = [value]
        return [
            WorkingStep("n", "linked words", len(permutation)),
            WorkingStep("L", "words of the longest part that is in order", len(ends)),
            self._order_step(permutation, "(L - 1) / (n - 1)"),
        ]

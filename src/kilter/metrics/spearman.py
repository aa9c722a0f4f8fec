"""Spearman's rho as a score, and the footrule: how far words stand from their places. [PEF] [LR]"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from kilter.core.permutation import Permutation, pair_score
from kilter.core.settings import checked
from kilter.metrics.permutation_metric import PermutationMetric
from kilter.results.measure import WorkingStep

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kilter.core.permutation_batch import PermutationBatch


@checked
def spearman(permutation: Permutation, other: Permutation | None = None) -> float:
    """Return 1 - 3 sum (p_i - i)^2 / (n (n^2 - 1)): 1 for the identity, 0 for the reversal.

    It is rho scaled to 0..1. A single word scores 1, none 0. A second permutation takes the place of
    the identity.

    >>> spearman(Permutation.from_one_based([2, 1, 3]))
    0.75
    """
    return permutation.spearman() if other is None else pair_score(permutation, other, "spearman")


@checked
def footrule(permutation: Permutation, other: Permutation | None = None) -> float:
    """Return 1 - sum |p_i - i| / floor(n^2 / 2), the linear sibling of `spearman`.

    >>> footrule(Permutation.from_one_based([2, 1, 3]))
    0.5
    """
    against = Permutation.identity(len(permutation)) if other is None else other
    return pair_score(permutation, against, "footrule")


@dataclass(frozen=True, kw_only=True)
class Spearman(PermutationMetric):
    """Spearman score of a permutation."""

    name: ClassVar[str] = "spearman"
    summary: ClassVar[str] = "squared distance of words from their places"
    formula: ClassVar[str] = "1 - 3 sum (p_i - i)^2 / (n (n^2 - 1))"
    citations: ClassVar[tuple[str, ...]] = ("stanojevic-simaan-2014",)

    def _scores(self, permutations: PermutationBatch) -> NDArray[np.float64]:
        return permutations.scores()["spearman"]

    def _order_steps(self, permutation: Permutation) -> list[WorkingStep]:
        squares = sum((value - place) ** 2 for place, value in enumerate(permutation))
        return [
            WorkingStep("n", "linked words", len(permutation)),
            WorkingStep("D", "sum of the squared distances of words from their places", squares),
            self._order_step(permutation, "1 - 3 * D / (n * (n ** 2 - 1))"),
        ]

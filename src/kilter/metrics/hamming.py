"""Hamming score: words in exactly their own place. [PEF] [PC] [LR]"""

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
def hamming(permutation: Permutation, other: Permutation | None = None) -> float:
    """Return the share of words in their own place; no word at all scores 0.

    The reversal of an odd number of words scores 1/n, because its middle word has not moved. With a
    second permutation of the same sentence, the share of equal values (d_H of [LR]).

    >>> from kilter import Permutation
    >>> hamming(Permutation.from_one_based([1, 2, 4, 3]))
    0.5
    """
    return permutation.hamming() if other is None else pair_score(permutation, other, "hamming")


@dataclass(frozen=True, kw_only=True)
class Hamming(PermutationMetric):
    """Hamming score of a permutation."""

    name: ClassVar[str] = "hamming"
    summary: ClassVar[str] = "share of words in exactly their own place"
    formula: ClassVar[str] = "#{i: p_i = i} / n"
    citations: ClassVar[tuple[str, ...]] = ("stanojevic-simaan-2014", "birch-osborne-2010")

    def _scores(self, permutations: PermutationBatch) -> NDArray[np.float64]:
        return permutations.scores()["hamming"]

    def _order_steps(self, permutation: Permutation) -> list[WorkingStep]:
        kept = sum(value == place for place, value in enumerate(permutation))
        return [
            WorkingStep("n", "linked words", len(permutation)),
            WorkingStep("H", "words in their own place", kept),
            self._order_step(permutation, "H / n", least=1),
        ]

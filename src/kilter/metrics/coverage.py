"""Coverage: how many words are linked, whatever their order. [PC], [PEF]: the penalty by itself"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kilter.metrics.permutation_metric import PermutationMetric

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.structures.permutation.permutation_batch import PermutationBatch


@dataclass(frozen=True, kw_only=True)
class Coverage(PermutationMetric):
    """The order part set to 1: the control of every metric of permutations."""

    name: ClassVar[str] = "coverage"
    summary: ClassVar[str] = "1 whatever the order: the brevity penalty of linked words alone"
    formula: ClassVar[str] = "1, times BP(linked words, reference length)"
    citations: ClassVar[tuple[str, ...]] = ("stanojevic-simaan-2014",)
    in_all: ClassVar[bool] = False

    def _scores(self, permutations: PermutationBatch) -> NDArray[np.float64]:
        return np.ones(len(permutations))

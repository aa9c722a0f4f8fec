"""Fuzzy score: neighbours that stay neighbours. [FRS] [PEF] [PC]"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kilter.core.permutation import Permutation
from kilter.core.registry import option
from kilter.core.settings import Choice, checked
from kilter.metrics.permutation_metric import PermutationMetric
from kilter.results.measure import WorkingStep

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.core.permutation_batch import PermutationBatch


class Joints(Choice):
    """Which joints count: the n - 1 between words, or also the two at the ends of the sentence."""

    INNER = "inner"
    ALL = "all"


@checked
def fuzzy(permutation: Permutation, *, joints: Joints | str = Joints.INNER) -> float:
    """Return 1 - (chunks - 1) / (n - 1), a chunk being a run of consecutive rising values.

    A single word scores 1, none 0. `joints="all"` also counts whether the first and the last word
    stand at the ends, over n + 1 joints, as lader and topdown-btg-preordering do.

    >>> from kilter import Permutation
    >>> p = Permutation.from_one_based([2, 1, 3])
    >>> fuzzy(p), fuzzy(p, joints="all")
    (0.0, 0.25)
    """
    length = len(permutation)
    if Joints(joints) is Joints.INNER or length == 0:
        return permutation.fuzzy()
    kept = int((np.diff(permutation.values) == 1).sum())
    ends = (permutation[0] == 0) + (permutation[length - 1] == length - 1)
    return (kept + ends) / (length + 1)


@dataclass(frozen=True, kw_only=True)
class Fuzzy(PermutationMetric):
    """Fuzzy reordering score of a permutation."""

    name: ClassVar[str] = "fuzzy"
    summary: ClassVar[str] = "neighbours that stay neighbours"
    formula: ClassVar[str] = "inner: (n - chunks) / (n - 1);  all: kept joints / (n + 1)"
    citations: ClassVar[tuple[str, ...]] = ("talbot-2011", "stanojevic-simaan-2014")

    joints: Joints = option(Joints.INNER, "count the joints at the sentence ends too, or not")

    def _scores(self, permutations: PermutationBatch) -> NDArray[np.float64]:
        if self.joints is Joints.INNER:
            return permutations.scores()["fuzzy"]
        lengths = permutations.lengths
        kept = lengths - permutations.counts["chunks"]
        filled = np.flatnonzero(lengths)
        first = permutations.values[permutations.offsets[filled]]
        last = permutations.values[permutations.offsets[filled + 1] - 1]
        kept[filled] += (first == 0).astype(np.int64) + (last == lengths[filled] - 1)
        scores: NDArray[np.float64] = kept / (lengths + 1)
        return scores

    def _order_steps(self, permutation: Permutation) -> list[WorkingStep]:
        length, values = len(permutation), [*permutation]
        kept = sum(second == first + 1 for first, second in pairwise(values))
        steps = [
            WorkingStep("n", "linked words", length),
            WorkingStep(
                "chunks", "runs of words that follow one another as they should", length - kept
            ),
        ]
        if self.joints is Joints.INNER:
            return [*steps, self._order_step(permutation, "(n - chunks) / (n - 1)")]
        ends = (values[0] == 0) + (values[-1] == length - 1)
        return [
            *steps,
            WorkingStep("ends", "words at the ends that belong there", ends),
            self._order_step(permutation, "(n - chunks + ends) / (n + 1)", least=1),
        ]

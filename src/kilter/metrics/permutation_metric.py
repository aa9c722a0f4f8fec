"""What metrics of the order of linked words share."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kilter.metrics.metric import LinkUse, MeanMetric, Metric, brevity_penalty
from kilter.metrics.registry import metric
from kilter.options.configured import option
from kilter.structures.permutation.permutation_input import as_batch
from kilter.structures.result.measure import Measure

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.structures.evaluation import Evaluation
    from kilter.structures.permutation.permutation_batch import PermutationBatch
    from kilter.structures.permutation.weak_factorization import FactorizedOperators


@dataclass(frozen=True, kw_only=True)
class PermutationMetric(MeanMetric):
    """A metric of the permutation of a segment's linked words.

    Over text a segment scores BP(linked words, reference length) x score with the penalty, so that
    dropping words cannot win, and the best of several references counts. Linked words are those of the
    hypothesis, also where a rule puts others into the permutation.
    """

    needs: ClassVar[tuple[str, ...]] = ("links",)
    link_use: ClassVar[LinkUse] = LinkUse.ORDER
    complexity_formula: ClassVar[str] = "the mean over its operators of 1 - score"

    penalty: bool = option(
        default=True, description="multiply by BP(linked words, reference length)"
    )
    empty: float = option(0.0, "score of a segment without any linked word", low=0.0, high=1.0)

    def control(self) -> Metric | None:
        """Return the brevity penalty alone, which is mostly coverage; None where there is none."""
        if not self.penalty or self.name == "coverage":
            return None
        return metric(f"coverage:empty={self.empty}")

    def permutation_scores(self, values: object, offsets: object = None) -> NDArray[np.float64]:
        """Return one bare score per permutation; length 0 scores `empty`.

        Permutations may be given as to `kilter.permutation_scores`, or as a `PermutationBatch`.
        """
        permutations = as_batch(values, offsets)
        scores = self._scores(permutations)
        return np.where(permutations.lengths == 0, self.empty, scores)

    def complexity(self, factorization: FactorizedOperators) -> float:
        """Return what a weak factorization costs: the mean over its operators of 1 - their score.

        That is the metric as a ground metric of [PC] section 4; one that looks at trees has its own. Rounded, so
        that sums in another order are equal.
        """
        operators = [[value - 1 for value in operator] for operator in factorization]
        return round(1.0 - float(self.permutation_scores(operators).mean()), 12)

    @abstractmethod
    def _scores(self, permutations: PermutationBatch) -> NDArray[np.float64]:
        """Return the scores; what stands where the length is 0 is not read."""

    def measure(self, evaluation: Evaluation) -> Measure:
        """Return the best score over references."""
        places = range(len(evaluation.references))
        return Measure.best([self.reference_scores(evaluation, place) for place in places])

    def reference_scores(self, evaluation: Evaluation, place: int) -> NDArray[np.float64]:
        """Return the scores against one reference, with the brevity penalty if asked for."""
        permutations = evaluation.permutations(place)
        linked = evaluation.linked_words(place)
        none = (linked == 0) | (permutations.lengths == 0)  # a rule may drop every linked word
        scores = np.where(none, self.empty, self._scores(permutations))
        if self.penalty:
            scores *= brevity_penalty(linked, evaluation.references[place].tokens.lengths)
        return scores

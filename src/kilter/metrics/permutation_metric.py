"""What metrics of the order of linked words share."""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kilter.core.counted import counted
from kilter.core.permutation import Permutation
from kilter.core.permutation_input import as_batch
from kilter.core.registry import option
from kilter.metrics.metric import (
    LinkUse,
    MeanMetric,
    Metric,
    best_reference,
    brevity_penalty,
    brevity_steps,
)
from kilter.metrics.registry import metric
from kilter.results.measure import Measure, Ordering, ScoreParts, Working, WorkingStep

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.core.evaluation import Evaluation
    from kilter.core.permutation_batch import PermutationBatch
    from kilter.core.permutation_factorization import FactorizedOperators


class OrderMetric(Metric):
    """A metric of the order of linked words: it scores permutations, and most price order errors.

    `empty` is the score of no word at all. With `penalty` a segment scores its order times a brevity penalty.
    """

    link_use: ClassVar[LinkUse] = LinkUse.ORDER
    order_only: ClassVar[bool] = True
    words_only: ClassVar[bool] = False
    """Whether tokens without a letter or digit are left out of the order."""

    @property
    def prices_errors(self) -> bool:
        """Whether an order error has a cost in it."""
        return True

    @property
    @abstractmethod
    def penalty(self) -> bool:
        """Whether a segment scores its order times BP(linked words, reference length)."""

    @property
    @abstractmethod
    def empty(self) -> float:
        """The score of no word at all."""

    def permutation_scores(self, values: object, offsets: object = None) -> NDArray[np.float64]:
        """Return one bare score per permutation; length 0 scores `empty`.

        Permutations may be given as to `kilter.permutation_scores`, or as a `PermutationBatch`.
        """
        permutations = as_batch(values, offsets)
        scores = self._scores(permutations)
        return np.where(permutations.lengths == 0, self.empty, scores)

    @abstractmethod
    def _scores(self, permutations: PermutationBatch) -> NDArray[np.float64]:
        """Return the scores; what stands where the length is 0 is not read."""

    @abstractmethod
    def reference_scores(self, evaluation: Evaluation, place: int) -> NDArray[np.float64]:
        """Return the scores of segments against one reference."""


@dataclass(frozen=True, kw_only=True)
class PermutationMetric(OrderMetric, MeanMetric):
    """A metric of the permutation of a segment's linked words.

    Over text a segment scores BP(linked words, reference length) x score with the penalty, so that
    dropping words cannot win, and the best of several references counts. Linked words are those of the
    hypothesis, also where a rule puts others into the permutation.
    """

    needs: ClassVar[tuple[str, ...]] = ("links",)
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

    def complexity(self, factorization: FactorizedOperators) -> float:
        """Return what a weak factorization costs: the mean over its operators of 1 - their score.

        That is the metric as a ground metric of [PC] section 4; one that looks at trees has its own. Rounded, so
        that sums in another order are equal.
        """
        operators = [[value - 1 for value in operator] for operator in factorization]
        return round(1.0 - float(self.permutation_scores(operators).mean()), 12)

    def measure(self, evaluation: Evaluation) -> Measure:
        """Return the best score over references; its parts are order and coverage, if it is penalised."""
        places = range(len(evaluation.references))
        best = Ordering.best([self.ordering(evaluation, place) for place in places])
        if self.control() is None:
            return Measure.mean(best.scores)
        sizes = np.ones(len(best.scores))
        return Measure.mean(best.scores, ScoreParts((best.term(),), best.evidence, sizes))

    def ordering(self, evaluation: Evaluation, place: int) -> Ordering:
        """Return order and coverage against one reference; coverage is 1 without the brevity penalty."""
        permutations = evaluation.permutations(place)
        linked = evaluation.linked_words(place)
        some = (linked > 0) & (permutations.lengths > 0)  # a rule may drop every linked word
        order = np.where(some, self._scores(permutations), self.empty)
        if not self.penalty:
            return Ordering(order, np.ones(len(order)), some)
        lengths = evaluation.references[place].tokens.lengths
        return Ordering(order, brevity_penalty(linked, lengths), some)

    def reference_scores(self, evaluation: Evaluation, place: int) -> NDArray[np.float64]:
        """Return the scores against one reference, with the brevity penalty if asked for."""
        return self.ordering(evaluation, place).scores

    def working(self, evaluation: Evaluation, segment: int) -> Working | None:
        """Return the steps to the order of the linked words, and its penalty."""
        places = range(len(evaluation.references))
        place = best_reference((self.reference_scores(evaluation, k) for k in places), segment)
        steps = self.reference_steps(evaluation, place, segment)
        return None if steps is None else Working(steps, place)

    def reference_steps(
        self, evaluation: Evaluation, place: int, segment: int
    ) -> tuple[WorkingStep, ...] | None:
        """Return the steps to the score of a segment against one reference, which is the last."""
        permutation = evaluation.permutations(place)[segment]
        linked = int(evaluation.linked_words(place)[segment])
        steps: list[WorkingStep] | None
        if linked == 0 or len(permutation) == 0:
            steps = [WorkingStep("order", "score of a segment without any linked word", self.empty)]
        else:
            steps = self._order_steps(Permutation(permutation))
        if steps is None:
            return None
        order, meaning = steps[-1].value, f"{self.name} of the segment"
        if not self.penalty:
            return (*steps, WorkingStep("score", meaning, order, "order"))
        length = int(evaluation.references[place].tokens.lengths[segment])
        *counts, penalty = brevity_steps(linked, length)
        score = WorkingStep("score", meaning, order * penalty.value, "BP * order")
        return (*steps, *counts, penalty, score)

    def _order_steps(self, permutation: Permutation) -> list[WorkingStep] | None:
        """Return the steps to the bare score of a permutation of one word or more, the step `order`.

        None where the metric does not tell; then it has no working.
        """
        return None

    def _order_step(self, permutation: Permutation, formula: str, *, least: int = 2) -> WorkingStep:
        """Return the last of these steps; of fewer than `least` words nothing is asked, and they score 1."""
        value = float(self._scores(as_batch([permutation.values]))[0])
        if len(permutation) < least:
            return WorkingStep(
                "order", f"{self.name} of fewer than {counted(least, 'word')}", value, "1"
            )
        return WorkingStep("order", f"{self.name} of the linked words", value, formula)


def rising_pairs(permutation: Permutation) -> int:
    """Return how many pairs of values rise, counted one by one.

    >>> rising_pairs(Permutation.from_one_based([1, 3, 2, 4]))
    5
    """
    seen: list[int] = []
    rising = 0
    for value in permutation:
        place = bisect(seen, value)
        rising += place
        seen.insert(place, value)
    return rising

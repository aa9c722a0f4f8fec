"""Word order by itself: the share of neighbours and of all pairs of linked words in order. Section 6.10"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import isnan
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kilter.core.permutation import Permutation
from kilter.core.permutation_input import as_batch
from kilter.core.registry import option
from kilter.core.settings import checked
from kilter.metrics.permutation_metric import OrderMetric, rising_pairs
from kilter.metrics.version_two import VERSION_TWO, OrderTwo
from kilter.results.measure import Measure, Working, WorkingStep

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.core.evaluation import Evaluation
    from kilter.core.permutation_batch import PermutationBatch

    Floats = NDArray[np.float64]

NEIGHBOURS, PAIRS = 1.7, 0.3
"""What a share of 1 out of order costs. They add up to 2, so that half of both out of order, as chance gives, is 0."""
ROUNDING = 1e-12
"""What is left of a zero."""
LEAST_LINKS, LEAST_SHARE = 4, 0.25
"""Linked words, and their share of the reference's words, from which on a segment has evidence of its order."""
LEAST_EVIDENCE = 0.5
"""Share of a corpus' reference words that must stand in segments with evidence."""


class Version(StrEnum):
    """Which formula counts."""

    THREE = "3"
    TWO = VERSION_TWO


@checked
def order(permutation: Permutation) -> float:
    """Return 1 - 1.7 x neighbours out of order - 0.3 x pairs out of order, as shares, and at least 0.

    Neighbours are words that follow one another in the reference; they are in order at any distance. A single
    word leaves nothing to misplace and scores 1; no word at all scores 0.

    >>> from kilter import Permutation
    >>> round(order(Permutation.from_one_based([1, 3, 2, 4, 5])), 6)
    0.545
    """
    return float(Order().permutation_scores(as_batch([permutation.values]))[0])


def kept_neighbours(permutations: PermutationBatch) -> NDArray[np.int64]:
    """Return how many pairs of reference neighbours stand in their order in each permutation.

    >>> kept_neighbours(as_batch([[0, 2, 1, 3], [2, 1, 0], []])).tolist()
    [2, 0, 0]
    """
    owner = np.repeat(np.arange(len(permutations)), permutations.lengths)
    inverse = np.empty(len(permutations.values), dtype=np.int64)
    inverse[permutations.offsets[:-1][owner] + permutations.values] = np.arange(len(inverse))
    kept = (np.diff(inverse) > 0) & (np.diff(owner) == 0)
    return np.bincount(owner[:-1][kept], minlength=len(permutations))


@dataclass(frozen=True, kw_only=True)
class Order(OrderMetric):
    """Word order by itself. A segment with too few links has no score: it is missing.

    A corpus scores the mean of its other segments, each of which weighs as much as it has linked words, and is
    missing where they hold less than half of the reference's words.
    """

    model_links: ClassVar[bool] = True
    name: ClassVar[str] = "order"
    summary: ClassVar[str] = "word order by itself: neighbours and pairs of linked words in order"
    purpose: ClassVar[str] = "word order alone"
    formula: ClassVar[str] = "max(0, 1 - 1.7 x neighbours out of order - 0.3 x pairs out of order)"
    citations: ClassVar[tuple[str, ...]] = ("kilter", "birch-osborne-2010")
    needs: ClassVar[tuple[str, ...]] = ("links",)
    averages: ClassVar[bool] = True
    words_only: ClassVar[bool] = True
    penalty: ClassVar[bool] = False
    empty: ClassVar[float] = 0.0

    weights: Version = option(Version.THREE, "version of the formula: 3, or 2 for earlier scores")

    @property
    def prices_errors(self) -> bool:
        """Not in version 2, whose score is not of the permutation alone."""
        return self.weights is Version.THREE

    def _scores(self, permutations: PermutationBatch) -> Floats:
        joints = np.maximum(permutations.lengths - 1, 1)
        kept = np.where(permutations.lengths > 1, kept_neighbours(permutations), 1)
        rising = permutations.kendall_scores()
        found: Floats = 1.0 - NEIGHBOURS * (1.0 - kept / joints) - PAIRS * (1.0 - rising)
        return np.where(found > ROUNDING, found, 0.0)

    def reference_scores(self, evaluation: Evaluation, place: int) -> Floats:
        """Return the scores against one reference, NaN where there is too little evidence."""
        if self.weights is Version.TWO:
            return OrderTwo.of(evaluation, place).scores
        permutations = evaluation.word_permutations(place)
        linked, words = order_evidence(evaluation, place)
        known = has_evidence(linked, words) & (permutations.lengths > 0)
        return np.where(known, self.permutation_scores(permutations), np.nan)

    def measure(self, evaluation: Evaluation) -> Measure:
        """Return the best score over references.

        Statistics are weight x score, weight, mean words of the references in a segment with evidence, and in any.
        """
        places = range(len(evaluation.references))
        every = np.stack([self.reference_scores(evaluation, place) for place in places])
        best, segments = (
            np.argmax(np.nan_to_num(every, nan=-1.0), axis=0),
            np.arange(len(evaluation)),
        )
        scores = every[best, segments]
        evidence = np.stack([self._weights(evaluation, place) for place in places])
        linked, words = evidence[best, 0, segments], evidence[:, 1].mean(axis=0)
        known = ~np.isnan(scores) & (linked > 0)
        weights = np.where(known, linked, 0.0)
        rows = [np.where(known, scores, 0.0) * weights, weights, np.where(known, words, 0.0), words]
        return Measure(np.column_stack(rows), scores)

    def _weights(self, evaluation: Evaluation, place: int) -> Floats:
        """Return in two rows what each segment weighs, and its words."""
        if (
            self.weights is Version.TWO
        ):  # version 2 leaves nothing out but segments without evidence
            weights = OrderTwo.of(evaluation, place).weights
            return np.stack([weights, np.zeros(len(weights))])
        return np.stack(order_evidence(evaluation, place)).astype(np.float64)

    def corpus_score(self, sums: Floats) -> Floats:
        """Return the mean of the segments with evidence; NaN where they hold too few of the words."""
        total, weights, covered, words = (sums[..., column] for column in range(4))
        known = (weights > 0) & (covered >= LEAST_EVIDENCE * words)
        none = np.full(total.shape, 0.0 if self.weights is Version.TWO else np.nan)
        scores: Floats = np.divide(total, weights, out=none, where=known)
        return scores

    def missing(self, sums: Floats) -> str:
        """Return why a corpus has no score."""
        covered, words = float(sums[2]), float(sums[3])
        share = covered / words if words else 0.0
        return (
            f"segments with enough links ({LEAST_LINKS} words and a quarter of the reference) hold {share:.0%} of "
            "the reference's words, and half is needed; lines may be empty or too short, the reference in another "
            "language, or links missing"
        )

    def working(self, evaluation: Evaluation, segment: int) -> Working:
        """Return the evidence, what of the linked words is out of order, and what that costs."""
        places = range(len(evaluation.references))
        scores = [self.reference_scores(evaluation, place)[segment] for place in places]
        place = int(np.argmax(np.nan_to_num(scores, nan=-1.0)))
        score = float(scores[place])
        if self.weights is Version.TWO:
            return Working((WorkingStep("score", "order of the segment, version 2", score),), place)
        steps = order_steps(evaluation, place, segment, score)
        last = WorkingStep("score", "order of the segment", score, "" if isnan(score) else "order")
        return Working((*steps, last), place)


def order_evidence(
    evaluation: Evaluation, place: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the linked words of each hypothesis, and the words of each reference."""
    links = evaluation.word_links(place)
    return links.linked_words(jobs=evaluation.jobs)[:, 0], evaluation.reference_words(place)


def has_evidence(linked: NDArray[np.int64], words: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return whether enough words are linked to tell an order: four, and a quarter of the reference's.

    >>> has_evidence(np.array([3, 4, 4]), np.array([3, 16, 17])).tolist()
    [False, True, False]
    """
    enough: NDArray[np.bool_] = (linked >= LEAST_LINKS) & (linked >= LEAST_SHARE * words)
    return enough


def order_steps(
    evaluation: Evaluation, place: int, segment: int, score: float
) -> tuple[WorkingStep, ...]:
    """Return the steps to the order of a segment against one reference, which is the last."""
    linked, words = (int(each[segment]) for each in order_evidence(evaluation, place))
    steps = [
        WorkingStep("linked", "linked words", linked),
        WorkingStep("words", "words of the reference", words),
    ]
    if isnan(score):
        told = f"missing: fewer than {LEAST_LINKS} linked words, or less than a quarter"
        return (*steps, WorkingStep("order", told, score))
    permutation = Permutation(evaluation.word_permutations(place)[segment])
    count = len(permutation)
    kept = int(kept_neighbours(as_batch([permutation.values]))[0])
    return (
        *steps,
        WorkingStep("n", "words in an order", count),
        WorkingStep("parted", "neighbours out of order", count - 1 - kept),
        WorkingStep("crossed", "pairs out of order", count * (count - 1) // 2 - rising_pairs(permutation)),
        WorkingStep("order", "order of the segment", score,
                    f"max(1 - {NEIGHBOURS:g} * parted / (n - 1) - {PAIRS:g} * crossed / (n * (n - 1) / 2), 0)"),
    )  # fmt: skip

"""METEOR in its form of 2005. [TH] 3.5.4, Banerjee and Lavie (2005)"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kilter.core.links import Link, LinkBatch
from kilter.core.registry import option
from kilter.core.settings import checked
from kilter.metrics.metric import LinkUse, Metric
from kilter.results.measure import ORDER, WORDS, Measure, ScoreParts, Term, Working, WorkingStep

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.core.evaluation import Evaluation


class CorpusScore(StrEnum):
    """What the score of a corpus is made of."""

    SUMS = "sums"
    MEAN = "mean"


@checked
def meteor(
    links: Iterable[Link],
    *,
    hypothesis_length: int,
    reference_length: int,
    alpha: float = 0.9,
    weight: float = 0.5,
    exponent: float = 3.0,
) -> float:
    """Return METEOR of one-to-one (hypothesis, reference) links: Fmean * (1 - penalty).

    With m links, P = m / hypothesis length and R = m / reference length: Fmean = PR / (alpha P +
    (1 - alpha) R), which is 10PR / (R + 9P) by default, and penalty = weight * (chunks / m)^exponent.
    A chunk is a run of links between neighbours in the same order on both sides. No link scores 0.

    >>> links = [(6, 0), (2, 1), (3, 2), (4, 3), (1, 5)]
    >>> round(meteor(links, hypothesis_length=7, reference_length=6), 4)
    0.7311
    """
    chosen = Meteor(alpha=alpha, weight=weight, exponent=exponent)
    batch = LinkBatch.of([links])
    lengths = np.array([[hypothesis_length, reference_length]])
    batch.check(lengths[:, 0], lengths[:, 1])
    batch.check_one_to_one()
    return float(chosen.counted_scores(np.hstack([link_counts(batch), lengths]))[0])


def link_counts(links: LinkBatch) -> NDArray[np.float64]:
    """Return links and chunks per segment."""
    owner = links.segments()
    joined = (np.diff(links.links, axis=0) == 1).all(axis=1) & (np.diff(owner) == 0)
    joints = np.bincount(owner[1:][joined], minlength=len(links))
    return np.column_stack([links.counts, links.counts - joints]).astype(float)


def kept_order(counts: NDArray[np.float64], weight: float, exponent: float) -> NDArray[np.float64]:
    """Return 1 - weight * (chunks / matches)^exponent; without a match 0."""
    matches, chunks = counts[..., 0], counts[..., 1]
    ratio = np.divide(chunks, matches, out=np.zeros(matches.shape), where=matches > 0)
    return np.where(matches > 0, 1.0 - weight * ratio**exponent, 0.0)


def count_steps(counts: NDArray[np.float64]) -> tuple[WorkingStep, WorkingStep]:
    """Return the matches and the chunks of a segment."""
    return (
        WorkingStep("m", "words that match", int(counts[0])),
        WorkingStep("chunks", "runs of matches that are neighbours on both sides", int(counts[1])),
    )


def penalty_steps(weight: float, exponent: float, penalty: float) -> tuple[WorkingStep, ...]:
    """Return the options of the fragmentation penalty, and the penalty."""
    return (
        WorkingStep("weight", "weight of the fragmentation penalty", weight),
        WorkingStep("exponent", "its exponent", exponent),
        WorkingStep(
            "penalty", "fragmentation penalty", penalty, "weight * (chunks / m) ** exponent"
        ),
    )


@dataclass(frozen=True, kw_only=True)
class FragmentationMetric(Metric):
    """A metric of matches, chunks and lengths; the best reference of a segment counts."""

    needs: ClassVar[tuple[str, ...]] = ("words", "links")
    link_use: ClassVar[LinkUse] = LinkUse.ONE_TO_ONE

    weight: float = option(0.5, "weight of the fragmentation penalty", low=0.0, high=1.0)
    exponent: float = option(3.0, "exponent of chunks / matches", low=0.0, high=100.0)
    corpus: CorpusScore = option(
        CorpusScore.SUMS, "corpus score from summed counts, as METEOR's, or mean of the segments"
    )

    @abstractmethod
    def counted_scores(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the score of matches, chunks, hypothesis and reference length (the last axis)."""

    def measure(self, evaluation: Evaluation) -> Measure:
        """Return the best score over references.

        Statistics are matches, chunks and lengths with the best reference, the score, and 1.
        """
        counts, scores = self._best(evaluation)
        sizes = np.ones(len(scores))
        parts: tuple[ScoreParts, ...] = ()
        if self.corpus is CorpusScore.MEAN and (terms := self.counted_terms(counts)):
            parts = (ScoreParts(terms, counts[:, 0] > 0, sizes, shown=False),)
        return Measure(np.column_stack([counts, scores, sizes]), scores, parts)

    def corpus_score(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the score of the summed counts, or the mean."""
        if self.corpus is CorpusScore.SUMS:
            return self.counted_scores(sums[..., :4])
        total, segments = sums[..., 4], sums[..., 5]
        return np.divide(total, segments, out=np.zeros(total.shape), where=segments > 0)

    def counted_terms(self, counts: NDArray[np.float64]) -> tuple[Term, ...]:
        """Return the terms that add up to `counted_scores`, for a metric that is more than order."""
        return ()

    def corpus_terms(self, sums: NDArray[np.float64]) -> tuple[Term, ...]:
        """Return the terms of the summed counts, unless the score of a corpus is a mean."""
        return self.counted_terms(sums[..., :4]) if self.corpus is CorpusScore.SUMS else ()

    def working(self, evaluation: Evaluation, segment: int) -> Working | None:
        """Return matches and chunks of the best reference, and what follows from them."""
        best, _ = self._best(evaluation)
        steps = self.fragment_steps(best[segment])
        if steps is None:
            return None
        scores = [self.counted_scores(counts)[segment] for counts in self._counts(evaluation)]
        return Working(steps, scores.index(max(scores)))

    def fragment_steps(self, counts: NDArray[np.float64]) -> tuple[WorkingStep, ...] | None:
        """Return the steps to the score of matches, chunks and lengths; None if the metric does not tell."""
        return None

    def _counts(self, evaluation: Evaluation) -> Iterator[NDArray[np.float64]]:
        """Yield matches, chunks and lengths with each reference."""
        for place, reference in enumerate(evaluation.references):
            links = evaluation.one_to_one_links(place)
            lengths = evaluation.hypothesis.tokens.lengths, reference.tokens.lengths
            yield np.column_stack([link_counts(links), *lengths])

    def _best(self, evaluation: Evaluation) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        best, top = np.zeros((len(evaluation), 4)), np.full(len(evaluation), -1.0)
        for counts in self._counts(evaluation):
            scores = self.counted_scores(counts)
            better = scores > top
            best[better], top[better] = counts[better], scores[better]
        return best, top


@dataclass(frozen=True, kw_only=True)
class Meteor(FragmentationMetric):
    """METEOR of 2005 over whatever links there are."""

    name: ClassVar[str] = "meteor"
    summary: ClassVar[str] = "METEOR (2005): F-mean of the links x order kept in chunks"
    formula: ClassVar[str] = "PR / (alpha P + (1 - alpha) R) x (1 - weight (chunks / m)^exponent)"
    citations: ClassVar[tuple[str, ...]] = ("banerjee-lavie-2005", "mccaffery-2017")

    alpha: float = option(0.9, "weight of recall in the F-mean", low=0.0, high=1.0)

    def control(self) -> Meteor | None:
        """Return the F-mean alone."""
        return None if self.weight == 0.0 else replace(self, weight=0.0)

    def counted_scores(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return Fmean x (1 - penalty); without a match 0."""
        scores: NDArray[np.float64] = self._mean(counts) * kept_order(
            counts, self.weight, self.exponent
        )
        return scores

    def counted_terms(self, counts: NDArray[np.float64]) -> tuple[Term, ...]:
        """Return order, what the penalty leaves, times words, the F-mean; no match is no matter of order."""
        order = np.where(counts[..., 0] > 0, kept_order(counts, self.weight, self.exponent), 1.0)
        return (Term(1.0, {ORDER: order, WORDS: self._mean(counts)}),)

    def _mean(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        matches, hypothesis, reference = counts[..., 0], counts[..., 2], counts[..., 3]
        # PR / (alpha P + (1 - alpha) R) with P = m / hypothesis and R = m / reference.
        length = self.alpha * reference + (1.0 - self.alpha) * hypothesis
        return np.divide(matches, length, out=np.zeros(matches.shape), where=matches > 0)

    def fragment_steps(self, counts: NDArray[np.float64]) -> tuple[WorkingStep, ...]:
        """Return the F-mean, the fragmentation penalty, and the score of both."""
        matches, chunks, hypothesis, reference = counts.tolist()
        score = float(self.counted_scores(counts[np.newaxis])[0])
        steps = count_steps(counts)
        if matches == 0:
            return (*steps, WorkingStep("score", "METEOR without a match", score, "0"))
        precision, recall = matches / hypothesis, matches / reference
        mean = precision * recall / (self.alpha * precision + (1.0 - self.alpha) * recall)
        penalty = self.weight * (chunks / matches) ** self.exponent
        return (
            *steps,
            WorkingStep("t", "words of the hypothesis", int(hypothesis)),
            WorkingStep("r", "words of the reference", int(reference)),
            WorkingStep("P", "precision", precision, "m / t"),
            WorkingStep("R", "recall", recall, "m / r"),
            WorkingStep("alpha", "weight of recall", self.alpha),
            WorkingStep("F", "F-mean", mean, "P * R / (alpha * P + (1 - alpha) * R)"),
            *penalty_steps(self.weight, self.exponent, penalty),
            WorkingStep("score", "METEOR", score, "F * (1 - penalty)"),
        )

"""Metrics of reordered sentences: how a system orders the source words, and how a reference does. [FRS]"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kilter.core.corpus import TokenColumn
from kilter.core.link_rule import LinkRule, reorder
from kilter.core.registry import option
from kilter.core.reordering import OrderMatch
from kilter.core.settings import Choice
from kilter.metrics.metric import MeanMetric, best_reference
from kilter.results.measure import Measure, Ordering, ScoreParts, Working, WorkingStep

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.core.evaluation import Evaluation
    from kilter.core.links import LinkBatch
    from kilter.core.reordering import Reordering


class WordMatch(Choice):
    """What makes a word of the system a word of the reference: its form, or its place in the source."""

    FORM = "form"
    IDENTITY = "identity"


class CorpusAverage(Choice):
    """The score of a corpus: the mean over segments, or one division over all of them."""

    MEAN = "mean"
    POOLED = "pooled"


@dataclass(frozen=True, kw_only=True)
class ReorderingMetric(MeanMetric):
    """A share of what could be right in the order of a segment; where nothing could, 1."""

    citations: ClassVar[tuple[str, ...]] = ("talbot-2011",)
    needs: ClassVar[tuple[str, ...]] = ("source", "source-links", "reference-links")

    counted: ClassVar[str] = "pairs of words"
    """What is right or not."""
    factor_meaning: ClassVar[str] = "0 where no word is linked with the hypothesis"

    match: WordMatch = option(
        WordMatch.FORM, "words are the same by form, or by place in the source"
    )
    average: CorpusAverage = option(
        CorpusAverage.MEAN, "mean over segments, or one share over all of them"
    )

    @abstractmethod
    def parts(self, match: OrderMatch) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return what is right in each segment, and what could be."""

    def match_scores(self, match: OrderMatch) -> NDArray[np.float64]:
        """Return one score per segment."""
        return _shares(*self.parts(match))

    def match_statistics(self, match: OrderMatch) -> NDArray[np.float64]:
        """Return what sums to a corpus score: score and 1, or what is right and what could be."""
        right, possible = self.parts(match)
        if self.average is CorpusAverage.POOLED:
            return np.column_stack([right, possible]).astype(np.float64)
        return np.column_stack([_shares(right, possible), np.ones(len(right))])

    def corpus_score(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the quotient; pooled over segments in which nothing could be wrong, 1."""
        nothing = 1.0 if self.average is CorpusAverage.POOLED else 0.0
        total, segments = sums[..., 0], sums[..., 1]
        return np.divide(total, segments, out=np.full_like(total, nothing), where=segments != 0)

    def measure(self, evaluation: Evaluation) -> Measure:
        """Return statistics and score of the best reference of each segment.

        Source words are ordered by their links with the hypothesis and with the reference, by the rule
        `talbot`. Where none is linked with the hypothesis, nobody knows its order, and the score is 0.
        """
        measures, found = [], []
        for factor, match in self._matches(evaluation):
            ordering = Ordering(self.match_scores(match), factor, factor > 0.0)
            weights = np.column_stack([factor, np.ones(len(match))])
            measures.append(Measure(self.match_statistics(match) * weights, ordering.scores))
            found.append(ordering)
        best = reduce(_better, measures)
        if not self.is_penalised or self.average is CorpusAverage.POOLED:
            return best
        ordering = Ordering.best(found)
        sizes = np.ones(len(ordering.order))
        return replace(best, parts=(ScoreParts((ordering.term(),), ordering.evidence, sizes),))

    @property
    def is_penalised(self) -> bool:
        """Whether scores over text are multiplied by a penalty, so that order is told apart from coverage."""
        return False

    def factors(
        self, linked: NDArray[np.int64], expected: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Return what scores over text are multiplied by, given how many source words have links.

        `linked` are those with the hypothesis, `expected` those with the reference.
        """
        return np.where((linked == 0) & (expected > 0), 0.0, 1.0)

    def working(self, evaluation: Evaluation, segment: int) -> Working:
        """Return what is right in the order of the source words, what could be, and the factor."""
        matches = self._matches(evaluation)
        place = best_reference(
            (factor * self.match_scores(match) for factor, match in matches), segment
        )
        factor, match = matches[place]
        right, possible = (int(part[segment]) for part in self.parts(match))
        share = float(self.match_scores(match)[segment])
        weight = float(factor[segment])
        batches = evaluation.given_source_links(), evaluation.reference_links[place]
        linked, expected = (
            int(batch.linked_words(jobs=evaluation.jobs)[segment, 0]) for batch in batches
        )
        formula = self.factor_formula(linked, expected)
        return Working(
            (
                WorkingStep("right", f"{self.counted} as they should be", right),
                WorkingStep("possible", f"{self.counted} in all", possible),
                WorkingStep("order", "share", share, "right / possible" if possible else "1"),
                WorkingStep("linked", "source words linked with the hypothesis", linked),
                WorkingStep("expected", "source words linked with the reference", expected),
                WorkingStep("factor", self.factor_meaning, weight, formula),
                WorkingStep(
                    "score", f"{self.name} of the segment", weight * share, "factor * order"
                ),
            ),
            place,
        )

    def factor_formula(self, linked: int, expected: int) -> str:
        """Return the formula of a segment's factor."""
        return "0" if linked == 0 and expected > 0 else "1"

    def _matches(self, evaluation: Evaluation) -> list[tuple[NDArray[np.float64], OrderMatch]]:
        words, links = evaluation.given_source().tokens, evaluation.given_source_links()
        jobs = evaluation.jobs
        one = self._column(_order(links, words, jobs), words)
        matches = []
        for other in evaluation.reference_links:
            reference = _order(other, words, jobs)
            match = OrderMatch.of(one, self._column(reference, words), reference.group, jobs=jobs)
            linked = (batch.linked_words(jobs=jobs)[:, 0] for batch in (links, other))
            matches.append((self.factors(*linked), match))
        return matches

    def _column(self, reordering: Reordering, words: TokenColumn) -> TokenColumn:
        if self.match is WordMatch.IDENTITY:
            return TokenColumn(reordering.order, reordering.offsets)
        starts = np.repeat(reordering.offsets[:-1], np.diff(reordering.offsets))
        return TokenColumn(words.ids[starts + reordering.order], reordering.offsets)


def _better(first: Measure, second: Measure) -> Measure:
    """Return for each segment what has the better score."""
    better = second.scores > first.scores
    rows = np.where(better[:, np.newaxis], second.statistics, first.statistics)
    return Measure(rows, np.maximum(first.scores, second.scores))


def _order(links: LinkBatch, words: TokenColumn, jobs: int) -> Reordering:
    return reorder(links, words.lengths, rule=LinkRule.TALBOT, jobs=jobs)


def _shares(right: NDArray[np.int64], possible: NDArray[np.int64]) -> NDArray[np.float64]:
    return np.divide(right, possible, out=np.ones(len(right)), where=possible > 0)

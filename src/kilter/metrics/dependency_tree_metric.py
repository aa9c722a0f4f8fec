"""What metrics of linked trees share: the best parse and reference of a segment, and corpus scores."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kilter.core.dependency_tree import DependencyTree
from kilter.core.registry import option
from kilter.metrics.metric import MeanMetric, best_reference
from kilter.results.measure import Measure, Working, WorkingStep

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from numpy.typing import NDArray

    from kilter.core.evaluation import Evaluation
    from kilter.core.path_graph import PathGraph
    from kilter.metrics.metric import Metric


class CorpusWeight(StrEnum):
    """What a segment weighs in the score of a corpus: as much as any other, or as its linked words."""

    MEAN = "mean"
    LINKED = "linked"


class NoEvidence(StrEnum):
    """What a segment without any linked word scores: 0, or what the published formula gives."""

    ZERO = "zero"
    PUBLISHED = "published"


@dataclass(frozen=True, kw_only=True)
class DependencyTreeMetric(MeanMetric):
    """A metric of linked words in trees; the best reference of a segment counts, and the best parse.

    Its corpus score is a mean, in which segments may weigh as much as they have linked words.
    """

    needs: ClassVar[tuple[str, ...]] = ("links", "trees")

    corpus: CorpusWeight = option(
        CorpusWeight.MEAN, "corpus score: mean of the segments, or weighted by their linked words"
    )

    @abstractmethod
    def reference_scores(self, evaluation: Evaluation, place: int) -> NDArray[np.float64]:
        """Return the score of each segment against one reference, the best over parses."""

    def measure(self, evaluation: Evaluation) -> Measure:
        """Return the best score over references.

        Statistics are weight x score and the weight, with the best reference; then score and 1.
        """
        top, weights = self._best(evaluation)
        plain = Measure.mean(top)
        if self.corpus is CorpusWeight.MEAN:
            return plain
        return Measure(np.column_stack([weights * top, weights, plain.statistics]), top)

    def working(self, evaluation: Evaluation, segment: int) -> Working | None:
        """Return the steps of the best reference and the best parse."""
        places = range(len(evaluation.references))
        place = best_reference((self.reference_scores(evaluation, k) for k in places), segment)
        return self.reference_working(evaluation, place, segment)

    def reference_working(self, evaluation: Evaluation, place: int, segment: int) -> Working | None:
        """Return the steps against one reference; None if the metric does not tell."""
        return None

    def corpus_score(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the weighted mean, or the plain one where no word is linked."""
        if self.corpus is CorpusWeight.MEAN:
            return super().corpus_score(sums)
        linked = sums[..., 1] != 0
        return super().corpus_score(np.where(linked[..., None], sums[..., :2], sums[..., 2:]))

    def _best(self, evaluation: Evaluation) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        top, weights = np.full(len(evaluation), -1.0), np.ones(len(evaluation))
        for place in range(len(evaluation.references)):
            scores = self.reference_scores(evaluation, place)
            better = scores > top
            top[better] = scores[better]
            if self.corpus is CorpusWeight.LINKED:
                linked = evaluation.links[place].linked_words(jobs=evaluation.jobs).sum(axis=1)
                weights[better] = linked[better]
        return top, weights


@dataclass(frozen=True, kw_only=True)
class FlattenedDependencyTreeMetric(DependencyTreeMetric):
    """A tree metric that can do without trees: sentences become chains of their words."""

    flat: bool = option(
        default=False, description="compare flattened sentences, which need no trees"
    )

    def needed(self, offered: AbstractSet[str]) -> tuple[str, ...]:
        """Return the needs; flattened sentences need no trees."""
        return tuple(need for need in self.needs if need != "trees" or not self.flat)

    def compared_trees(
        self, evaluation: Evaluation, place: int, segment: int, pair: tuple[int, int]
    ) -> tuple[DependencyTree, DependencyTree]:
        """Return the trees of a comparison by their numbers, or those of the words in a row."""
        texts = evaluation.hypothesis, evaluation.references[place]
        if self.flat:
            words = [evaluation.vocabulary.text(text.tokens, segment) for text in texts]
            first, second = (
                DependencyTree(each, [place - 1 for place in range(len(each))]).flattened()
                for each in words
            )
            return first, second
        first, second = (
            evaluation.trees_of(text).tree(number) for text, number in zip(texts, pair, strict=True)
        )
        return first, second

    def without(self, missing: AbstractSet[str]) -> Metric | None:
        """Return the metric of flattened sentences where nothing but trees is missing."""
        return replace(self, flat=True) if missing <= {"trees"} else None


def shares(parts: NDArray[np.int64], wholes: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return fractions; one with denominator 0 counts as 0."""
    quotients = np.zeros(len(parts))
    np.divide(parts, wholes, out=quotients, where=wholes > 0)
    return quotients


def with_evidence(
    scores: NDArray[np.float64],
    linked: NDArray[np.int64],
    words: NDArray[np.int64],
    policy: NoEvidence,
) -> NDArray[np.float64]:
    """Return scores after the policy for segments without linked words; two empty sides keep theirs."""
    if policy is NoEvidence.PUBLISHED:
        return scores
    nothing = (linked.sum(axis=1) == 0) & (words.sum(axis=1) > 0)
    return np.where(nothing, 0.0, scores)


def word_steps(words: NDArray[np.int64], linked: NDArray[np.int64]) -> list[WorkingStep]:
    """Return how many words both sides have, and how many of them are linked."""
    sides = (("H", "hypothesis"), ("R", "reference"))
    steps = [
        WorkingStep(f"n_{sign}", f"words of the {side}", int(count))
        for (sign, side), count in zip(sides, words, strict=True)
    ]
    steps += [
        WorkingStep(f"a_{sign}", f"linked words of the {side}", int(count))
        for (sign, side), count in zip(sides, linked, strict=True)
    ]
    return steps


def path_steps(graph: PathGraph, sums: NDArray[np.int64]) -> list[WorkingStep]:
    """Return how much the paths of the spanning tree differ, and how much they could at most."""
    costs, most = ([getattr(edge, name) for edge in graph.chosen] for name in ("cost", "most"))
    return [
        WorkingStep("paths", "paths of the spanning tree", len(costs)),
        WorkingStep("L", "differences of the paths", int(sums[0]), _sum(costs)),
        WorkingStep("L_max", "differences of the paths at most", int(sums[1]), _sum(most)),
    ]


def _sum(parts: list[int]) -> str:
    return " + ".join(map(str, parts)) or "0"

"""Kendall score and complete match of reordered sentences with tied words. [FRS]"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kilter.core.reordering import TiedSpans
from kilter.core.settings import check_fields, setting
from kilter.metrics.frs import Frs
from kilter.metrics.fuzzy import Joints
from kilter.metrics.reordering_metric import CorpusAverage, ReorderingMetric, WordMatch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.core.reordering import OrderMatch


@dataclass(frozen=True, kw_only=True)
class TiedKendall(ReorderingMetric):
    """Share of pairs of words in the right order; a pair of tied words always is."""

    name: ClassVar[str] = "kendall"
    summary: ClassVar[str] = "share of pairs of source words in the right order, with tied words"
    formula: ClassVar[str] = "1 - #{pairs in the wrong order} / (M(M-1)/2)"

    def parts(self, match: OrderMatch) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the pairs in the right order, and all."""
        pairs = match.lengths * (match.lengths - 1) // 2
        return pairs - match.wrong_pairs(), pairs


@dataclass(frozen=True, kw_only=True)
class TiedComplete(ReorderingMetric):
    """Whether every word is in its place, whatever the order of tied words."""

    name: ClassVar[str] = "complete"
    summary: ClassVar[str] = "1 if the whole order is right, else 0"
    formula: ClassVar[str] = "1 if no pair is in the wrong order, else 0"

    def parts(self, match: OrderMatch) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return 1 for each segment in perfect order, and 1 for each segment."""
        right = (match.wrong_pairs() == 0).astype(np.int64)
        return right, np.ones_like(right)


@dataclass(frozen=True, kw_only=True)
class Matching:
    """How the fuzzy reordering score finds words, and reads ties and ends."""

    match: WordMatch = setting(
        default=WordMatch.FORM, description="Match words by form, or by source position."
    )
    ties: TiedSpans = setting(
        default=TiedSpans.BEST, description="Tied words: best reading of all, or pair by pair."
    )
    joints: Joints = setting(
        default=Joints.INNER, description="Joints to count: inner, or sentence ends as well."
    )

    def __post_init__(self) -> None:
        check_fields(self)

    def frs(self, average: CorpusAverage = CorpusAverage.MEAN) -> Frs:
        """Return the fuzzy reordering score."""
        return Frs(match=self.match, ties=self.ties, joints=self.joints, average=average)

    def parsing_metrics(self) -> list[ReorderingMetric]:
        """Return the metrics of pre-ordering: fuzzy score and Kendall score."""
        return [self.frs(), TiedKendall(match=self.match)]

    def metrics(self, *, pooled: bool = True) -> list[ReorderingMetric]:
        """Return the metrics of reordered sentences: fuzzy score, Kendall score, complete match."""
        averages = [CorpusAverage.MEAN, CorpusAverage.POOLED] if pooled else [CorpusAverage.MEAN]
        pairs = [TiedKendall(match=self.match, average=each) for each in averages]
        return [*map(self.frs, averages), *pairs, TiedComplete(match=self.match)]

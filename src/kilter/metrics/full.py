"""FullMetric: BLEU-1 and word order. [PEF] section 5"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kilter.core.links import Link
from kilter.core.registry import option
from kilter.core.settings import checked
from kilter.metrics.bleu import Smooth, bleu_scores, bleu_statistics, bleu_steps
from kilter.metrics.metric import LinkUse, MeanMetric
from kilter.metrics.one_segment import one_segment
from kilter.metrics.order_part import interpolated_steps, order_metric
from kilter.results.measure import WORDS, Measure, Ordering, ScoreParts, Term, Working, part_steps

if TYPE_CHECKING:
    from kilter.core.evaluation import Evaluation


@checked
def full(
    hypothesis: object,
    reference: object,
    *,
    links: Iterable[Link],
    order: str = "pef",
    alpha: float = 0.5,
) -> float:
    """Return alpha * BLEU-1 + (1 - alpha) * BP * ordering of one sentence given as words.

    `links` are one-to-one (hypothesis, reference) links; `ordering` is the metric `order` of their
    permutation, and BP(number of links, reference length) its brevity penalty. BLEU-1 has its own, on
    the length of the hypothesis. Without a link only BLEU-1 is left. Beware: in LRscore alpha weighs
    the order part instead.

    >>> hypothesis, reference = "the mat sat on the cat".split(), "the cat sat on the mat".split()
    >>> links = [(0, 0), (1, 5), (2, 2), (3, 3), (4, 4), (5, 1)]
    >>> full(hypothesis, reference, links=links, order="hamming")
    0.8333333333333333
    """
    evaluation = one_segment(hypothesis, [reference], links=[links])
    return float(Full(order=order, alpha=alpha).measure(evaluation).scores[0])


@dataclass(frozen=True, kw_only=True)
class Full(MeanMetric):
    """FullMetric; references are pooled for BLEU-1, and the best one counts for order."""

    name: ClassVar[str] = "full"
    summary: ClassVar[str] = "FullMetric: BLEU-1 and word order"
    formula: ClassVar[str] = "alpha BLEU1 + (1 - alpha) BP(links, |ref|) order"
    citations: ClassVar[tuple[str, ...]] = ("stanojevic-simaan-2014",)
    needs: ClassVar[tuple[str, ...]] = ("words", "links")
    link_use: ClassVar[LinkUse] = LinkUse.ORDER

    alpha: float = option(0.5, "weight of the lexical part", low=0.0, high=1.0)
    order: str = option("pef", "permutation metric of the order part, its options joined by +")

    def __post_init__(self) -> None:
        super().__post_init__()
        order_metric(self.order, of=self.name)

    def control(self) -> Full | None:
        """Return the metric with `coverage` in place of its order part."""
        return None if self.order == "coverage" else replace(self, order="coverage")

    def measure(self, evaluation: Evaluation) -> Measure:
        """Return the interpolation of both parts."""
        rows = bleu_statistics(evaluation, 1)
        lexical = bleu_scores(rows, smooth=Smooth.NONE, effective=False)
        metric = order_metric(self.order, of=self.name)
        places = range(len(evaluation.references))
        best = Ordering.best([metric.ordering(evaluation, place) for place in places])
        scores = self.alpha * lexical + (1.0 - self.alpha) * best.scores
        terms = (best.term(1.0 - self.alpha), Term(self.alpha, {WORDS: lexical}))
        return Measure.mean(scores, ScoreParts(terms, best.evidence, np.ones(len(scores))))

    def working(self, evaluation: Evaluation, segment: int) -> Working | None:
        """Return the steps of both parts, and their sum."""
        ordered = order_metric(self.order, of=self.name).working(evaluation, segment)
        if ordered is None:
            return None
        row = bleu_statistics(evaluation, 1)[segment]
        lexical = bleu_steps(row, smooth=Smooth.NONE, effective=False)
        steps = interpolated_steps(self.alpha, part_steps(lexical, "bleu"), ordered.steps)
        return Working(steps, ordered.reference)

"""SenScore and its system score: F1 and word order. [PC] section 6"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kilter.core.links import Link
from kilter.core.registry import option
from kilter.core.settings import checked
from kilter.metrics.f1 import f1_scores, f1_steps
from kilter.metrics.metric import LinkUse, Metric, best_reference
from kilter.metrics.one_segment import one_segment
from kilter.metrics.order_part import interpolated_steps, order_metric
from kilter.results.measure import WORDS, Measure, Ordering, ScoreParts, Term, Working, part_steps

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.core.evaluation import Evaluation


@checked
def sen(
    hypothesis: object,
    reference: object,
    *,
    links: Iterable[Link],
    order: str = "pef",
    alpha: float = 0.5,
) -> float:
    """Return alpha * F1 + (1 - alpha) * BP * ordering of one sentence given as words.

    `links` are one-to-one (hypothesis, reference) links; `ordering` is the metric `order` of their
    permutation, and BP(number of links, reference length) its brevity penalty. Without a link only F1
    is left, for an empty side 0. Beware: in LRscore alpha weighs the order part instead.

    >>> hypothesis, reference = "the mat sat on the cat".split(), "the cat sat on the mat".split()
    >>> links = [(0, 0), (1, 5), (2, 2), (3, 3), (4, 4), (5, 1)]
    >>> sen(hypothesis, reference, links=links, order="hamming")
    0.8333333333333333
    """
    evaluation = one_segment(hypothesis, [reference], links=[links])
    return float(Sen(order=order, alpha=alpha).measure(evaluation).scores[0])


@dataclass(frozen=True, kw_only=True)
class Sen(Metric):
    """SenScore; the best reference of a segment counts, in a corpus with its length as weight."""

    name: ClassVar[str] = "sen"
    summary: ClassVar[str] = "SenScore: F1 and word order, weighted by reference length"
    formula: ClassVar[str] = (
        "alpha F1 + (1 - alpha) BP(links, |ref|) order; sum |ref| s / sum |ref|"
    )
    citations: ClassVar[tuple[str, ...]] = ("stanojevic-simaan-2016",)
    needs: ClassVar[tuple[str, ...]] = ("words", "links")
    link_use: ClassVar[LinkUse] = LinkUse.ORDER

    alpha: float = option(0.5, "weight of the lexical part", low=0.0, high=1.0)
    order: str = option("pef", "permutation metric of the order part, its options joined by +")

    def __post_init__(self) -> None:
        super().__post_init__()
        order_metric(self.order, of=self.name)

    def control(self) -> Sen | None:
        """Return the metric with `coverage` in place of its order part."""
        return None if self.order == "coverage" else replace(self, order="coverage")

    def measure(self, evaluation: Evaluation) -> Measure:
        """Return the best score over references; statistics are its length x score, and that length."""
        metric = order_metric(self.order, of=self.name)
        places = range(len(evaluation.references))
        found = [metric.ordering(evaluation, place) for place in places]
        words = np.stack([f1_scores(evaluation, place) for place in places])
        ordered = np.stack([each.scores for each in found])
        scores = self.alpha * words + (1.0 - self.alpha) * ordered
        lengths = np.stack([text.tokens.lengths for text in evaluation.references])
        chosen, segments = np.argmax(scores, axis=0), np.arange(len(evaluation))
        best = Ordering.chosen(found, chosen)
        top, sizes = scores[chosen, segments], lengths[chosen, segments].astype(np.float64)
        terms = (
            best.term(1.0 - self.alpha),
            Term(self.alpha, {WORDS: words[chosen, segments]}),
        )
        rows = np.column_stack([sizes * top, sizes])
        return Measure(rows, top, (ScoreParts(terms, best.evidence, sizes),))

    def corpus_score(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the mean weighted by reference length; 0 without any reference word."""
        total, length = sums[..., 0], sums[..., 1]
        return np.divide(total, length, out=np.zeros(total.shape), where=length > 0)

    def working(self, evaluation: Evaluation, segment: int) -> Working | None:
        """Return the steps of both parts against the best reference, and their sum."""
        metric = order_metric(self.order, of=self.name)
        scores = [
            self.alpha * f1_scores(evaluation, place)
            + (1.0 - self.alpha) * metric.reference_scores(evaluation, place)
            for place in range(len(evaluation.references))
        ]
        place = best_reference(scores, segment)
        ordered = metric.reference_steps(evaluation, place, segment)
        if ordered is None:
            return None
        lexical = part_steps(f1_steps(evaluation, place, segment), "f1")
        return Working(interpolated_steps(self.alpha, lexical, ordered), place)

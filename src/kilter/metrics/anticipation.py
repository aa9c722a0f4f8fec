"""The k-anticipation rate: how often a translation runs ahead of its source."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kilter.core.links import Link, LinkBatch
from kilter.core.registry import option
from kilter.core.settings import checked
from kilter.metrics.metric import MeanMetric
from kilter.results.measure import Measure, Working, WorkingStep

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.core.evaluation import Evaluation


@checked
def anticipation(links: Iterable[Link], *, k: int = 3, empty: float = 1.0) -> float:
    """Return the share of links (source, target) with source - k + 1 > target.

    A wait-k translator writes its j-th word after reading j + k - 1 words of the source; what lies
    further ahead it has to anticipate. Without any link the rate is `empty`.

    >>> anticipation([(0, 0), (4, 1), (1, 2), (2, 3)])
    0.25
    """
    return float(Anticipation(k=k, empty=empty).link_scores(LinkBatch.of([links]))[0])


@dataclass(frozen=True, kw_only=True)
class Anticipation(MeanMetric):
    """Share of source-hypothesis links whose source word lies k or more places ahead."""

    name: ClassVar[str] = "anticipation"
    order_only: ClassVar[bool] = True
    summary: ClassVar[str] = (
        "share of source links that lie k or more words ahead (lower is better)"
    )
    formula: ClassVar[str] = "#{links (i, j): i - k + 1 > j} / links"
    citations: ClassVar[tuple[str, ...]] = ("chen-2021",)
    higher_is_better: ClassVar[bool] = False
    needs: ClassVar[tuple[str, ...]] = ("source-links",)

    k: int = option(3, "source words that lie ahead at least", low=1, high=1000)
    empty: float = option(1.0, "rate of a segment without any link", low=0.0, high=1.0)

    def link_scores(self, links: LinkBatch) -> NDArray[np.float64]:
        """Return one rate per segment of links."""
        ahead = links.links[:, 0] - self.k + 1 > links.links[:, 1]
        before = np.concatenate([[0], np.cumsum(ahead)])
        anticipated = np.diff(before[links.offsets])
        rates = np.full(len(links), self.empty)
        np.divide(anticipated, links.counts, out=rates, where=links.counts > 0)
        return rates

    def measure(self, evaluation: Evaluation) -> Measure:
        """Return one rate per segment."""
        return Measure.mean(self.link_scores(evaluation.given_source_links()))

    def working(self, evaluation: Evaluation, segment: int) -> Working:
        """Return the links, and those that lie ahead."""
        batch = evaluation.given_source_links()
        links = batch.segment(segment)
        ahead = sum(first - self.k + 1 > second for first, second in links)
        score = float(self.link_scores(batch)[segment])
        steps = [
            WorkingStep(
                "ahead", f"links whose source word lies {self.k} or more words ahead", ahead
            ),
            WorkingStep("links", "links of source and hypothesis", len(links)),
        ]
        if not links:
            return Working(
                (*steps, WorkingStep("score", "rate of a segment without any link", score))
            )
        return Working(
            (*steps, WorkingStep("score", "rate of anticipation", score, "ahead / links"))
        )

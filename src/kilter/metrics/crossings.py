"""The share of pairs of source-target links that do not cross."""

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
def crossings(links: Iterable[Link]) -> int:
    """Return the number of pairs of links (i, j), (i', j') with i < i' and j > j'.

    >>> crossings([(0, 2), (1, 0), (2, 1)])
    2
    """
    return int(LinkBatch.of([links]).pair_counts()[0, 1])


@dataclass(frozen=True, kw_only=True)
class Crossings(MeanMetric):
    """Share of pairs of source-hypothesis links that do not cross: 1 for a monotone translation."""

    name: ClassVar[str] = "crossings"
    order_only: ClassVar[bool] = True
    summary: ClassVar[str] = "share of pairs of source links that do not cross"
    formula: ClassVar[str] = "1 - crossing pairs / (links (links - 1) / 2)"
    citations: ClassVar[tuple[str, ...]] = ("vanroy-2021",)
    needs: ClassVar[tuple[str, ...]] = ("source-links",)

    empty: float = option(0.0, "score of a segment without any link", low=0.0, high=1.0)

    def link_scores(self, links: LinkBatch, *, jobs: int = 1) -> NDArray[np.float64]:
        """Return one score per segment of links; a single link crosses nothing and scores 1."""
        counts = links.counts
        pairs = counts * (counts - 1) // 2
        crossing = links.pair_counts(jobs=jobs)[:, 1]
        scores = np.where(counts == 0, self.empty, 1.0)
        np.divide(pairs - crossing, pairs, out=scores, where=pairs > 0)
        return scores

    def measure(self, evaluation: Evaluation) -> Measure:
        """Return one score per segment."""
        links = evaluation.given_source_links()
        return Measure.mean(self.link_scores(links, jobs=evaluation.jobs))

    def working(self, evaluation: Evaluation, segment: int) -> Working:
        """Return the pairs of links, and those that cross."""
        batch, jobs = evaluation.given_source_links(), evaluation.jobs
        links = int(batch.counts[segment])
        score = float(self.link_scores(batch, jobs=jobs)[segment])
        crossing = int(batch.pair_counts(jobs=jobs)[segment, 1])
        steps = [
            WorkingStep("links", "links of source and hypothesis", links),
            WorkingStep("crossing", "pairs of links that cross", crossing),
            WorkingStep(
                "pairs", "pairs of links", links * (links - 1) // 2, "links * (links - 1) / 2"
            ),
        ]
        if links == 0:
            return Working(
                (*steps, WorkingStep("score", "score of a segment without any link", score))
            )
        formula = "(pairs - crossing) / pairs" if links > 1 else "1"
        return Working(
            (*steps, WorkingStep("score", "share of pairs that do not cross", score, formula))
        )

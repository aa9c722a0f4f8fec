"""Kendall's tau of the links themselves, from -1 to 1. [TH]"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kilter.core.links import Link, LinkBatch
from kilter.core.registry import option
from kilter.core.settings import checked, chosen
from kilter.metrics.metric import MeanMetric, best_reference
from kilter.results.measure import Measure, Working, WorkingStep

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.core.evaluation import Evaluation


class TauMethod(StrEnum):
    """What is compared: the two lists of positions of the published algorithm, or links with links."""

    ALGORITHM1 = "algorithm1"
    LINKS = "links"


@checked
def tau(
    links: Iterable[Link],
    *,
    method: TauMethod | str = TauMethod.ALGORITHM1,
    undefined: float = 0.0,
) -> float:
    """Return (concordant - discordant) / (concordant + discordant) over pairs of links.

    `algorithm1` lists the hypothesis positions of all links in their own order and in the order of the
    reference, and compares the two lists place by place; `links` compares the links themselves. Both
    are 2 kendall - 1 for one-to-one links. Ties are left out; `undefined` where nothing can be
    compared. [TH] Algorithm 1

    >>> tau([(6, 0), (2, 1), (3, 2), (4, 3), (1, 5)])
    -0.4
    """
    metric = Tau(method=chosen(TauMethod, method, "method"), undefined=undefined)
    return float(metric.link_scores(LinkBatch.of([links]))[0])


@dataclass(frozen=True, kw_only=True)
class Tau(MeanMetric):
    """Tau of the links between hypothesis and reference, the best of several references."""

    name: ClassVar[str] = "tau"
    order_only: ClassVar[bool] = True
    summary: ClassVar[str] = "balance of link pairs in order and out of order"
    formula: ClassVar[str] = "(concordant - discordant) / (concordant + discordant)"
    citations: ClassVar[tuple[str, ...]] = ("mccaffery-2017",)
    range: ClassVar[tuple[float, float]] = (-1.0, 1.0)
    needs: ClassVar[tuple[str, ...]] = ("links",)

    method: TauMethod = option(
        TauMethod.ALGORITHM1, "compare the published lists of positions, or links with links"
    )
    undefined: float = option(
        0.0, "score of a segment without two comparable links", low=-1.0, high=1.0
    )

    def link_scores(self, links: LinkBatch, *, jobs: int = 1) -> NDArray[np.float64]:
        """Return one score per segment of links."""
        counts = links.pair_counts(sequences=self.method is TauMethod.ALGORITHM1, jobs=jobs)
        concordant, discordant = counts[:, 0], counts[:, 1]
        pairs = concordant + discordant
        scores = np.full(len(links), self.undefined)
        np.divide(concordant - discordant, pairs, out=scores, where=pairs > 0)
        return scores

    def measure(self, evaluation: Evaluation) -> Measure:
        """Return the best score over references."""
        jobs = evaluation.jobs
        return Measure.best([self.link_scores(links, jobs=jobs) for links in evaluation.links])

    def working(self, evaluation: Evaluation, segment: int) -> Working:
        """Return the pairs of links in order and out of order, and their balance."""
        jobs, links = evaluation.jobs, evaluation.links
        place = best_reference((self.link_scores(each, jobs=jobs) for each in links), segment)
        sequences = self.method is TauMethod.ALGORITHM1
        counts = links[place].pair_counts(sequences=sequences, jobs=jobs)[segment]
        concordant, discordant = counts.tolist()
        steps = [
            WorkingStep("C", "pairs of links in order", concordant),
            WorkingStep("D", "pairs of links out of order", discordant),
        ]
        score = float(self.link_scores(links[place], jobs=jobs)[segment])
        if concordant + discordant:
            last = WorkingStep("score", "tau of the segment", score, "(C - D) / (C + D)")
        else:
            last = WorkingStep("score", "score without two links that can be compared", score)
        return Working((*steps, last), place)

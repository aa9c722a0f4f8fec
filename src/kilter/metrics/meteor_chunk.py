"""The fragmentation part of METEOR (2005) alone. [TH] 3.5.4, Banerjee and Lavie (2005)"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kilter.core.links import Link, LinkBatch
from kilter.core.settings import checked
from kilter.metrics.meteor import (
    FragmentationMetric,
    count_steps,
    kept_order,
    link_counts,
    penalty_steps,
)
from kilter.results.measure import WorkingStep

if TYPE_CHECKING:
    from numpy.typing import NDArray


@checked
def meteor_chunk(links: Iterable[Link], *, weight: float = 0.5, exponent: float = 3.0) -> float:
    """Return 1 - weight * (chunks / links)^exponent of one-to-one (hypothesis, reference) links.

    A chunk is a run of links between neighbours in the same order on both sides. No link scores 0.

    >>> meteor_chunk([(6, 0), (2, 1), (3, 2), (4, 3), (1, 5)])
    0.892
    """
    chosen = MeteorChunk(weight=weight, exponent=exponent)
    batch = LinkBatch.of([links])
    batch.check_one_to_one()
    return float(chosen.counted_scores(link_counts(batch))[0])


@dataclass(frozen=True, kw_only=True)
class MeteorChunk(FragmentationMetric):
    """METEOR's view of word order: how few chunks the matched words fall into."""

    name: ClassVar[str] = "meteor-chunk"
    order_only: ClassVar[bool] = True
    summary: ClassVar[str] = "chunking part of METEOR (2005)"
    formula: ClassVar[str] = "1 - weight (chunks / m)^exponent"
    citations: ClassVar[tuple[str, ...]] = ("banerjee-lavie-2005", "mccaffery-2017")

    def counted_scores(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the score of matches and chunks; without a match 0."""
        return kept_order(counts, self.weight, self.exponent)

    def fragment_steps(self, counts: NDArray[np.float64]) -> tuple[WorkingStep, ...]:
        """Return the fragmentation penalty, and what it leaves."""
        matches, chunks = counts[:2].tolist()
        score = float(self.counted_scores(counts[np.newaxis])[0])
        if matches == 0:
            return (*count_steps(counts), WorkingStep("score", "nothing matches", score, "0"))
        penalty = self.weight * (chunks / matches) ** self.exponent
        return (
            *count_steps(counts),
            *penalty_steps(self.weight, self.exponent, penalty),
            WorkingStep("score", "what the penalty leaves", score, "1 - penalty"),
        )

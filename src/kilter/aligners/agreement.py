"""How well links agree with those that people drew: alignment error rate, precision, recall [ON]."""

# [ON] Och & Ney 2003, A systematic comparison of various statistical alignment models.

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.counted import counted
from kilter.core.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.core.links import LinkBatch


@dataclass(frozen=True, slots=True)
class LinkAgreement:
    """Counts of links, which add up over segments, and the scores they give.

    A ratio with nothing to count (no link proposed, no sure link drawn) is perfect.

    >>> LinkAgreement(links=4, sure=3, sure_found=3, possible_found=4).error_rate
    0.0
    """

    links: int
    sure: int
    sure_found: int
    possible_found: int

    @property
    def precision(self) -> float:
        """The share of links that are possible: |A and P| / |A|."""
        return self.possible_found / self.links if self.links else 1.0

    @property
    def recall(self) -> float:
        """The share of sure links that were found: |A and S| / |S|."""
        return self.sure_found / self.sure if self.sure else 1.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall, 0 if both are."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0

    @property
    def error_rate(self) -> float:
        """AER = 1 - (|A and S| + |A and P|) / (|A| + |S|)."""
        total = self.links + self.sure
        return 1 - (self.sure_found + self.possible_found) / total if total else 0.0


def link_counts(
    links: LinkBatch, sure: LinkBatch, possible: LinkBatch | None = None
) -> NDArray[np.int64]:
    """Return for each segment: links, sure links, sure links found, possible links found.

    Every sure link is possible, whether `possible` repeats it or not. The rows add up: their sum over
    any segments makes a `LinkAgreement`.
    """
    for other in (sure, possible):
        if other is not None and len(other) != len(links):
            raise InputError(
                f"{counted(len(links), 'segment')} of links, but {counted(len(other), 'segment')} of gold "
                "links; both need the same number"
            )
    sure_found = _common(links, sure)
    possible_found = sure_found
    if possible is not None:
        possible_found = sure_found | _common(links, possible)
    owner = links.segments()

    def per_segment(found: NDArray[np.bool_]) -> NDArray[np.int64]:
        return np.bincount(owner[found], minlength=len(links)).astype(np.int64)

    return np.stack(
        [links.counts, sure.counts, per_segment(sure_found), per_segment(possible_found)], axis=1
    )


def agreement(
    links: LinkBatch, sure: LinkBatch, possible: LinkBatch | None = None
) -> LinkAgreement:
    """Return how well links agree with sure and possible gold links, over all segments.

    >>> from kilter.core.links import LinkBatch
    >>> found = agreement(
    ...     LinkBatch.of([[(0, 0), (1, 2)]]), LinkBatch.of([[(0, 0), (1, 1)]]), LinkBatch.of([[(1, 2)]])
    ... )
    >>> found.precision, found.recall, found.error_rate
    (1.0, 0.5, 0.25)
    """
    total = link_counts(links, sure, possible).sum(axis=0, dtype=np.int64)
    return LinkAgreement(*(int(count) for count in total))


def _common(links: LinkBatch, others: LinkBatch) -> NDArray[np.bool_]:
    """Return which links are also among the others."""
    rows = np.concatenate([links.links, others.links])
    owner = np.concatenate([links.segments(), others.segments()])
    order = np.lexsort((rows[:, 1], rows[:, 0], owner))  # stable: of two equal links ours is first
    same = (np.diff(owner[order]) == 0) & (np.diff(rows[order], axis=0) == 0).all(axis=1)
    common = np.zeros(len(rows), dtype=np.bool_)
    common[order[:-1][same]] = True
    return common[: len(links.links)]

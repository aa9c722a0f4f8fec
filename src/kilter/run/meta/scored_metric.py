"""One metric's numbers on all systems and segments: all that agreement needs to know of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import frexp
from typing import TYPE_CHECKING

import numpy as np

from kilter.stats.resampling import Resampling, bootstrap_sums, column_sums

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_DIGITS = 32


@dataclass(frozen=True, kw_only=True, eq=False)
class ScoredMetric:
    """Segment scores and additive statistics of one metric, both systems x segments.

    Whatever the metric, more is better here: scores of metrics where less is better are turned round.
    `corpus_score` makes system scores of summed statistics, and is turned round with them.
    """

    name: str
    signature: str
    scores: Floats
    statistics: Floats = field(repr=False)
    corpus_score: Callable[[Floats], Floats] = field(repr=False)
    control: str | None = None
    """The metric that is the same formula with its order part set to 1, by name."""

    @classmethod
    def external(
        cls,
        name: str,
        scores: Floats,
        *,
        systems: Floats | None = None,
        lower_is_better: bool = False,
    ) -> ScoredMetric:
        """Return a metric known by its scores only: a system has its own, or the mean of its segments.

        `systems` are the scores of whole systems, which stay what they are however segments are drawn.
        """
        sign = -1.0 if lower_is_better else 1.0
        scores = sign * scores
        counted = (
            scores if systems is None else np.broadcast_to(sign * systems[:, None], scores.shape)
        )
        known = ~np.isnan(counted)
        return cls(
            name=name,
            signature=f"{name}|external"
            + ("|system:given" if systems is not None else "")
            + ("|better:lower" if lower_is_better else ""),
            scores=scores,
            statistics=np.stack([np.where(known, counted, 0.0), known.astype(np.float64)], axis=-1),
            corpus_score=mean_score,
        )

    def system_scores(self) -> Floats:
        """Return the score of each system; NaN where it has none."""
        return self._scored(np.stack([column_sums(rows) for rows in self.statistics]))

    def resampled_system_scores(self, resampling: Resampling, systems: NDArray[np.int64]) -> Floats:
        """Return systems x resamples over segments drawn with replacement, of some systems."""
        drawn = bootstrap_sums(self.statistics[systems], resampling)
        return self._scored(drawn.resampled())

    def _scored(self, sums: Floats) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):
            scores = np.asarray(self.corpus_score(sums), dtype=np.float64)
        return _levelled(np.where(np.isfinite(scores), scores, np.nan))


def _levelled(scores: Floats) -> Floats:
    """Return scores without their last bits, so that rounding makes no ranks of equal scores."""
    largest = float(np.max(np.abs(scores), initial=0.0, where=~np.isnan(scores)))
    unit = 2.0 ** (frexp(largest)[1] - _DIGITS)
    return np.rint(scores / unit) * unit


def mean_score(sums: Floats) -> Floats:
    """Return total / count of the last axis, NaN for no count."""
    total, count = sums[..., 0], sums[..., 1]
    means = np.full(total.shape, np.nan)
    np.divide(total, count, out=means, where=count > 0)
    return means

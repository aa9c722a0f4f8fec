"""One metric's scores on all segments and on every resample, and the intervals that follow from them."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from math import isnan
from typing import TYPE_CHECKING

import numpy as np

from kilter.metrics.metric import MeanMetric, Metric
from kilter.results.comparison import Interval
from kilter.stats.resampling import Resampling, bootstrap_sums, column_sums, stack_statistics
from kilter.stats.significance import LEAST_SEGMENTS, TIE, percentile_intervals

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kilter.run.scoring.measured import Measured
    from kilter.stats.resampling import ResampledSums


MOST_UNDEFINED = 0.1
"""Share of resamples that may lack a mean over the segments that count; beyond it there is no interval or test."""


class ResampledScores:
    """One metric's scores of all segments and of every resample, from sums of statistics."""

    def __init__(
        self,
        measured: Measured,
        resampling: Resampling,
        *,
        exact: NDArray[np.float64],
        sums: ResampledSums,
        segments: int,
    ) -> None:
        """Take `exact` sums over all segments, systems x columns, and those of resamples."""
        self.metric = measured.metric
        self._measured = measured
        self.resampling = resampling
        self.scores = self.score(exact)
        missing = getattr(measured.metric, "missing", lambda _: "")
        self.reasons = [
            missing(sums) if isnan(score) and measured.configurations == 1 else ""
            for score, sums in zip(self.scores.tolist(), exact, strict=True)
        ]
        # Rounded as the resampled ones are, so that the two can be compared to the last bit.
        self.rounded = self.score(sums.total())
        self.resampled = self.score(sums.resampled())
        # One segment drawn from one is always the same: that it does not vary is no evidence.
        self.is_evidence = segments >= LEAST_SEGMENTS
        if not self.is_evidence:
            self.resampled = self.resampled[:, :0]
        # A mean over the segments that count, which many resamples lack, rests on so few that its interval says nothing.
        if self.resampled.shape[1] and getattr(self.metric, "averages", False):
            rare = np.isnan(self.resampled).mean(axis=1) > MOST_UNDEFINED
            self.resampled = np.where(rare[:, np.newaxis], np.nan, self.resampled)
        self.tie = TIE * float(np.nanmax([1.0, *np.abs(self.scores)]))
        self.sign = 1.0 if self.metric.higher_is_better else -1.0

    def score(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return corpus scores; an undefined one is NaN, counted later on and not warned about here."""
        with np.errstate(divide="ignore", invalid="ignore"):
            scores = self._measured.corpus_score(sums)
        return np.where(np.isfinite(scores), scores, np.nan)

    def intervals(self) -> tuple[Interval, ...]:
        """Return each system's score and its interval, which does not leave the metric's range."""
        found = intervals_of(self.resampled, self.scores, self.rounded, self.resampling.level)
        low, high = self.metric.range
        return tuple(
            replace(
                interval,
                low=None if interval.low is None else min(max(interval.low, low), high),
                high=None if interval.high is None else min(max(interval.high, low), high),
                reason=reason,
            )
            for interval, reason in zip(found, self.reasons, strict=True)
        )


class Resampled(ResampledScores):
    """One metric's scores on all segments and on every resample, with the statistics of each segment."""

    def __init__(self, measured: Measured, resampling: Resampling) -> None:
        self.statistics = stack_statistics(measured.statistics)
        super().__init__(
            measured,
            resampling,
            exact=np.stack([column_sums(rows) for rows in self.statistics]),
            sums=bootstrap_sums(self.statistics, resampling),
            segments=self.statistics.shape[1],
        )

    @cached_property
    def segment_scores(self) -> NDArray[np.float64]:
        """The score of each system's segments, each taken as a corpus of its own."""
        return self.score(self.statistics)

    @cached_property
    def is_mean(self) -> bool:
        """Whether the corpus score is a plain mean over all segments."""
        mean = isinstance(self.metric, MeanMetric) or not isinstance(self.metric, Metric)
        return (mean or self.averages) and bool((self.statistics[..., 1::2] == 1).all())

    @property
    def averages(self) -> bool:
        """Whether the corpus score is a mean over the segments that count."""
        return isinstance(self.metric, Metric) and self.metric.averages


def intervals_of(
    rows: NDArray[np.float64],
    observed: NDArray[np.float64],
    rounded: NDArray[np.float64],
    level: float,
) -> list[Interval]:
    """Return the interval of each row's defined values, less what rounding the statistics moved them."""
    moved = np.nan_to_num(observed - rounded)
    ends = percentile_intervals(rows, level=level) + moved[:, np.newaxis]
    ends[np.isnan(observed)] = np.nan
    undefined = np.count_nonzero(np.isnan(rows), axis=1)
    return [
        Interval(score=known(score), low=known(low), high=known(high), undefined=missing)
        for score, (low, high), missing in zip(
            observed.tolist(), ends.tolist(), undefined.tolist(), strict=True
        )
    ]


def known(value: float) -> float | None:
    """Return the value, or None where it is not a number."""
    return None if isnan(value) else value


def differences_of(
    values: NDArray[np.float64], places: Sequence[tuple[int, int]]
) -> NDArray[np.float64]:
    """Return the second less the first of each pair of rows."""
    first, second = np.array(places, dtype=np.int64).reshape(-1, 2).T
    return values[second] - values[first]

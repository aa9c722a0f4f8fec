"""One metric's scores on all segments and on every resample, and the intervals that follow from them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import isfinite, isnan
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.estimate import Estimate
from kilter.metrics.metric import MeanMetric, Metric
from kilter.run.scoring.measured_block import start_of
from kilter.stats.resampling import (
    ResampledSums,
    Resampling,
    bootstrap_blocks,
    bootstrap_sums,
    column_sums,
    exact_sum,
    not_finite,
    stack_statistics,
)
from kilter.stats.significance import LEAST_SEGMENTS, TIE, percentile_intervals

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from kilter.io.spool import Spool
    from kilter.run.scoring.measured import Measured
    from kilter.run.scoring.measured_block import ColumnShape
    from kilter.run.scoring.measurement import MeasuredColumn
    from kilter.stats.resampling import Resampling

    Floats = NDArray[np.float64]

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

    def intervals(self) -> tuple[Estimate, ...]:
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
) -> list[Estimate]:
    """Return the interval of each row's defined values, less what rounding the statistics moved them."""
    moved = np.nan_to_num(observed - rounded)
    ends = percentile_intervals(rows, level=level) + moved[:, np.newaxis]
    ends[np.isnan(observed)] = np.nan
    undefined = np.count_nonzero(np.isnan(rows), axis=1)
    return [
        Estimate(score, low, high, undefined=missing)
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


_RESAMPLED_NUMBERS = 1 << 24
"""Sums of resamples that are made at once; for more, the same segments are drawn anew."""


@dataclass(frozen=True, kw_only=True, eq=False)
class _Statistic:
    """A statistic of all systems, without what it is in each segment."""

    names: tuple[str, ...]
    exact: Floats
    largest: float
    fault: tuple[int, int, float] | None
    """The first number that is not finite: its system and segment, counted from 1, and the number."""

    @classmethod
    def of(cls, spool: Spool[str], names: tuple[str, ...]) -> _Statistic:
        """Look through the statistic, whose arrays have a name for each system."""
        largest = 0.0
        for system, name in enumerate(names):
            start = 0
            for block in spool.blocks(name):
                peak = float(np.abs(block).max(initial=0.0))
                if not isfinite(peak):
                    place = int(np.flatnonzero(~np.isfinite(block))[0])
                    fault = (system + 1, start + place + 1, float(block[place]))
                    return cls(names=names, exact=np.empty(0), largest=0.0, fault=fault)
                largest = max(largest, peak)
                start += len(block)
        exact = np.array([[exact_sum(spool.blocks(name))] for name in names])
        return cls(names=names, exact=exact, largest=largest, fault=None)


class SpoolResampler:
    """Resamples the statistics of all metrics together, a block of segments at a time."""

    def __init__(
        self,
        spool: Spool[str],
        shapes: Mapping[str, ColumnShape],
        *,
        systems: int,
        resampling: Resampling,
    ) -> None:
        self._spool = spool
        self._shapes = shapes
        self._systems = systems
        self._resampling = resampling
        self._sums: dict[tuple[bytes, ...], tuple[Floats, ResampledSums]] = {}

    def scores(
        self,
        columns: Sequence[MeasuredColumn],
        progress: Callable[[int, int], None] | None = None,
    ) -> list[ResampledScores]:
        """Return the scores of each column of results."""
        listed = [self._names(column) for column in columns]
        # Many metrics have the same statistics, such as 1 for each segment.
        wanted: dict[tuple[bytes, ...], _Statistic] = {}
        for every in listed:
            self._look_through(every, wanted)
        self._resample(wanted, progress)
        return [
            self._scored(column.measured(), names)
            for column, names in zip(columns, listed, strict=True)
        ]

    def _names(self, column: MeasuredColumn) -> list[tuple[str, ...]]:
        """Return for each statistic the names of its arrays, one for each system."""
        starts = [start_of(column.name, place) for place in range(self._systems)]
        many = self._shapes[starts[0]].statistics
        return [tuple(f"{start} statistic {k}" for start in starts) for k in range(many)]

    def _key(self, names: tuple[str, ...]) -> tuple[bytes, ...]:
        return tuple(self._spool.places(name) for name in names)

    def _look_through(
        self,
        listed: Sequence[tuple[str, ...]],
        wanted: dict[tuple[bytes, ...], _Statistic],
    ) -> None:
        """Add a metric's statistics to those that are wanted."""
        faults = []
        for place, names in enumerate(listed):
            key = self._key(names)
            if key not in wanted:
                wanted[key] = _Statistic.of(self._spool, names)
            if (fault := wanted[key].fault) is not None:
                faults.append((*fault[:2], place + 1, fault[2]))
        if faults:
            system, segment, column, value = min(faults)
            raise not_finite(value, system=system, segment=segment, column=column)

    def _resample(
        self,
        wanted: dict[tuple[bytes, ...], _Statistic],
        progress: Callable[[int, int], None] | None,
    ) -> None:
        keys, segments = [*wanted], len(self._spool)
        width = max(1, _RESAMPLED_NUMBERS // (self._systems * self._resampling.count))
        starts = range(0, len(keys), width)
        for group, start in enumerate(starts):

            def told(done: int, *, before: int = group * segments) -> None:
                if progress is not None:
                    progress(before + done, len(starts) * segments)

            some = keys[start : start + width]
            sums = self._resample_some([wanted[key] for key in some], told)
            for column, key in enumerate(some):
                self._sums[key] = (wanted[key].exact, sums.column(column))

    def _resample_some(
        self, statistics: Sequence[_Statistic], progress: Callable[[int], None]
    ) -> ResampledSums:
        spool = self._spool

        def read(system: int, column: int, start: int, end: int) -> Floats:
            return spool.column(statistics[column].names[system], start, end)

        return bootstrap_blocks(
            read,
            systems=self._systems,
            segments=len(spool),
            largest=np.array([each.largest for each in statistics]),
            resampling=self._resampling,
            progress=progress,
        )

    def _scored(self, measured: Measured, names: Sequence[tuple[str, ...]]) -> ResampledScores:
        found = [self._sums[self._key(each)] for each in names]
        return ResampledScores(
            measured,
            self._resampling,
            exact=np.concatenate([exact for exact, _ in found], axis=-1),
            sums=ResampledSums.beside([sums for _, sums in found]),
            segments=len(self._spool),
        )

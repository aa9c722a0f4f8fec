"""One metric's scores on all segments and on every resample, and the intervals that follow from them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from itertools import groupby
from math import isfinite, isnan
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.errors import InputError
from kilter.core.estimate import Estimate
from kilter.io.spool import SpooledColumn
from kilter.metrics.metric import MeanMetric, Metric
from kilter.results.comparison import CommonSegments
from kilter.results.measure import row_blocks
from kilter.run.scoring.measured import columns_of
from kilter.stats.resampling import (
    ResampledSums,
    Resampling,
    bootstrap_blocks,
    check_alike,
    column_sums,
    exact_sum,
    not_finite,
    stack_statistics,
)
from kilter.stats.significance import LEAST_SEGMENTS, TIE, least_p, percentile_intervals

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from kilter.results.measure import Rows
    from kilter.run.scoring.measured import Measured

    Floats = NDArray[np.float64]

MOST_UNDEFINED = 0.1
"""Share of resamples that may lack a mean over the segments that count; beyond it there is no interval or test."""


class Resampled:
    """One metric's scores of all segments and of every resample."""

    def __init__(
        self,
        measured: Measured,
        resampling: Resampling,
        *,
        exact: Floats,
        sums: ResampledSums,
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
        segments = len(measured.statistics[0])
        self.is_evidence = segments >= LEAST_SEGMENTS
        self.least_p = least_p(segments)
        if not self.is_evidence:
            self.resampled = self.resampled[:, :0]
        # A mean over the segments that count, which many resamples lack, rests on so few that its interval says nothing.
        if self.resampled.shape[1] and self.averages:
            shares = np.isnan(self.resampled).mean(axis=1)
            rare = shares > MOST_UNDEFINED
            self.resampled = np.where(rare[:, np.newaxis], np.nan, self.resampled)
            for place in np.flatnonzero(rare & ~np.isnan(self.scores)).tolist():
                self.reasons[place] = (
                    f"{shares[place]:.0%} of the resamples have no score, and more than {MOST_UNDEFINED:.0%} say that too "
                    "few segments have one"
                )
        self.tie = TIE * float(np.nanmax([1.0, *np.abs(self.scores)]))
        self.sign = 1.0 if self.metric.higher_is_better else -1.0

    def score(self, sums: Floats) -> Floats:
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

    @cached_property
    def statistics(self) -> Floats:
        """The statistics of every segment, systems x segments x columns."""
        return stack_statistics([np.asarray(rows) for rows in self._measured.statistics])

    @cached_property
    def segment_scores(self) -> Floats:
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

    def common_segments(self, one: int, other: int) -> CommonSegments | None:
        """Return what two systems have in common where they have scores of different segments; else None."""
        # Given scores are no metric of Kilter's, and may be missing anywhere.
        if isinstance(self.metric, Metric) and not self.averages:
            return None
        first, second = ~np.isnan(self.segment_scores[[one, other]])
        both = first & second
        alone = int(np.count_nonzero(first ^ second))
        if not alone:
            return None
        sums = np.stack([column_sums(self.statistics[k][both]) for k in (one, other)])
        first_score, second_score = self.score(sums).tolist()
        return CommonSegments(
            both=int(np.count_nonzero(both)),
            one=alone,
            difference=known(second_score - first_score),
        )


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
    """A statistic of all systems."""

    columns: tuple[Rows, ...]
    exact: Floats
    largest: float
    fault: tuple[int, int, float] | None = None
    """The first number that is not finite: its system and segment, counted from 1, and the number."""

    @classmethod
    def of(cls, columns: tuple[Rows, ...]) -> _Statistic:
        """Look through the columns of a statistic, one for each system."""
        largest = 0.0
        for system, column in enumerate(columns):
            for some in row_blocks(len(column)):
                block = column[some]
                peak = float(np.abs(block).max(initial=0.0))
                if not isfinite(peak):
                    place = int(np.flatnonzero(~np.isfinite(block))[0])
                    fault = (system + 1, some.start + place + 1, float(block[place]))
                    return cls(columns=columns, exact=np.empty(0), largest=0.0, fault=fault)
                largest = max(largest, peak)
        exact = [
            [exact_sum(column[some] for some in row_blocks(len(column)))] for column in columns
        ]
        return cls(columns=columns, exact=np.array(exact), largest=largest)


def resample(
    measured: Sequence[Measured],
    resampling: Resampling,
    progress: Callable[[int, int], None] | None = None,
) -> list[Resampled]:
    """Return the scores of metrics on all segments and on every resample.

    All metrics are resampled together, some segments at a time. `progress` is called with (done, total) of the
    segments that are drawn from.
    """
    # Many metrics have the same statistics, such as 1 for each segment.
    wanted: dict[tuple[bytes, ...], _Statistic] = {}
    keys = [_look_through(entry, wanted) for entry in measured]
    sums = _resampled_sums(wanted, resampling, progress)
    return [
        Resampled(
            entry,
            resampling,
            exact=np.concatenate([wanted[key].exact for key in own], axis=-1),
            sums=_beside([sums[key] for key in own]),
        )
        for entry, own in zip(measured, keys, strict=True)
    ]


def _look_through(
    measured: Measured, wanted: dict[tuple[bytes, ...], _Statistic]
) -> list[tuple[bytes, ...]]:
    """Add a metric's statistics to those that are wanted, and return what they are found by."""
    check_alike(measured.statistics)
    if not len(measured.statistics[0]):
        raise InputError("there is no segment to resample")
    keys, faults = [], []
    by_system = [columns_of(rows) for rows in measured.statistics]
    for place, columns in enumerate(zip(*by_system, strict=True)):
        key = tuple(map(_identity, columns))
        keys.append(key)
        if key not in wanted:
            wanted[key] = _Statistic.of(columns)
        if (fault := wanted[key].fault) is not None:
            faults.append((*fault[:2], place + 1, fault[2]))
    if faults:
        system, segment, column, value = min(faults)
        raise not_finite(value, system=system, segment=segment, column=column)
    return keys


def _identity(column: Rows) -> bytes:
    """Return the same of two columns only if their numbers are."""
    if isinstance(column, SpooledColumn):
        return column.identity
    return blake2b(np.ascontiguousarray(column, dtype=np.float64).tobytes()).digest()


def _resampled_sums(
    wanted: dict[tuple[bytes, ...], _Statistic],
    resampling: Resampling,
    progress: Callable[[int, int], None] | None,
) -> dict[tuple[bytes, ...], tuple[ResampledSums, int]]:
    """Return where the sums of each statistic are: among those of others, and in which column."""
    if not wanted:
        return {}
    some_statistic = next(iter(wanted.values()))
    systems, segments = len(some_statistic.columns), len(some_statistic.columns[0])
    keys = [*wanted]
    width = max(1, _RESAMPLED_NUMBERS // (systems * resampling.count))
    starts = range(0, len(keys), width)
    found: dict[tuple[bytes, ...], tuple[ResampledSums, int]] = {}
    for group, start in enumerate(starts):

        def told(done: int, *, before: int = group * segments) -> None:
            if progress is not None:
                progress(before + done, len(starts) * segments)

        some = keys[start : start + width]
        columns = [wanted[key].columns for key in some]

        def read(
            system: int,
            column: int,
            start: int,
            end: int,
            *,
            columns: list[tuple[Rows, ...]] = columns,
        ) -> Floats:
            return np.ascontiguousarray(columns[column][system][start:end], dtype=np.float64)

        sums = bootstrap_blocks(
            read,
            systems=systems,
            segments=segments,
            largest=np.array([wanted[key].largest for key in some]),
            resampling=resampling,
            progress=told,
        )
        found.update((key, (sums, column)) for column, key in enumerate(some))
    return found


def _beside(places: Sequence[tuple[ResampledSums, int]]) -> ResampledSums:
    """Return the sums of columns, each of which has its place among those that were resampled with it."""
    groups = groupby(places, key=lambda place: id(place[0]))
    listed = [[*group] for _, group in groups]
    return ResampledSums.beside(
        [group[0][0].columns([column for _, column in group]) for group in listed]
    )

"""Intervals of statistics that were set aside on disk, of which memory holds a block of segments at a time."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

from kilter.run.scoring.measured_block import start_of
from kilter.run.scoring.resampled import ResampledScores
from kilter.stats.resampled_blocks import bootstrap_blocks
from kilter.stats.resampling import ResampledSums, exact_sum, not_finite

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from kilter.io.spool import Spool
    from kilter.run.scoring.measured import Measured
    from kilter.run.scoring.measured_block import ColumnShape
    from kilter.run.scoring.measurement import MeasuredColumn
    from kilter.stats.resampling import Resampling

    Floats = NDArray[np.float64]

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

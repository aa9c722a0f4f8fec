"""Measures that are quotients of sums over segments: estimates, and tests of differences between systems."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.estimate import Estimate
from kilter.stats.resampling import (
    RandomStream,
    Resampling,
    bootstrap_sums,
    column_sums,
    subset_sums,
)
from kilter.stats.significance import holm, percentile_intervals, randomisation_p_values

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemDifference:
    """How two systems differ in a measure: the second minus the first, tested by random swaps of segments."""

    measure: str
    first: str
    second: str
    difference: Estimate
    p: float | None
    """Corrected for all pairs of systems (Holm)."""


@dataclass(frozen=True, kw_only=True, eq=False)
class SystemRatios:
    """Sums of systems, systems x segments x columns, and the two columns that each measure is the quotient of."""

    names: Sequence[str]
    statistics: Floats
    columns: Sequence[str]
    measures: Mapping[str, tuple[str, str]]
    resampling: Resampling

    @cached_property
    def _drawn(self) -> Resampling:
        return self.resampling.for_comparisons(len(self.names) * (len(self.names) - 1) // 2)

    @cached_property
    def _totals(self) -> Floats:
        return np.stack([column_sums(each) for each in self.statistics])

    @cached_property
    def _resampled(self) -> Floats:
        return bootstrap_sums(self.statistics, self._drawn).resampled()

    def quotients(self, measure: str, sums: Floats) -> Floats:
        """Return a measure of sums whose last axis has the columns; NaN where it is not defined."""
        top, bottom = (sums[..., self.columns.index(name)] for name in self.measures[measure])
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(bottom > 0, top / bottom, np.nan)

    def estimates(self, *, missing: str = "") -> dict[str, dict[str, Estimate]]:
        """Return the measures of each system, with bootstrap intervals over segments.

        >>> sums = np.array([[[1.0, 2.0], [2.0, 2.0]]])
        >>> found = SystemRatios(
        ...     names=["a"], statistics=sums, columns=["hits", "words"], measures={"share": ("hits", "words")},
        ...     resampling=Resampling(resamples=10),
        ... ).estimates()
        >>> found["a"]["share"].value
        0.75
        """
        found: dict[str, dict[str, Estimate]] = {name: {} for name in self.names}
        for measure, (_, bottom) in self.measures.items():
            sizes = self._totals[:, self.columns.index(bottom)]
            values = self.quotients(measure, self._totals)
            bounds = percentile_intervals(
                self.quotients(measure, self._resampled), level=self.resampling.level
            )
            for name, value, (low, high), size in zip(
                self.names, values, bounds, sizes, strict=True
            ):
                found[name][measure] = Estimate(
                    float(value),
                    float(low),
                    float(high),
                    n=int(size),
                    reason="" if size else missing,
                )
        return found

    def differences(self) -> tuple[SystemDifference, ...]:
        """Return how every two systems differ in each measure that both have."""
        pairs = list(combinations(range(len(self.names)), 2))
        if not pairs:
            return ()
        swaps = subset_sums(self.statistics, self._drawn, stream=RandomStream.SWAPS)
        listed: list[SystemDifference] = []
        for measure in self.measures:
            whole = self.quotients(measure, self._totals)
            sampled = self.quotients(measure, self._resampled)
            tested = [pair for pair in pairs if not np.isnan(whole[list(pair)]).any()]
            observed = np.array([whole[b] - whole[a] for a, b in tested])
            swapped = [
                [self.quotients(measure, side) for side in swaps.swapped(*pair)] for pair in tested
            ]
            if not tested:
                continue
            rows = np.stack([second - first for first, second in swapped])
            p_values = [
                None if np.isnan(p) else float(p) for p in randomisation_p_values(rows, observed)
            ]
            bounds = percentile_intervals(
                np.stack([sampled[b] - sampled[a] for a, b in tested]), level=self.resampling.level
            )
            listed += [
                SystemDifference(
                    measure=measure,
                    first=self.names[a],
                    second=self.names[b],
                    difference=Estimate(
                        float(value), float(low), float(high), p, self.statistics.shape[1]
                    ),
                    p=corrected,
                )
                for (a, b), value, (low, high), p, corrected in zip(
                    tested, observed, bounds, p_values, holm(p_values), strict=True
                )
            ]
        return tuple(listed)

    def segments(self) -> dict[tuple[str, str], Floats]:
        """Return the values of segments by system and measure, of measures that the system has."""
        return {
            (name, measure): self.quotients(measure, each)
            for name, each, total in zip(self.names, self.statistics, self._totals, strict=True)
            for measure, (_, bottom) in self.measures.items()
            if total[self.columns.index(bottom)] > 0
        }


def quotient(
    top: tuple[Floats, float], bottom: tuple[Floats, float], *, level: float, missing: str
) -> Estimate:
    """Return a quotient of two sums, each with its resamples; `missing` says why there is none over 0."""
    if not bottom[1]:
        return Estimate(reason=missing)
    with np.errstate(divide="ignore", invalid="ignore"):
        sampled = np.where(bottom[0] > 0, top[0] / bottom[0], np.nan)
    low, high = percentile_intervals(sampled[np.newaxis], level=level)[0]
    return Estimate(top[1] / bottom[1], float(low), float(high), n=int(bottom[1]))

"""Correlation of segment scores with human scores: pooled, within segments, or within systems. Section 13.3

What is undefined, a group in which a side is constant, is left out of the mean and counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING

import numpy as np

from kilter import _core
from kilter.core.errors import InputError
from kilter.core.settings import Choice
from kilter.stats.correlation import (
    MOMENTS,
    average_ranks,
    moments,
    pearson_of_sums,
    spearman,
)
from kilter.stats.resampling import (
    Resampling,
    bootstrap_sums,
    column_sums,
)
from kilter.stats.significance import correlation_p

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


class Coefficient(Choice):
    """Which correlation."""

    PEARSON = "pearson"
    SPEARMAN = "spearman"


class Grouping(Choice):
    """What is correlated: all scores, the systems of each segment, the segments of each system."""

    POOLED = "pooled"
    ITEM = "item"
    SYSTEM = "system"


@dataclass(frozen=True, kw_only=True, eq=False)
class SegmentCorrelation:
    """A correlation, the same on every resample of segments, and how many groups and scores it rests on."""

    value: float
    resampled: Floats
    scores: int
    groups: int
    undefined: int
    p: float | None
    """By the t approximation, where one group holds everything."""

    def counts(self) -> dict[str, float]:
        """Return what the correlation rests on."""
        named: dict[str, float] = {
            "scores": self.scores,
            "groups": self.groups,
            "undefined_groups": self.undefined,
        }
        if self.p is not None:
            named["p"] = self.p
        return named


def segment_correlation(
    human: Floats,
    metric: Floats,
    *,
    coefficient: Coefficient,
    grouping: Grouping,
    resampling: Resampling | None = None,
) -> SegmentCorrelation:
    """Return the correlation of two matrices of systems x segments; a NaN on either side is left out."""
    drawn = resampling or Resampling()
    known = ~np.isnan(human) & ~np.isnan(metric)
    human, metric = np.where(known, human, np.nan), np.where(known, metric, np.nan)
    if grouping is Grouping.ITEM:
        groups, resampled = _by_item(human, metric, coefficient, drawn)
    elif coefficient is Coefficient.PEARSON:
        groups, resampled = _pearson(human, metric, grouping, drawn)
    else:
        groups, resampled = _spearman(human, metric, grouping, drawn)
    value = float(_mean(groups[np.newaxis])[0])
    undefined, count = int(np.count_nonzero(np.isnan(groups))), int(known.sum())
    pooled = grouping is Grouping.POOLED and not isnan(value)
    return SegmentCorrelation(
        value=value,
        resampled=resampled,
        scores=count,
        groups=len(groups) - undefined,
        undefined=undefined,
        p=correlation_p(value, count) if pooled else None,
    )


def _by_item(
    human: Floats, metric: Floats, coefficient: Coefficient, drawn: Resampling
) -> tuple[Floats, Floats]:
    """Return the correlation over systems of every judged segment, and the resampled means."""
    x, y = human.T, metric.T
    if coefficient is Coefficient.SPEARMAN:
        x, y = _ranks_of_known(x), _ranks_of_known(y)
    sums = np.zeros((len(x), MOMENTS))
    for system in range(x.shape[1]):
        sums += moments(x[:, system], y[:, system], centred=False)
    correlations = pearson_of_sums(sums)
    defined = ~np.isnan(correlations)
    rows = np.stack([np.where(defined, correlations, 0.0), defined.astype(np.float64)], axis=-1)
    total, count = np.moveaxis(_drawn(rows[np.newaxis], drawn)[0], -1, 0)
    resampled = np.full(len(total), np.nan)
    np.divide(total, count, out=resampled, where=count > 0)
    return correlations[sums[:, 0] > 0], resampled


def _ranks_of_known(rows: Floats) -> Floats:
    """Return ranks among what is known; comparisons with NaN are false, so that it takes no rank."""
    return np.where(np.isnan(rows), np.nan, average_ranks(rows))


def _pearson(
    human: Floats, metric: Floats, grouping: Grouping, drawn: Resampling
) -> tuple[Floats, Floats]:
    rows = moments(human, metric)
    if grouping is Grouping.POOLED:
        rows = rows.sum(axis=0, keepdims=True)
    rows = rows[rows[..., 0].sum(axis=1) > 0]
    if not len(rows):
        return np.zeros(0), np.full(drawn.count, np.nan)
    groups = pearson_of_sums(np.stack([column_sums(row) for row in rows]))
    return groups, _mean(pearson_of_sums(_drawn(rows, drawn)).T)


def _spearman(
    human: Floats, metric: Floats, grouping: Grouping, drawn: Resampling
) -> tuple[Floats, Floats]:
    """Return rho of each group, and the resampled means: ranks change with every resample."""
    segments = human.shape[1]
    sides = [(human.ravel(), metric.ravel(), np.tile(np.arange(segments), len(human)))]
    if grouping is Grouping.SYSTEM:
        sides = [(x, y, np.arange(segments)) for x, y in zip(human, metric, strict=True)]
    groups, resampled = [], []
    for x, y, segment in sides:
        known = ~np.isnan(x)
        if not known.any():
            continue
        groups.append(float(spearman(x[known], y[known])))
        resampled.append(resampled_spearman(x[known], y[known], segment[known], segments, drawn))
    if not groups:
        return np.zeros(0), np.full(drawn.count, np.nan)
    return np.array(groups), _mean(np.stack(resampled, axis=-1))


def resampled_spearman(
    first: Floats, second: Floats, segment: NDArray[np.int64], segments: int, drawn: Resampling
) -> Floats:
    """Return rho on every resample of segments, of values that belong to them; NaN where undefined."""
    columns = [np.unique(values, return_inverse=True)[1].ravel() for values in (first, second)]
    resampled = _core.resampled_spearman(
        columns[0].astype(np.int32),
        columns[1].astype(np.int32),
        segment.astype(np.int32),
        segments,
        drawn.seed,
        drawn.count,
        drawn.jobs,
    )
    if np.isinf(resampled).any():
        raise InputError(
            f"{len(first)} scores are too many for the interval of a rank correlation; correlate by "
            "item or by system"
        )
    return np.clip(resampled, -1.0, 1.0)  # rounding may leave the range


def _drawn(rows: Floats, drawn: Resampling) -> Floats:
    return bootstrap_sums(rows, drawn).resampled()


def _mean(groups: Floats) -> Floats:
    """Return the mean of what is defined along the last axis, NaN where nothing is."""
    known = ~np.isnan(groups)
    total, count = np.zeros(len(groups)), known.sum(axis=-1)
    for place in range(groups.shape[1]):
        total += np.where(known[:, place], groups[:, place], 0.0)
    means = np.full(len(groups), np.nan)
    np.divide(total, count, out=means, where=count > 0)
    return means

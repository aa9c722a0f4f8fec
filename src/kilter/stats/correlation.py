"""Correlations whose sums are taken in one order, so that they are the same everywhere. Section 14.3"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kilter.core.settings import Choice

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

# Rows no longer than this are ranked by comparing every two values.
_SHORT = 128
MOMENTS = 6
"""Columns of what adds up to Pearson's r: n, x, y, xx, yy, xy."""


def pearson(first: Floats, second: Floats) -> Floats:
    """Return Pearson's r along the last axis; NaN where a side is constant or has a NaN.

    >>> import numpy as np
    >>> float(pearson(np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 7.0])).round(6))
    0.993399
    """
    first, second = np.broadcast_arrays(first, second)
    count = first.shape[-1]
    if count < 2:
        return np.full(first.shape[:-1], np.nan)
    x = first - (_sum(first) / count)[..., np.newaxis]
    y = second - (_sum(second) / count)[..., np.newaxis]
    constant = (first == first[..., :1]).all(axis=-1) | (second == second[..., :1]).all(axis=-1)
    coefficient = _correlation(_sum(x * x), _sum(y * y), _sum(x * y))
    return np.where(constant, np.nan, coefficient)


def spearman(first: Floats, second: Floats) -> Floats:
    """Return Spearman's rho along the last axis: Pearson's r of average ranks. Section 14.3

    >>> import numpy as np
    >>> float(spearman(np.array([1.0, 2.0, 3.0]), np.array([5.0, 7.0, 6.0])))
    0.5
    """
    gap = np.isnan(first).any(axis=-1) | np.isnan(second).any(axis=-1)
    return np.where(gap, np.nan, pearson(average_ranks(first), average_ranks(second)))


def average_ranks(values: Floats) -> Floats:
    """Return ranks from 1, the smallest, along the last axis; equal values share the mean of theirs.

    >>> import numpy as np
    >>> average_ranks(np.array([3.0, 1.0, 3.0, 2.0])).tolist()
    [3.5, 1.0, 3.5, 2.0]
    """
    length = values.shape[-1]
    if length <= _SHORT:
        ranks = np.full(values.shape, 0.5)
        for place in range(length):
            other = values[..., place : place + 1]
            ranks += (other < values) + 0.5 * (other == values)
        return ranks
    rows = values.reshape(-1, length)
    return np.stack([_ranks(row) for row in rows]).reshape(values.shape)


def _ranks(row: Floats) -> Floats:
    _, which, count = np.unique(row, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(count) - 0.5 * (count - 1))[which.ravel()])


def moments(first: Floats, second: Floats, *, centred: bool = True) -> Floats:
    """Return what adds up to Pearson's r, in columns; nothing where a side is NaN.

    Both sides are moved by a constant of their own, which changes no correlation and keeps digits,
    unless the caller adds up what he passes in pieces.
    """
    known = ~np.isnan(first) & ~np.isnan(second)
    middle = (_centre(first, known), _centre(second, known)) if centred else (0.0, 0.0)
    x = np.where(known, first - middle[0], 0.0)
    y = np.where(known, second - middle[1], 0.0)
    return np.stack([known.astype(np.float64), x, y, x * x, y * y, x * y], axis=-1)


def _centre(values: Floats, known: NDArray[np.bool_]) -> float:
    return float(np.median(values[known])) if known.any() else 0.0


def pearson_of_sums(sums: Floats) -> Floats:
    """Return r from summed moments; NaN where a side is constant."""
    n, x, y, xx, yy, xy = (sums[..., column] for column in range(MOMENTS))
    with np.errstate(invalid="ignore", divide="ignore"):
        spread_x, spread_y = xx - x * x / n, yy - y * y / n
        # Rounding leaves a trace of spread where all values are equal.
        flat = (spread_x <= 1e-12 * xx) | (spread_y <= 1e-12 * yy)
        coefficient = _correlation(spread_x, spread_y, xy - x * y / n)
    return np.where(flat | (n < 2), np.nan, coefficient)


def _correlation(xx: Floats, yy: Floats, xy: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        coefficient = xy / np.sqrt(xx * yy)
    return np.clip(np.where(np.isfinite(coefficient), coefficient, np.nan), -1.0, 1.0)


def _sum(values: Floats) -> Floats:
    """Return the sum along the last axis from left to right, which numpy itself does not promise."""
    if values.shape[-1] > values[..., 0].size:  # few long rows
        return np.asarray(np.cumsum(values, axis=-1)[..., -1])
    total = np.zeros(values.shape[:-1])
    for place in range(values.shape[-1]):
        total += values[..., place]
    return total


class ScaleLevel(Choice):
    """What the difference between two answers means."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"


def krippendorff_alpha(
    units: Iterable[Sequence[int]], *, values: Sequence[int], scale: ScaleLevel
) -> float | None:
    """Return 1 - observed / expected disagreement over units, each a list of its judges' answers.

    Units with fewer than two answers say nothing. Without any pair of answers, or if all answers are
    the same, alpha is undefined: None.

    >>> krippendorff_alpha([[1, 1], [2, 2], [3, 3]], values=[1, 2, 3], scale=ScaleLevel.ORDINAL)
    1.0
    """
    place = {value: number for number, value in enumerate(values)}
    coincidences = np.zeros((len(values), len(values)))
    for unit in units:
        if len(unit) < 2:
            continue
        counts = np.bincount([place[value] for value in unit], minlength=len(values)).astype(float)
        pairs = np.outer(counts, counts) - np.diag(counts)
        coincidences += pairs / (len(unit) - 1)
    totals = coincidences.sum(axis=0)
    size = totals.sum()
    distance = _distances(np.asarray(values, dtype=float), totals, scale)
    expected = float((np.outer(totals, totals) * distance).sum())
    if size < 2 or expected == 0:
        return None
    observed = float((coincidences * distance).sum())
    return 1.0 - (float(size) - 1.0) * observed / expected


def _distances(
    values: NDArray[np.float64], totals: NDArray[np.float64], scale: ScaleLevel
) -> NDArray[np.float64]:
    if scale is ScaleLevel.NOMINAL:
        return 1.0 - np.eye(len(values))
    if scale is ScaleLevel.INTERVAL:
        return np.asarray((values[:, None] - values[None, :]) ** 2, dtype=np.float64)
    # Ordinal: answers between two, and half of those at the two ends.
    middle = np.cumsum(totals) - totals / 2.0
    return np.asarray((middle[:, None] - middle[None, :]) ** 2, dtype=np.float64)

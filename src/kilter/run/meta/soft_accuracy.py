"""Soft pairwise accuracy: do metric and people tell systems apart with the same confidence?

B. Thompson, N. Mathur, D. Deutsch and H. Khayrallah, Improving Statistical Significance in Human
Evaluation of Automatic Metrics via Soft Pairwise Accuracy (WMT 2024).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kilter.stats.resampling import RandomStream, Resampling, subset_sums

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def better_p_values(difference: Floats, *, resampling: Resampling | None = None) -> Floats:
    """Return per column of segments x pairs the share of sign flips whose sum is at least the observed.

    Small where the first system of the pair is surely better. NaN, a segment without a difference,
    does not count. A tie of sums counts half, so that equal systems have 0.5.
    """
    drawn = resampling or Resampling()
    filled = np.nan_to_num(difference)
    flips = subset_sums(filled[np.newaxis], drawn, stream=RandomStream.FLIPS)
    # Sum with flipped signs less the observed one, in whole units; each term was rounded once.
    gain = -2 * flips.sums[0]
    slack = np.count_nonzero(filled, axis=0)
    above = np.count_nonzero(gain > slack, axis=0)
    equal = np.count_nonzero(np.abs(gain) <= slack, axis=0)
    return np.asarray((above + 0.5 * equal) / len(flips.sums[0]))


def soft_accuracy(human: Floats, metric: Floats) -> float:
    """Return the mean over pairs of systems of 1 - |p of people - p of the metric|; NaN without a pair.

    >>> import numpy as np
    >>> soft_accuracy(np.array([0.0, 0.5]), np.array([0.25, 0.5]))
    0.875
    """
    known = ~np.isnan(human) & ~np.isnan(metric)
    if not known.any():
        return float("nan")
    return float(np.mean(1.0 - np.abs(human[known] - metric[known])))


def resampled_soft_accuracy(human: Floats, metric: Floats, weights: Floats) -> Floats:
    """Return the same on every resample, resamples x pairs saying how often a pair is drawn.

    >>> import numpy as np
    >>> human, metric = np.array([0.0, 0.5]), np.array([0.25, 0.5])
    >>> resampled_soft_accuracy(human, metric, np.array([[1.0, 1.0], [2.0, 0.0], [0.0, 0.0]])).tolist()
    [0.875, 0.75, nan]
    """
    agreed = 1.0 - np.abs(human - metric)
    known = weights * ~np.isnan(agreed)
    total = known.sum(axis=1)
    accuracies = np.full(len(weights), np.nan)
    np.divide((known * np.nan_to_num(agreed)).sum(axis=1), total, out=accuracies, where=total > 0)
    return accuracies

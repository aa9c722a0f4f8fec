"""What a metric notices: changes to translations, and outputs with labelled errors.

M. Karpinska et al., DEMETR (EMNLP 2022), for the first; the area under the curve for the second.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kilter.results.sensitivity_result import Reaction, Separation, Share
from kilter.stats.resampling import Resampling, bootstrap_indices, bootstrap_sums
from kilter.stats.significance import LEAST_SEGMENTS, percentile_intervals

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

# Resampled weights are kept for so many values at a time.
_MOST_WEIGHTS = 1 << 22


def noticed(
    original: Floats, perturbed: Floats, *, tie: float, resampling: Resampling | None = None
) -> Reaction:
    """Return how scores change, more for better; differences up to `tie` are none. Items are resampled.

    >>> import numpy as np
    >>> found = noticed(np.array([1.0, 1.0]), np.array([0.5, 1.0]), tie=0.0)
    >>> found.share.value, found.drop.value
    (0.5, 0.25)
    """
    drawn = resampling or Resampling()
    difference = original - perturbed
    known = ~np.isnan(difference)
    difference = difference[known]
    lower, higher = difference > tie, difference < -tie
    count = len(difference)
    if not count:
        return Reaction(0, 0, 0, 0, int((~known).sum()), Share(), Share())
    rows = np.column_stack([lower.astype(np.float64), difference])[np.newaxis]
    sums = bootstrap_sums(rows, drawn)
    ends = percentile_intervals(sums.resampled()[0].T / count, level=drawn.level)
    if count < LEAST_SEGMENTS:  # what cannot vary is no evidence
        ends[:] = np.nan
    observed = sums.total()[0] / count
    shares = [_share(observed[k], ends[k]) for k in range(2)]
    return Reaction(
        items=count,
        lower=int(lower.sum()),
        equal=count - int(lower.sum()) - int(higher.sum()),
        higher=int(higher.sum()),
        unscored=int((~known).sum()),
        share=shares[0],
        drop=shares[1],
    )


def separation(
    scores: Floats,
    wrong: NDArray[np.bool_],
    *,
    lengths: NDArray[np.int64] | None = None,
    window: int = 0,
    resampling: Resampling | None = None,
) -> Separation:
    """Return the area under the curve: how often a wrong output scores below a right one, ties half.

    With `lengths` only pairs whose lengths differ by no more than `window` count. Outputs are resampled.
    Regressing length out would mislead: scores that are mostly 1 have residuals that are mostly length.

    >>> import numpy as np
    >>> separation(np.array([0.1, 0.9, 0.5]), np.array([True, False, False])).auc.value
    1.0
    """
    drawn = resampling or Resampling()
    known = ~np.isnan(scores)
    scores, wrong = scores[known], wrong[known]
    groups = _groups(wrong, None if lengths is None else lengths[known], window)
    ones = np.ones((1, len(scores)))
    won, whole = _won(scores, ones, groups)
    value = float(won[0] / whole[0]) if whole[0] else np.nan
    if not len(scores):
        return Separation(Share(), 0)
    resampled = []
    places = bootstrap_indices(len(scores), resamples=drawn.count, seed=drawn.seed)
    step = max(1, _MOST_WEIGHTS // len(scores))
    for start in range(0, len(places), step):
        rows = places[start : start + step]
        weights = np.stack([np.bincount(row, minlength=len(scores)) for row in rows])
        part, total = _won(scores, weights.astype(np.float64), groups)
        resampled.append(np.divide(part, total, out=np.full(len(part), np.nan), where=total > 0))
    (ends,) = percentile_intervals(np.concatenate(resampled)[np.newaxis], level=drawn.level)
    return Separation(_share(value, ends), int(whole[0]))


def _share(value: float, ends: Floats) -> Share:
    """Return a value with its interval; what is NaN is not defined."""
    known = (None if np.isnan(number) else float(number) for number in (value, *ends))
    return Share(*known)


Group = tuple["NDArray[np.int64]", "NDArray[np.int64]"]


def _groups(
    wrong: NDArray[np.bool_], lengths: NDArray[np.int64] | None, window: int
) -> list[Group]:
    """Return places of wrong outputs and of the right ones that each group is compared with."""
    if lengths is None:
        return [(np.flatnonzero(wrong), np.flatnonzero(~wrong))]
    groups = []
    for length in np.unique(lengths[wrong]).tolist():
        near = np.abs(lengths - length) <= window
        groups.append((np.flatnonzero(wrong & (lengths == length)), np.flatnonzero(~wrong & near)))
    return groups


def _won(scores: Floats, weights: Floats, groups: list[Group]) -> tuple[Floats, Floats]:
    """Return per row of weights how many pairs are in order, a tie half, and how many there are.

    Weights are whole numbers, so that sums are exact in any order.
    """
    won, whole = np.zeros(len(weights)), np.zeros(len(weights))
    for wrong, right in groups:
        if not len(wrong) or not len(right):
            continue
        order = right[np.argsort(scores[right], kind="stable")]
        upto = np.concatenate(
            [np.zeros((len(weights), 1)), np.cumsum(weights[:, order], axis=1)], axis=1
        )
        below = np.searchsorted(scores[order], scores[wrong], side="left")
        not_above = np.searchsorted(scores[order], scores[wrong], side="right")
        # Right ones that score higher, and half of those that score the same.
        higher = upto[:, -1:] - 0.5 * (upto[:, below] + upto[:, not_above])
        won += (weights[:, wrong] * higher).sum(axis=1)
        whole += weights[:, wrong].sum(axis=1) * upto[:, -1]
    return won, whole

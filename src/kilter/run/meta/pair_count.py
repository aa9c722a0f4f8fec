"""Judged pairs of translations, counted by what a metric makes of them. [PEF] section 5"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.judgments import rounding
from kilter.core.settings import Choice
from kilter.stats.resampling import RandomStream, Resampling, subset_sums

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.core.judgments import JudgedPairs

    Floats = NDArray[np.float64]

MISSING = 2
"""In a column of preferences: one of the two has no score."""


class PairKind(IntEnum):
    """What becomes of a judged pair; the columns of pair counts."""

    CONCORDANT = 0
    DISCORDANT = 1
    METRIC_TIE = 2
    HUMAN_TIE = 3
    BOTH_TIE = 4
    UNSCORED = 5


def differences(scores: Floats, pairs: JudgedPairs) -> Floats:
    """Return first less second score of every pair; scores are systems x segments."""
    segments = scores.shape[1]
    flat = scores.ravel()
    first = flat[pairs.first * segments + pairs.segment]
    return np.asarray(first - flat[pairs.second * segments + pairs.segment])


def preferences(scores: Floats, pairs: JudgedPairs, *, threshold: float = 0.0) -> NDArray[np.int8]:
    """Return 1 where the first scores higher, -1 lower, 0 for a tie, 2 where a score is missing.

    Scores no further apart than `threshold` are a tie, and so are those that differ by rounding.
    """
    difference = differences(scores, pairs)
    return _signs(difference, max(threshold, rounding(scores)))


def _signs(difference: Floats, threshold: float) -> NDArray[np.int8]:
    signs = (difference > threshold).astype(np.int8) - (difference < -threshold).astype(np.int8)
    signs[np.isnan(difference)] = MISSING
    return signs


def pair_kinds(preference: NDArray[np.int8], outcome: NDArray[np.int8]) -> NDArray[np.int8]:
    """Return the `PairKind` of every pair."""
    decided = np.where(
        preference == 0,
        PairKind.METRIC_TIE,
        np.where(preference == outcome, PairKind.CONCORDANT, PairKind.DISCORDANT),
    )
    tied = np.where(preference == 0, PairKind.BOTH_TIE, PairKind.HUMAN_TIE)
    kinds = np.where(outcome == 0, tied, decided)
    return np.where(preference == MISSING, PairKind.UNSCORED, kinds).astype(np.int8)


def count_pairs(kinds: NDArray[np.int8], units: NDArray[np.int64], count: int) -> Floats:
    """Return units x kinds: how many pairs of each kind each segment, task or pair of systems has."""
    width = len(PairKind)
    counts = np.bincount(units * width + kinds, minlength=count * width)
    return counts.reshape(count, width).astype(np.float64)


def named_counts(row: Floats) -> dict[str, float]:
    """Return how many pairs of each kind there are, by the names that results have for them."""
    return {
        "concordant": int(row[PairKind.CONCORDANT]),
        "discordant": int(row[PairKind.DISCORDANT]),
        "ties": int(row[PairKind.METRIC_TIE]),
        "human_ties": int(row[PairKind.HUMAN_TIE] + row[PairKind.BOTH_TIE]),
        "both_ties": int(row[PairKind.BOTH_TIE]),
        "unscored": int(row[PairKind.UNSCORED]),
    }


def ratio(part: Floats, whole: Floats) -> Floats:
    """Return parts of wholes; NaN where there is no whole."""
    part, whole = np.asarray(part, dtype=np.float64), np.asarray(whole, dtype=np.float64)
    shares = np.full(np.broadcast_shapes(part.shape, whole.shape), np.nan)
    np.divide(part, whole, out=shares, where=whole > 0)
    return shares


def consistency(counts: Floats) -> Floats:
    """Return the percentage of pairs that people decided in which the metric prefers the same side.

    A tie of the metric is not consistent; no pair is NaN. [LR] section 4

    >>> import numpy as np
    >>> float(consistency(np.array([6.0, 2.0, 2.0, 5.0, 0.0, 0.0])))
    60.0
    """
    agree = counts[..., PairKind.CONCORDANT]
    decided = agree + counts[..., PairKind.DISCORDANT] + counts[..., PairKind.METRIC_TIE]
    return ratio(100.0 * agree, decided)


def accuracy(counts: Floats) -> Floats:
    """Return the share of pairs, ties included, in which metric and people say the same."""
    right = counts[..., PairKind.CONCORDANT] + counts[..., PairKind.BOTH_TIE]
    return ratio(right, counts[..., : PairKind.UNSCORED].sum(axis=-1))


def calibrated_threshold(difference: Floats, outcome: NDArray[np.int8]) -> float:
    """Return the difference up to which a metric should be taken to tie, so that accuracy is highest.

    The smallest of the best thresholds; 0 if nothing is to be gained. Every pair counts once.

    >>> import numpy as np
    >>> calibrated_threshold(np.array([0.1, -0.2, 0.9]), np.array([0, 0, 1], dtype=np.int8))
    0.2
    """
    known = ~np.isnan(difference)
    size, human = np.abs(difference[known]), outcome[known]
    order = np.argsort(size, kind="stable")
    size, human = size[order], human[order]
    right = np.sign(difference[known][order]) == human
    # Up to and with each pair all are ties: right where people tie; beyond, where the sign is right.
    ties = np.cumsum(human == 0)
    beyond = np.cumsum((right & (human != 0))[::-1])[::-1]
    gain = ties + np.append(beyond[1:], 0)
    ends = np.append(size[1:] != size[:-1], True) if len(size) else np.zeros(0, dtype=bool)
    at_zero = np.count_nonzero((size == 0) & (human == 0)) + np.count_nonzero(
        (size > 0) & right & (human != 0)
    )
    best, threshold = at_zero, 0.0
    if ends.any():
        top = int(np.argmax(np.where(ends, gain, -1)))
        if gain[top] > best:
            threshold = float(size[top])
    return threshold


class TieRule(Choice):
    """What a pair counts that people decided and the metric ties.

    `wmt12`: as discordant. `wmt13`, as in [PEF]: not at all. `wmt14`: in the denominator only.
    """

    WMT12 = "wmt12"
    WMT13 = "wmt13"
    WMT14 = "wmt14"


def tau(counts: Floats, *, rule: TieRule = TieRule.WMT13) -> Floats:
    """Return (concordant - discordant) / (concordant + discordant) by a tie rule; NaN without a pair.

    Human ties never count. The last axis of `counts` holds kinds of pairs.

    >>> import numpy as np
    >>> counts = np.array([6.0, 2.0, 2.0, 0.0, 0.0, 0.0])
    >>> [float(tau(counts, rule=rule)) for rule in TieRule]
    [0.2, 0.5, 0.4]
    """
    agree, differ = counts[..., PairKind.CONCORDANT], counts[..., PairKind.DISCORDANT]
    tied = counts[..., PairKind.METRIC_TIE]
    if rule is TieRule.WMT12:
        return ratio(agree - differ - tied, agree + differ + tied)
    if rule is TieRule.WMT14:
        return ratio(agree - differ, agree + differ + tied)
    return ratio(agree - differ, agree + differ)


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

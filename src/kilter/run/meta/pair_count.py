"""Judged pairs of translations, counted by what a metric makes of them. [PEF] section 5"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.rounding import rounding

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

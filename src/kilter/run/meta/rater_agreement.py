"""How far the raters of translations agree, with intervals from resampled segments.

K. Krippendorff, Content Analysis (2004), chapter 11: alpha for interval and for ordinal ratings.
"""

from __future__ import annotations

from enum import IntEnum
from math import fsum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kilter.results.rated_systems import Estimate, RaterAgreement, RaterSummary
from kilter.stats.correlation import pearson
from kilter.stats.krippendorff import ScaleLevel, krippendorff_alpha
from kilter.stats.resampling import Resampling, bootstrap_sums, column_sums
from kilter.stats.significance import LEAST_SEGMENTS, percentile_intervals

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_MOST_LEVELS = 1000
"""Different ratings beyond which the order of all pairs of them takes too much room."""
_LEAST_SHARED = 3
"""Translations that two sides must have rated: two points always lie on a line."""
_ROUNDING = 1e-9
_NOBODY_TWICE = "no translation has two ratings"
_NO_SPREAD = "all ratings are the same"


class _AgreementSum(IntEnum):
    """What adds up over segments; ratings, their sum and squares are of translations with several."""

    RATINGS = 0
    SUM = 1
    SQUARES = 2
    DISAGREEMENT = 3
    PAIRS = 4
    EXACT = 5
    NEAR = 6
    DISTANCE = 7


class Rating(NamedTuple):
    """A rating that was given: system and segment by number, rater by name."""

    system: int
    segment: int
    rater: str
    score: float


def rater_agreement(
    ratings: Sequence[Rating], segments: int, *, resampling: Resampling | None = None
) -> RaterAgreement:
    """Return how far ratings of one translation agree; segments are drawn for the intervals."""
    shared = [each for each in _by_translation(ratings).values() if len(each) > 1]
    if not shared:
        nothing = Estimate(None, reason=_NOBODY_TWICE)
        return RaterAgreement(
            translations=0,
            pairs=0,
            alpha=nothing,
            ordinal=nothing,
            exact=nothing,
            near=nothing,
            distance=nothing,
        )
    drawn = resampling or Resampling()
    middle = float(np.median([each.score for each in ratings]))
    rows = np.zeros((segments, len(_AgreementSum)))
    for unit in shared:
        rows[unit[0].segment] += _statistics(np.array([each.score - middle for each in unit]))
    totals = column_sums(rows)
    resampled = bootstrap_sums(rows[np.newaxis], drawn).resampled()[0]
    if len({unit[0].segment for unit in shared}) < LEAST_SEGMENTS:
        resampled = np.full(resampled.shape, np.nan)

    def estimate(formula: Callable[[Floats], Floats]) -> Estimate:
        value = float(formula(totals))
        if np.isnan(value):
            return Estimate(None, reason=_NO_SPREAD)
        ends = percentile_intervals(formula(resampled)[np.newaxis], level=drawn.level)[0]
        low, high = (None if np.isnan(end) else float(end) for end in ends)
        return Estimate(value, low, high)

    return RaterAgreement(
        translations=len(shared),
        pairs=int(totals[_AgreementSum.PAIRS]),
        alpha=estimate(_alpha),
        ordinal=_ordinal(shared),
        exact=estimate(lambda sums: _share(sums, _AgreementSum.EXACT)),
        near=estimate(lambda sums: _share(sums, _AgreementSum.NEAR)),
        distance=estimate(lambda sums: _share(sums, _AgreementSum.DISTANCE)),
    )


def _by_translation(ratings: Iterable[Rating]) -> dict[tuple[int, int], list[Rating]]:
    found: dict[tuple[int, int], list[Rating]] = {}
    for each in ratings:
        found.setdefault((each.system, each.segment), []).append(each)
    return found


def _statistics(scores: Floats) -> Floats:
    """Return what the ratings of one translation add to the columns."""
    count = len(scores)
    apart = np.abs(scores[:, np.newaxis] - scores)[np.triu_indices(count, k=1)]
    row = np.zeros(len(_AgreementSum))
    row[_AgreementSum.RATINGS] = count
    row[_AgreementSum.SUM] = scores.sum()
    row[_AgreementSum.SQUARES] = (scores**2).sum()
    # Both orders of each pair, as the matrix of coincidences counts them.
    row[_AgreementSum.DISAGREEMENT] = 2.0 * float((apart**2).sum()) / (count - 1)
    row[_AgreementSum.PAIRS] = len(apart)
    row[_AgreementSum.EXACT] = np.count_nonzero(apart == 0.0)
    row[_AgreementSum.NEAR] = np.count_nonzero(apart <= 1.0 + _ROUNDING)
    row[_AgreementSum.DISTANCE] = apart.sum()
    return row


def _alpha(sums: Floats) -> Floats:
    """Return 1 - observed / expected squared difference, NaN where there is none to expect."""
    count, total, squares = (
        sums[..., column]
        for column in (_AgreementSum.RATINGS, _AgreementSum.SUM, _AgreementSum.SQUARES)
    )
    expected = 2.0 * (count * squares - total**2)
    flat = (expected <= _ROUNDING * count * squares) | (count < 2)
    with np.errstate(invalid="ignore", divide="ignore"):
        alpha = 1.0 - (count - 1.0) * sums[..., _AgreementSum.DISAGREEMENT] / expected
    return np.where(flat, np.nan, alpha)


def _share(sums: Floats, column: _AgreementSum) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(sums[..., column] / sums[..., _AgreementSum.PAIRS])


def _ordinal(shared: Sequence[Sequence[Rating]]) -> Estimate:
    """Return alpha for the order of ratings; of so many resamples it would take too long."""
    levels = {
        score: place
        for place, score in enumerate(sorted({r.score for unit in shared for r in unit}))
    }
    if len(levels) > _MOST_LEVELS:
        return Estimate(None, reason=f"there are more than {_MOST_LEVELS} different ratings")
    units = [[levels[each.score] for each in unit] for unit in shared]
    found = krippendorff_alpha(units, values=range(len(levels)), scale=ScaleLevel.ORDINAL)
    return Estimate(found, reason=_NO_SPREAD if found is None else "")


def rater_summaries(ratings: Sequence[Rating]) -> list[RaterSummary]:
    """Return each rater in the order of their first rating."""
    translations = _by_translation(ratings)
    rated = len({each.segment for each in ratings})
    names = list(dict.fromkeys(each.rater for each in ratings))
    return [
        _summary(name, [each for each in ratings if each.rater == name], translations, rated)
        for name in names
    ]


def _summary(
    name: str,
    own: Sequence[Rating],
    translations: Mapping[tuple[int, int], Sequence[Rating]],
    rated: int,
) -> RaterSummary:
    mine, others = [], []
    for each in own:
        beside = [
            other.score
            for other in translations[each.system, each.segment]
            if other.rater != each.rater
        ]
        if beside:
            mine.append(each.score)
            others.append(fsum(beside) / len(beside))
    segments = len({each.segment for each in own})
    return RaterSummary(
        name=name,
        ratings=len(own),
        segments=segments,
        share=segments / rated,
        mean=fsum(each.score for each in own) / len(own),
        correlation=_correlation(mine, others),
    )


def _correlation(mine: Sequence[float], others: Sequence[float]) -> Estimate:
    if len(mine) < _LEAST_SHARED:
        return Estimate(
            None, reason=f"fewer than {_LEAST_SHARED} translations that others rated too"
        )
    value = float(pearson(np.array(mine), np.array(others)))
    return (
        Estimate(None, reason="a side gives the same rating to all")
        if np.isnan(value)
        else Estimate(value)
    )

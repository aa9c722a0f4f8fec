"""Intervals, significance tests and effect sizes of two systems on the same segments. [FRS]

W. Morgan, Statistical hypothesis tests for NLP; S. Riezler and J. Maxwell, On some pitfalls in
automatic evaluation and significance testing for MT (2005); P. Koehn, Statistical significance
tests for machine translation evaluation (2004).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import ceil, exp, fsum, lgamma, log, log1p, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from kilter import _core
from kilter.core.counted import counted
from kilter.core.errors import OptionError
from kilter.core.settings import checked
from kilter.stats.resampling import USUAL, RandomStream, Resampling, recommended, subset_sums

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Statistics are rounded to 2 ** -40 before they are summed; scores of about 1 that lie closer
# together than this are equal as far as anybody can tell.
TIE = 2.0**-38
# One segment cannot vary. Intervals of few hold the truth less often than they say: with normal
# scores one of 95% holds it in 84% of cases for 5 segments, 89% for 10 and 93% for 30 (simulated).
LEAST_SEGMENTS = 2
FEW_SEGMENTS = 30
# The ends of an interval of 95% are the second and third of so many resamples from either side.
FEW_RESAMPLES = 100
# One resample is one score: nothing lies between it and itself.
LEAST_RESAMPLES = 2
# 2 ** 20 ways to flip signs are counted in about a millisecond.
MOST_EXACT = 20
LIKELY, _SURE = 0.05, 0.01


class MarkRule(StrEnum):
    """What a mark follows: the corrected p-value of a test, or the share of resamples as [FRS] prints it."""

    CORRECTED = "corrected"
    SHARE = "share"


class Mark(StrEnum):
    """How sure it is that the second system is better (+) or worse (-); `?` where too few resamples or segments tell."""

    SURELY_BETTER = "+**"
    BETTER = "+*"
    OPEN = "0"
    UNDECIDED = "?"
    WORSE = "-*"
    SURELY_WORSE = "-**"

    def reversed(self) -> Mark:
        """Return the mark of the same two systems the other way round."""
        return Mark(self.translate(str.maketrans("+-", "-+")))


@dataclass(frozen=True, kw_only=True)
class PermutationTest:
    """The p-value of a sign-flip test, and whether all ways to flip were counted."""

    p: float
    exact: bool


@dataclass(frozen=True, kw_only=True)
class SegmentEffect:
    """How far and how often the second system's segments score better than the first's.

    `standardised` is Cohen's d_z: the mean difference over the standard deviation of the differences
    (n - 1). None where that is undefined: fewer than two segments, or all differences equal and not 0.
    """

    better: int
    equal: int
    worse: int
    standardised: float | None


def evidence_note(segments: int, *, noun: str = "segment") -> str | None:
    """Return what a reader must know about so few segments, or None if there are enough.

    >>> evidence_note(12)
    '12 segments are few: intervals and tests are rough below 30'
    """
    if segments < LEAST_SEGMENTS:
        return (
            f"one {noun} is no evidence: intervals and tests need {LEAST_SEGMENTS} or more, "
            f"and are rough below {FEW_SEGMENTS}"
        )
    if segments < FEW_SEGMENTS:
        return f"{segments} {noun}s are few: intervals and tests are rough below {FEW_SEGMENTS}"
    return None


def resample_note(resamples: int) -> str | None:
    """Return that so few resamples give no interval, or None if they do.

    >>> resample_note(1)
    'one resample gives no interval: it takes 2 or more, and intervals and tests are rough below 100'
    """
    if resamples >= LEAST_RESAMPLES:
        return None
    return (
        f"one resample gives no interval: it takes {LEAST_RESAMPLES} or more, and intervals and tests "
        f"are rough below {FEW_RESAMPLES}"
    )


def smallest_corrected(comparisons: int, resamples: int) -> float:
    """Return the smallest Holm-corrected p-value that tests by resampling can give.

    >>> round(smallest_corrected(253, 1000), 3)
    0.253
    """
    return min(1.0, comparisons / (1 + resamples))


def least_p(segments: int) -> float:
    """Return the smallest p-value of a two-sided test that so many segments can give.

    Two systems can be exchanged in n segments in 2^n ways, and the difference has its full size in two of them. Below
    6 segments that is no less than .05. A bootstrap of so few knows only their own spread, which may be none.

    >>> [least_p(segments) for segments in (2, 5, 6)]
    [0.5, 0.0625, 0.03125]
    """
    return 2.0 ** (1 - segments)


def decision_note(comparisons: int, resamples: int, *, against: int | None = None) -> str | None:
    """Return that so few resamples cannot decide so many comparisons and how many can, or None if they do.

    Of these comparisons `against` are with the baseline and corrected by themselves: they may be decided all the same.

    >>> decision_note(253, 1000)
    'no pair can be significant with 1000 resamples, corrected for 253 comparisons; use --resamples 37950'
    >>> decision_note(15, 1000)
    'no pair can have p < .01 with 1000 resamples, corrected for 15 comparisons; use --resamples 2250'
    >>> decision_note(45, 200, against=9)
    'no pair in the matrix can be significant with 200 resamples, corrected for 45 comparisons; use --resamples 6750'
    """
    smallest = smallest_corrected(comparisons, resamples)
    if smallest < _SURE:
        return None
    limit, fault = (LIKELY, "be significant") if smallest >= LIKELY else (_SURE, "have p < .01")
    decided = against is not None and smallest_corrected(against, resamples) < limit
    pair = "pair in the matrix" if decided else "pair"
    several = f", corrected for {comparisons} comparisons" if comparisons > 1 else ""
    return (
        f"no {pair} can {fault} with {counted(resamples, 'resample')}{several}; "
        f"use --resamples {recommended(comparisons)}"
    )


def percentile_intervals(rows: NDArray[np.float64], *, level: float = 0.95) -> NDArray[np.float64]:
    """Return per row the percentiles that enclose the middle share `level` of its resampled scores.

    Linear interpolation between order statistics: 2.5 and 97.5 for a level of 0.95. NaN, a resample
    without a score, is left out; a row with fewer than two scores has no percentiles, NaN.

    >>> import numpy as np
    >>> percentile_intervals(np.arange(1001.0)[np.newaxis]).tolist()
    [[25.0, 975.0]]
    """
    if not 0.0 < level < 1.0:
        raise OptionError(f"level is {level}; it must lie between 0 and 1, without these")
    tail = round((1.0 - level) / 2.0, 12)
    ends = [tail, 1.0 - tail]
    bounds = np.full((len(rows), 2), np.nan)
    whole = ~np.isnan(rows).any(axis=1) & (rows.shape[1] >= LEAST_RESAMPLES)
    if whole.any():
        bounds[whole] = np.quantile(rows[whole], ends, axis=1, method="linear").T
    for place in np.flatnonzero(~whole):
        defined = rows[place][~np.isnan(rows[place])]
        if len(defined) >= LEAST_RESAMPLES:
            bounds[place] = np.quantile(defined, ends, method="linear")
    return bounds


def better_shares(rows: NDArray[np.float64], *, tie: float = TIE) -> NDArray[np.float64]:
    """Return per row the share of resamples in which the second system is better; a tie is none of them.

    The differences in `rows` are positive where the second system is better, and NaN where they are not
    defined; those do not count.
    """
    above = np.count_nonzero(rows > tie, axis=1)
    with np.errstate(invalid="ignore"):
        return np.asarray(above / _defined(rows))


def share_mark(better: float, worse: float | None = None) -> Mark:
    """Return `+**` where the second system is better in 0.95 of the resamples, `+*` in 0.90. [FRS] table 3

    `-**` and `-*` are the same for `worse`, else it is `0`. Without `worse` no resample is a tie, and
    the share to which it is worse is the rest. Two equal systems are neither better nor worse: `0`.

    >>> [str(share_mark(share)) for share in (1.0, 0.92, 0.5, 0.1, 0.05)]
    ['+**', '+*', '0', '-*', '-**']
    >>> str(share_mark(0.0, worse=0.0))
    '0'
    """
    if better >= 0.90:
        return Mark.SURELY_BETTER if better >= 0.95 else Mark.BETTER
    rest = 1.0 - better if worse is None else worse
    if rest >= 0.90:
        return Mark.SURELY_WORSE if rest >= 0.95 else Mark.WORSE
    return Mark.OPEN


def p_mark(better: float, p: float, *, smallest: float = 0.0, tie: float = TIE) -> Mark:
    """Return `+**` where the second system is better with p below 0.01, `+*` below 0.05.

    `better` is positive where it is; `-**` and `-*` are the same for worse ones, else it is `0`.
    If not even the `smallest` p-value that resamples and segments can give lies below 0.05, it is `?`.

    >>> [str(p_mark(0.2, p)) for p in (0.001, 0.01, 0.05)], str(p_mark(-0.2, 0.001))
    (['+**', '+*', '0'], '-**')
    >>> str(p_mark(0.2, 0.253, smallest=0.253))
    '?'
    """
    if p >= LIKELY or abs(better) <= tie:
        return Mark.UNDECIDED if smallest >= LIKELY else Mark.OPEN
    if better > 0:
        return Mark.SURELY_BETTER if p < _SURE else Mark.BETTER
    return Mark.SURELY_WORSE if p < _SURE else Mark.WORSE


def bootstrap_p_values(
    rows: NDArray[np.float64],
    observed: NDArray[np.float64],
    *,
    least: float = 0.0,
    tie: float = TIE,
) -> NDArray[np.float64]:
    """Return per row (1 + #{|d_r - d| >= |d|}) / (1 + R): two-sided, resamples centred on the observed d.

    The resampled differences d_r vary around the observed one as, were there no difference, they
    would vary around 0. sacreBLEU centres the absolute differences on their mean and counts one tail.
    NaN, a resample without a difference, does not count; a row without any difference has no p-value. None is
    less than `least`, the least p-value that the segments can give.
    """
    return np.maximum(_tail_shares(rows - observed[:, np.newaxis], observed, tie), least)


def percentile_p_values(rows: NDArray[np.float64], *, tie: float = TIE) -> NDArray[np.float64]:
    """Return per row (1 + 2 min(#{d_r <= 0}, #{d_r >= 0})) / (1 + R), at most 1: how far 0 lies out.

    About the level at which the percentile interval of the resampled differences d_r begins to hold
    0. NaN is treated as in `bootstrap_p_values`.

    >>> import numpy as np
    >>> percentile_p_values(np.arange(-2.0, 997.0)[np.newaxis]).tolist()
    [0.007]
    """
    beyond = np.minimum(
        np.count_nonzero(rows <= tie, axis=1), np.count_nonzero(rows >= -tie, axis=1)
    )
    defined = _defined(rows)
    return np.where(defined > 0, np.minimum((1 + 2 * beyond) / (1 + defined), 1.0), np.nan)


def randomisation_p_values(
    rows: NDArray[np.float64], observed: NDArray[np.float64], *, tie: float = TIE
) -> NDArray[np.float64]:
    """Return per row (1 + #{|d_r| >= |d|}) / (1 + R) for differences d_r after random swaps of segments.

    NaN is treated as in `bootstrap_p_values`.
    """
    return _tail_shares(rows, observed, tie)


def _tail_shares(
    rows: NDArray[np.float64], observed: NDArray[np.float64], tie: float
) -> NDArray[np.float64]:
    far = np.count_nonzero(np.abs(rows) >= (np.abs(observed) - tie)[:, np.newaxis], axis=1)
    defined = _defined(rows)
    known = (defined > 0) & ~np.isnan(observed)
    return np.where(known, (1 + far) / (1 + defined), np.nan)


def _defined(rows: NDArray[np.float64]) -> NDArray[np.int64]:
    return np.asarray(rows.shape[1] - np.count_nonzero(np.isnan(rows), axis=1))


def permutation_tests(
    differences: NDArray[np.float64], resampling: Resampling = USUAL, *, tie: float = TIE
) -> list[PermutationTest]:
    """Return one sign-flip test per column of segments x comparisons of score differences.

    Were there no difference, each segment's could as well have the other sign. p is the share of sign
    assignments whose sum lies at least as far from 0 as the observed one: all 2^k of them if at most
    20 segments differ, else (1 + c) / (1 + R) over R random ones.

    >>> import numpy as np
    >>> permutation_tests(np.array([[0.1], [0.2], [0.0], [0.3]]))
    [PermutationTest(p=0.25, exact=True)]
    """
    differences = np.where(np.abs(differences) <= tie, 0.0, differences)
    differing = np.count_nonzero(differences, axis=0)
    tests: dict[int, PermutationTest] = {}
    for column in np.flatnonzero(differing <= MOST_EXACT):
        kept = np.ascontiguousarray(differences[:, column][differences[:, column] != 0.0])
        share = _core.count_sign_flips(kept) / 2 ** len(kept)
        tests[int(column)] = PermutationTest(p=share, exact=True)
    sampled = np.flatnonzero(differing > MOST_EXACT)
    if len(sampled):
        flips = subset_sums(
            differences[np.newaxis, :, sampled], resampling, stream=RandomStream.FLIPS
        )
        observed = flips.totals[0]
        sums = observed - 2 * flips.sums[0]
        # Each difference was rounded by at most half a unit, in either sum.
        far = np.abs(sums) >= np.abs(observed) - differing[sampled]
        for column, count in zip(sampled, np.count_nonzero(far, axis=0), strict=True):
            share = (1 + int(count)) / (1 + resampling.count)
            tests[int(column)] = PermutationTest(p=share, exact=False)
    return [tests[column] for column in range(differences.shape[1])]


def every_sum(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the sums of all 2^k choices among k rows, none of them first.

    >>> import numpy as np
    >>> every_sum(np.array([[1.0, 2.0], [10.0, 20.0]])).tolist()
    [[0.0, 0.0], [1.0, 2.0], [10.0, 20.0], [11.0, 22.0]]
    """
    sums = np.zeros((1, rows.shape[1]))
    for row in rows:
        sums = np.concatenate([sums, sums + row])
    return sums


def segment_effects(
    rows: NDArray[np.float64], *, tie: float = TIE, standardise: bool = True
) -> list[SegmentEffect]:
    """Return how segments differ, per row; differences are positive where the second system is better.

    The standardised difference is one of mean scores; for other corpus scores it is left out. NaN, a
    segment without a score, does not count.

    >>> import numpy as np
    >>> segment_effects(np.array([[0.25, 0.75, 0.0, -0.5]]))
    [SegmentEffect(better=2, equal=1, worse=1, standardised=0.2401922307076307)]
    """
    better = np.count_nonzero(rows > tie, axis=1).tolist()
    worse = np.count_nonzero(rows < -tie, axis=1).tolist()
    defined = _defined(rows).tolist()
    return [
        SegmentEffect(
            better=better[k],
            equal=defined[k] - better[k] - worse[k],
            worse=worse[k],
            standardised=_standardised(row[~np.isnan(row)], tie) if standardise else None,
        )
        for k, row in enumerate(rows)
    ]


def _standardised(differences: NDArray[np.float64], tie: float) -> float | None:
    count = len(differences)
    if count < 2:
        return None
    mean = fsum(differences.tolist()) / count
    deviation = sqrt(fsum(((differences - mean) ** 2).tolist()) / (count - 1))
    if deviation <= tie:
        return 0.0 if abs(mean) <= tie else None
    return mean / deviation


@checked
def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Return p-values adjusted so that the chance of any false alarm among them stays as stated.

    The k-th smallest of m becomes the largest of (m - j + 1) p_j over j <= k, at most 1. Missing
    values are no comparisons. S. Holm, A simple sequentially rejective multiple test procedure (1979)

    >>> holm([0.01, 0.04, None, 0.03])
    [0.03, 0.06, None, 0.06]
    """
    for p in p_values:
        if p is not None and not 0.0 <= p <= 1.0:
            raise OptionError(f"p_values holds {p!r}; a p-value lies between 0 and 1, or is None")
    known = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    largest = 0.0
    for rank, (p, place) in enumerate(known):
        largest = max(largest, min(1.0, (len(known) - rank) * p))
        adjusted[place] = largest
    return adjusted


@checked
def sample_size(
    *,
    deviation: float,
    difference: float,
    level: float = 0.05,
    power: float = 0.8,
    comparisons: int = 1,
) -> int:
    """Return n = 2 (z_(1 - a / 2k) + z_(1 - b))^2 s^2 / d^2 per group, rounded up.

    Two groups are compared, two-tailed, at the level a shared by k comparisons, and a true difference d
    between means of standard deviation s is to be found with the power 1 - b.

    >>> sample_size(deviation=1.0, difference=0.5)
    63
    """
    for name, share in (("level", level), ("power", power)):
        if not 0.0 < share < 1.0:
            raise OptionError(f"{name} is {share}; it must lie between 0 and 1, without these")
    if not deviation > 0.0 or difference == 0.0 or comparisons < 1:
        raise OptionError(
            f"deviation is {deviation}, difference {difference} and comparisons {comparisons}; the first "
            "must be above 0, the second not 0, the third at least 1"
        )
    normal = NormalDist()
    quantiles = normal.inv_cdf(1.0 - level / (2 * comparisons)) + normal.inv_cdf(power)
    return ceil(2.0 * (quantiles * deviation / difference) ** 2)


_STEPS = 400
_SMALL = 1e-300


def two_sided_p(t: float, freedom: float) -> float:
    """Return the probability that |T| is at least |t| with so many degrees of freedom.

    >>> round(two_sided_p(2.0, 10), 6)
    0.073388
    """
    if freedom <= 0:
        raise ValueError(f"freedom is {freedom}; it must be positive")
    return incomplete_beta(freedom / 2.0, 0.5, freedom / (freedom + t * t))


def correlation_p(r: float, count: int) -> float | None:
    """Return the p-value of a correlation of so many pairs by the t approximation, n - 2 degrees of freedom.

    None for fewer than three pairs; 0 for a perfect correlation.

    >>> round(correlation_p(0.5, 20), 6)
    0.02477
    """
    if count < 3:
        return None
    if abs(r) >= 1.0:
        return 0.0
    return two_sided_p(r * sqrt((count - 2) / (1.0 - r * r)), count - 2)


def incomplete_beta(a: float, b: float, x: float) -> float:
    """Return the regularised incomplete beta function I_x(a, b), by Lentz's continued fraction."""
    if x <= 0.0:
        return 0.0
    if x >= 1.0:
        return 1.0
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x))
    if x < (a + 1.0) / (a + b + 2.0):
        return front * _fraction(a, b, x) / a
    return 1.0 - front * _fraction(b, a, 1.0 - x) / b


def _fraction(a: float, b: float, x: float) -> float:
    upper, lower = 1.0, 1.0 / _away(1.0 - (a + b) * x / (a + 1.0))
    value = lower
    for step in range(1, _STEPS):
        even = step * (b - step) * x / ((a + 2 * step - 1) * (a + 2 * step))
        odd = -(a + step) * (a + b + step) * x / ((a + 2 * step) * (a + 2 * step + 1))
        for term in (even, odd):
            lower = 1.0 / _away(1.0 + term * lower)
            upper = _away(1.0 + term / upper)
            value *= upper * lower
        if abs(upper * lower - 1.0) < 1e-15:
            break
    return value


def _away(value: float) -> float:
    return value if abs(value) > _SMALL else _SMALL

"""Does one metric agree better with people than another? Section 14.5

D. Deutsch, R. Dror and D. Roth, A Statistical Analysis of Summarization Evaluation Metrics Using Resampling
Methods (TACL 2021): the permutation test that swaps metrics.
"""

from __future__ import annotations

from itertools import combinations
from math import fsum, isnan, sqrt
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.errors import OptionError
from kilter.core.settings import Choice
from kilter.results.meta_result import PAIRWISE, SYSTEM_LEVEL, AgreementMeasure, MetricPair
from kilter.run.meta.agreement import CORRELATIONS, JudgedMetrics
from kilter.run.meta.pair_count import PairKind
from kilter.stats.resampling import RandomStream, Resampling, bootstrap_sums, subset_sums
from kilter.stats.significance import (
    LEAST_SEGMENTS,
    percentile_intervals,
    percentile_p_values,
    randomisation_p_values,
    two_sided_p,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Places = Sequence[tuple[int, int]]

T_TEST_WARNING = (
    "the t-test takes resamples for observations: with enough of them any difference becomes "
    "significant; it is here because it was published, percentile is the sound choice"
)
# Pairs of metrics that are resampled at once, so that memory stays small.
_BLOCK = 128
_LEVEL = 0.05


class MetricTest(Choice):
    """How a difference between metrics is tested.

    `percentile`: does the bootstrap interval of the difference exclude 0? `permutation`: how often is
    the difference as large if the metrics exchange their scores at random? `t-test`: as published in [PC].
    """

    PERCENTILE = "percentile"
    PERMUTATION = "permutation"
    T_TEST = "t-test"


def compare_metrics(
    judged: JudgedMetrics, measure: AgreementMeasure, *, test: MetricTest = MetricTest.PERCENTILE
) -> list[MetricPair]:
    """Return every two metrics that were judged, compared by one measure on the same resamples."""
    places = list(combinations(range(len(judged.metrics)), 2))
    if not places:
        return []
    if measure in PAIRWISE:
        pairs: list[MetricPair] = []
        for start in range(0, len(places), _BLOCK):
            pairs += _on_shared_pairs(judged, measure, places[start : start + _BLOCK], test)
        return pairs
    if test is MetricTest.PERMUTATION and measure not in SYSTEM_LEVEL:
        raise OptionError(
            f"the permutation test is for measures on pairs and on systems, not for {measure}; use "
            "percentile"
        )
    return _by_value(judged, measure, places, test)


def _on_shared_pairs(
    judged: JudgedMetrics, measure: AgreementMeasure, places: Places, test: MetricTest
) -> list[MetricPair]:
    """Compare on pairs that neither metric ties, resampling segments: pairs of one depend on one another."""
    rows = _shared_rows(judged, measure, places)
    drawn = judged.resampling
    sums = bootstrap_sums(rows, drawn)
    observed = _share(rows.sum(axis=1), measure)
    resampled = _share(sums.resampled(), measure)
    difference, differences = observed[1] - observed[0], (resampled[1] - resampled[0]).T
    if judged.judged_segments < LEAST_SEGMENTS:
        differences = np.full(differences.shape, np.nan)
    p, significant = _tested(differences, drawn, test)
    if test is MetricTest.PERMUTATION:
        swaps = subset_sums(rows, drawn, stream=RandomStream.SWAPS)
        first, second = swaps.swapped(0, 1)
        swapped = (_share(second, measure) - _share(first, measure)).T
        if judged.judged_segments < LEAST_SEGMENTS:
            swapped = np.full(swapped.shape, np.nan)
        p = randomisation_p_values(swapped, difference)
        significant = p < _LEVEL
    counts = rows[0, :, 1::2].sum(axis=0).astype(int).tolist()
    return _pairs(judged, places, observed, differences, p, significant, counts)


def _shared_rows(judged: JudgedMetrics, measure: AgreementMeasure, places: Places) -> Floats:
    """Return 2 metrics x segments x (right, shared) of each pair of metrics, one after the other.

    Accuracy judges ties as well, so that all pairs with scores are shared.
    """
    segment = judged.judgments.pairs.segment
    if measure is AgreementMeasure.ACCURACY:
        kinds, _ = judged.calibrated
        usable = kinds != PairKind.UNSCORED
        right = (kinds == PairKind.CONCORDANT) | (kinds == PairKind.BOTH_TIE)
    else:
        kinds = judged.kinds
        usable = (kinds == PairKind.CONCORDANT) | (kinds == PairKind.DISCORDANT)
        right = kinds == PairKind.CONCORDANT
    right = right.astype(np.int64)
    rows = np.zeros((2, judged.segments, 2 * len(places)))
    for column, (first, second) in enumerate(places):
        both = np.flatnonzero(usable[first] & usable[second])
        cells = np.bincount(
            segment[both] * 4 + right[first, both] + 2 * right[second, both],
            minlength=4 * judged.segments,
        ).reshape(-1, 4)
        rows[0, :, 2 * column] = cells[:, 1] + cells[:, 3]
        rows[1, :, 2 * column] = cells[:, 2] + cells[:, 3]
        rows[:, :, 2 * column + 1] = cells.sum(axis=1)
    return rows


def _share(sums: Floats, measure: AgreementMeasure) -> Floats:
    """Return the measure of each pair of metrics from (right, shared); pairs tied are not among them."""
    right, shared = sums[..., 0::2], sums[..., 1::2]
    shares = np.full(right.shape, np.nan)
    np.divide(right, shared, out=shares, where=shared > 0)
    if measure is AgreementMeasure.SEGMENT_TAU:
        return 2.0 * shares - 1.0
    return 100.0 * shares if measure is AgreementMeasure.CONSISTENCY else shares


def _by_value(
    judged: JudgedMetrics, measure: AgreementMeasure, places: Places, test: MetricTest
) -> list[MetricPair]:
    values = judged.values(measure)
    first, second = np.array(places).T
    observed = np.stack([values.observed[first], values.observed[second]])
    difference = observed[1] - observed[0]
    differences = values.resampled[second] - values.resampled[first]
    p, significant = _tested(differences, judged.resampling, test)
    if test is MetricTest.PERMUTATION:
        p = _swapped_systems(judged, measure, places, difference)
        significant = p < _LEVEL
    return _pairs(judged, places, observed, differences, p, significant, None)


def _swapped_systems(
    judged: JudgedMetrics, measure: AgreementMeasure, places: Places, difference: Floats
) -> Floats:
    """Return p-values where the metrics exchange the scores of systems, each brought to one scale."""
    correlation = CORRELATIONS[measure]
    human = judged.human_scores[judged.judged_systems]
    drawn, count = judged.resampling, len(judged.judged_systems)
    # The subsets of an identity matrix are the subsets themselves: which systems are swapped.
    chosen = subset_sums(np.eye(count)[np.newaxis], drawn, stream=RandomStream.SWAPS).resampled()[0]
    scores = [_standardised(judged.system_scores(each)) for each in judged.metrics]
    rows = []
    for first, second in places:
        one = np.where(chosen == 1.0, scores[second], scores[first])
        other = np.where(chosen == 1.0, scores[first], scores[second])
        rows.append(correlation(human, other) - correlation(human, one))
    return randomisation_p_values(np.stack(rows), difference)


def _standardised(scores: Floats) -> Floats:
    mean = fsum(scores.tolist()) / len(scores)
    spread = sqrt(fsum(((scores - mean) ** 2).tolist()))
    return (scores - mean) / spread if spread > 0 else scores - mean


def _tested(
    differences: Floats, drawn: Resampling, test: MetricTest
) -> tuple[Floats, NDArray[np.bool_]]:
    if test is MetricTest.T_TEST:
        p = np.array([_t_test(row) for row in differences])
        return p, p < _LEVEL
    ends = percentile_intervals(differences, level=drawn.level)
    apart = (ends[:, 0] > 0) | (ends[:, 1] < 0)
    p = percentile_p_values(differences)
    # Few resamples cannot tell: their interval may end before 0 although one of them lies beyond.
    return p, apart & (p < _LEVEL)


def _t_test(row: Floats) -> float:
    """Return the p-value of a paired t-test over resamples. [PC] section 6, with its caution"""
    known = row[~np.isnan(row)]
    if len(known) < 2:
        return float("nan")
    mean = fsum(known.tolist()) / len(known)
    variance = fsum(((known - mean) ** 2).tolist()) / (len(known) - 1)
    if variance == 0.0:
        return 1.0 if mean == 0.0 else 0.0
    return two_sided_p(mean / sqrt(variance / len(known)), len(known) - 1)


def _pairs(
    judged: JudgedMetrics,
    places: Places,
    observed: Floats,
    differences: Floats,
    p: Floats,
    significant: NDArray[np.bool_],
    counts: Sequence[int] | None,
) -> list[MetricPair]:
    ends = percentile_intervals(differences, level=judged.resampling.level)
    tested = []
    for column, (first, second) in enumerate(places):
        difference = float(observed[1, column] - observed[0, column])
        tested.append(
            MetricPair(
                first=judged.metrics[first].name,
                second=judged.metrics[second].name,
                first_value=_known(observed[0, column]),
                second_value=_known(observed[1, column]),
                value=difference,
                low=float(ends[column, 0]),
                high=float(ends[column, 1]),
                p=float(p[column]),
                significant=bool(significant[column]) and not isnan(difference),
                shared=None if counts is None else counts[column],
            )
        )
    return tested


def _known(value: float) -> float | None:
    return None if isnan(value) else float(value)

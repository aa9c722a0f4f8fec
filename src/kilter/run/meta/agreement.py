"""Agreement of metrics with people, with intervals from resampled segments, judgments or systems.

Section 14; what is resampled is the choice that [PC] leaves open.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kilter.core.counted import counted
from kilter.core.errors import InputError
from kilter.core.judgments import levelled, rounding
from kilter.core.settings import Choice
from kilter.results.meta_result import (
    PAIRWISE,
    SYSTEM_LEVEL,
    Agreement,
    AgreementMeasure,
    Resample,
    drawn_of,
)
from kilter.run.meta.pair_count import (
    PairKind,
    TieRule,
    accuracy,
    better_p_values,
    calibrated_threshold,
    consistency,
    count_pairs,
    differences,
    named_counts,
    pair_kinds,
    preferences,
    resampled_soft_accuracy,
    soft_accuracy,
    tau,
)
from kilter.run.meta.scored_metric import mean_score
from kilter.run.meta.segment_correlation import Coefficient, Grouping, segment_correlation
from kilter.stats.correlation import pearson, spearman
from kilter.stats.resampling import Resampling, bootstrap_indices, bootstrap_sums
from kilter.stats.significance import LEAST_SEGMENTS, percentile_intervals

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from kilter.core.judgments import Judgments
    from kilter.run.meta.scored_metric import ScoredMetric

    Floats = NDArray[np.float64]


class HumanTies(Choice):
    """What a human tie counts in a system's win ratio: nothing, or in the denominator."""

    LEAVE = "leave"
    COUNT = "count"


# Resampled statistics are rounded to 2 ** -40, and what is made of them is a little further off.
_ROUNDED = 2.0**-32

CORRELATIONS = {
    AgreementMeasure.SYSTEM_SPEARMAN: spearman,
    AgreementMeasure.SYSTEM_PEARSON: pearson,
}
_COEFFICIENTS = {
    AgreementMeasure.PEARSON: (Coefficient.PEARSON, Grouping.POOLED),
    AgreementMeasure.PEARSON_ITEM: (Coefficient.PEARSON, Grouping.ITEM),
    AgreementMeasure.PEARSON_SYSTEM: (Coefficient.PEARSON, Grouping.SYSTEM),
    AgreementMeasure.SPEARMAN: (Coefficient.SPEARMAN, Grouping.POOLED),
    AgreementMeasure.SPEARMAN_ITEM: (Coefficient.SPEARMAN, Grouping.ITEM),
    AgreementMeasure.SPEARMAN_SYSTEM: (Coefficient.SPEARMAN, Grouping.SYSTEM),
}


class Values(NamedTuple):
    """Values of all metrics on all the data, and on every resample (metrics x resamples), and counts."""

    observed: Floats
    resampled: Floats
    counts: list[dict[str, float]]


@dataclass(frozen=True, kw_only=True, eq=False)
class JudgedMetrics:
    """Metrics and judgments of the same systems and segments; everything else follows from them."""

    judgments: Judgments = field(repr=False)
    segments: int
    metrics: tuple[ScoredMetric, ...] = field(repr=False)
    resampling: Resampling = field(default_factory=Resampling)
    resample: Resample = Resample.SEGMENTS
    tie_rule: TieRule = TieRule.WMT13
    human_ties: HumanTies = HumanTies.LEAVE
    _kept: dict[AgreementMeasure, Values] = field(default_factory=dict, init=False, repr=False)
    _kept_scores: dict[str, Floats] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        if not self.metrics:
            raise InputError("there is no metric to compare with the judgments")
        shape = (len(self.judgments.systems), self.segments)
        for metric in self.metrics:
            if metric.scores.shape != shape:
                raise InputError(
                    f"{metric.name} has scores of {_size(metric.scores.shape)}; the judgments need "
                    f"{_size(shape)}"
                )

    def agreement(self, measure: AgreementMeasure) -> list[Agreement]:
        """Return the agreement of every metric by one measure."""
        values = self.values(measure)
        ends = percentile_intervals(values.resampled, level=self.resampling.level)
        observed = values.observed[:, np.newaxis]
        # An end that differs from the value by rounding only is the value.
        ends = np.where(np.abs(ends - observed) <= _ROUNDED, observed, ends)
        undefined = np.count_nonzero(np.isnan(values.resampled), axis=1)
        return [
            Agreement(
                value=float(values.observed[place]),
                low=float(ends[place, 0]),
                high=float(ends[place, 1]),
                counts=values.counts[place],
                undefined=int(undefined[place]),
            )
            for place in range(len(self.metrics))
        ]

    def values(self, measure: AgreementMeasure) -> Values:
        """Return the values of a measure, observed and resampled; computed once."""
        if measure not in self._kept:
            values = self._values(measure)
            if not self.is_evidence(measure):
                values = values._replace(resampled=np.full(values.resampled.shape, np.nan))
            self._kept[measure] = values
        return self._kept[measure]

    def _values(self, measure: AgreementMeasure) -> Values:
        if measure in PAIRWISE:
            return self._pair_values(measure)
        if measure in SYSTEM_LEVEL:
            return self._system_values(CORRELATIONS[measure])
        if measure is AgreementMeasure.SOFT_ACCURACY:
            return self._soft_values()
        return self._segment_values(*_COEFFICIENTS[measure])

    def is_evidence(self, measure: AgreementMeasure) -> bool:
        """Return whether there is more than one of what is drawn: what cannot vary is no evidence."""
        drawn = drawn_of(measure, self.resample)
        if drawn is Resample.SYSTEMS:
            return len(self.judged_systems) >= LEAST_SEGMENTS
        if drawn is Resample.JUDGMENTS and len(self.judgments.pairs):
            return self._units()[1] >= LEAST_SEGMENTS
        return self.judged_segments >= LEAST_SEGMENTS

    @cached_property
    def judged_segments(self) -> int:
        """How many segments people judged; the others are no evidence."""
        judgments = self.judgments
        return len(np.unique(np.concatenate([judgments.pairs.segment, judgments.scores.segment])))

    # Pairs.

    @cached_property
    def kinds(self) -> NDArray[np.int8]:
        """What becomes of each pair, metrics x pairs."""
        pairs = self.judgments.pairs
        return np.stack(
            [pair_kinds(preferences(each.scores, pairs), pairs.outcome) for each in self.metrics]
        )

    @cached_property
    def calibrated(self) -> tuple[NDArray[np.int8], list[float]]:
        """What becomes of each pair where each metric ties up to its best threshold, and thresholds."""
        pairs, kinds, thresholds = self.judgments.pairs, [], []
        for metric in self.metrics:
            threshold = calibrated_threshold(differences(metric.scores, pairs), pairs.outcome)
            threshold = max(threshold, rounding(metric.scores))
            thresholds.append(threshold)
            preferred = preferences(metric.scores, pairs, threshold=threshold)
            kinds.append(pair_kinds(preferred, pairs.outcome))
        return np.stack(kinds), thresholds

    def _pair_values(self, measure: AgreementMeasure) -> Values:
        if measure is AgreementMeasure.ACCURACY:
            kinds, thresholds = self.calibrated
            totals, resampled = self._pair_sums(kinds)
        else:
            thresholds = []
            totals, resampled = self._tau_sums
        score: Callable[[Floats], Floats] = {
            AgreementMeasure.SEGMENT_TAU: lambda sums: tau(sums, rule=self.tie_rule),
            AgreementMeasure.CONSISTENCY: consistency,
            AgreementMeasure.ACCURACY: accuracy,
        }[measure]
        counts = [named_counts(row) for row in totals]
        for row, threshold in zip(counts, thresholds, strict=False):
            row["threshold"] = threshold
        return Values(score(totals), score(resampled), counts)

    @cached_property
    def _tau_sums(self) -> tuple[Floats, Floats]:
        return self._pair_sums(self.kinds)

    def _pair_sums(self, kinds: NDArray[np.int8]) -> tuple[Floats, Floats]:
        """Return how many pairs of each kind each metric has: on all data, and by resample."""
        pairs = self.judgments.pairs
        if self.resample is Resample.SYSTEMS:
            return self._pair_sums_by_system(kinds)
        units, count = self._units()
        if not len(pairs):
            empty = np.zeros((len(kinds), len(PairKind)))
            return empty, np.zeros((len(kinds), self.resampling.count, len(PairKind)))
        statistics = np.stack([count_pairs(row, units, count) for row in kinds])
        return statistics.sum(axis=1), self._drawn(statistics)

    def _units(self) -> tuple[NDArray[np.int64], int]:
        """Return the unit that is resampled of every pair, and how many there are."""
        if self.resample is Resample.SEGMENTS:
            return self.judgments.pairs.segment, self.segments
        tasks, which = np.unique(self.judgments.pairs.task, return_inverse=True)
        return which.ravel().astype(np.int64), len(tasks)

    def _drawn(self, statistics: Floats) -> Floats:
        drawn = self.resampling
        return bootstrap_sums(statistics, drawn).resampled()

    def _pair_sums_by_system(self, kinds: NDArray[np.int8]) -> tuple[Floats, Floats]:
        pairs, systems = self.judgments.pairs, len(self.judgments.systems)
        count = systems * systems
        table = np.stack(
            [count_pairs(row, pairs.first * systems + pairs.second, count) for row in kinds]
        )
        drawn = self._system_weights()
        weights = (drawn[:, :, np.newaxis] * drawn[:, np.newaxis, :]).reshape(-1, count)
        # Whole numbers far below 2^53: exact in any order.
        return table.sum(axis=1), np.einsum("rp,mpk->mrk", weights, table, optimize=True)

    # Systems.

    @cached_property
    def judged_systems(self) -> NDArray[np.int64]:
        """The systems that people judged, by number."""
        return np.flatnonzero(~np.isnan(self.human_scores))

    @cached_property
    def human_scores(self) -> Floats:
        """The human score of each system: wins / (wins + losses), or the mean of its scores."""
        return self._human(self._human_statistics.sum(axis=1))

    @cached_property
    def _human_statistics(self) -> Floats:
        """Systems x units x (score, weight): both add up, and their ratio is the human score."""
        judgments = self.judgments
        if not len(judgments.pairs) or not judgments.has_pairs:
            matrix = judgments.score_matrix(self.segments)
            known = ~np.isnan(matrix)
            return np.stack([np.where(known, matrix, 0.0), known.astype(np.float64)], axis=-1)
        units, count = (
            self._units()
            if self.resample is not Resample.SYSTEMS
            else (judgments.pairs.segment, self.segments)
        )
        wins, losses = judgments.wins_and_losses(units, count)
        whole = wins + losses
        if self.human_ties is HumanTies.COUNT:
            whole += judgments.ties(units, count)
        return np.stack([wins, whole], axis=-1)

    def _human(self, sums: Floats) -> Floats:
        return levelled(mean_score(sums))

    def _system_weights(self) -> Floats:
        """Return resamples x systems: how often each judged system is drawn."""
        drawn = self._system_draws()
        weights = np.zeros((len(drawn), len(self.judgments.systems)))
        for column in drawn.T:
            weights[np.arange(len(drawn)), self.judged_systems[column]] += 1.0
        return weights

    def _system_draws(self) -> NDArray[np.uint32]:
        drawn = self.resampling
        return bootstrap_indices(len(self.judged_systems), resamples=drawn.count, seed=drawn.seed)

    @cached_property
    def resampled_human_scores(self) -> Floats:
        """Resamples x judged systems."""
        if self.resample is Resample.SYSTEMS:
            return self.human_scores[self.judged_systems][self._system_draws()]
        return self._human(self._drawn(self._human_statistics))[self.judged_systems].T

    def system_scores(self, metric: ScoredMetric) -> Floats:
        """Return the metric's scores of the judged systems."""
        return metric.system_scores()[self.judged_systems]

    def resampled_system_scores(self, metric: ScoredMetric) -> Floats:
        """Return resamples x judged systems."""
        if self.resample is Resample.SEGMENTS:
            if metric.name not in self._kept_scores:
                rows = metric.resampled_system_scores(self.resampling, self.judged_systems)
                self._kept_scores[metric.name] = rows.T
            return self._kept_scores[metric.name]
        scores = self.system_scores(metric)
        if self.resample is Resample.SYSTEMS:
            return scores[self._system_draws()]
        return np.broadcast_to(scores, (self.resampling.count, len(scores)))

    def _system_values(self, correlation: Callable[[Floats, Floats], Floats]) -> Values:
        human = self.human_scores[self.judged_systems]
        observed, resampled, counts = [], [], list[dict[str, float]]()
        for each in self.metrics:
            scores = self.system_scores(each)
            known = ~np.isnan(scores)  # a system without a score is left out and counted
            observed.append(correlation(human[known], scores[known]))
            # Columns of drawn systems are draws, not systems.
            columns = slice(None) if self.resample is Resample.SYSTEMS else known
            resampled.append(
                correlation(
                    self.resampled_human_scores[:, columns],
                    self.resampled_system_scores(each)[:, columns],
                )
            )
            counts.append({"systems": int(known.sum())})
        return Values(np.array(observed), np.stack(resampled), counts)

    def _soft_values(self) -> Values:
        """Soft pairwise accuracy; it has an interval over systems only."""
        one, other = np.triu_indices(len(self.judged_systems), k=1)
        first, second = self.judged_systems[one], self.judged_systems[other]
        matrix = self.judgments.score_matrix(self.segments)
        human = better_p_values((matrix[first] - matrix[second]).T, resampling=self.resampling)
        judged = (~np.isnan(matrix[first] - matrix[second])).any(axis=1)
        human = np.where(judged, human, np.nan)
        of_metrics = [
            better_p_values(
                (metric.scores[first] - metric.scores[second]).T, resampling=self.resampling
            )
            for metric in self.metrics
        ]
        resampled = np.full((len(self.metrics), self.resampling.count), np.nan)
        if self.resample is Resample.SYSTEMS and len(first):
            drawn = self._system_weights()[:, self.judged_systems]
            weights = drawn[:, one] * drawn[:, other]
            resampled = np.stack([resampled_soft_accuracy(human, p, weights) for p in of_metrics])
        counts: list[dict[str, float]] = [
            {"systems": len(self.judged_systems), "system_pairs": int(judged.sum())}
            for _ in self.metrics
        ]
        observed = np.array([soft_accuracy(human, p) for p in of_metrics])
        return Values(observed, resampled, counts)

    # Segments.

    def _segment_values(self, coefficient: Coefficient, grouping: Grouping) -> Values:
        human = self.judgments.score_matrix(self.segments)
        values = [
            segment_correlation(
                human,
                metric.scores,
                coefficient=coefficient,
                grouping=grouping,
                resampling=self.resampling,
            )
            for metric in self.metrics
        ]
        return Values(
            np.array([each.value for each in values]),
            np.stack([each.resampled for each in values]),
            [each.counts() for each in values],
        )


def _size(shape: tuple[int, ...]) -> str:
    return f"{counted(shape[0], 'system')} x {counted(shape[1], 'segment')}"

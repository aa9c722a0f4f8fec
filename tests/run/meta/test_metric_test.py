"""Tests between metrics."""

from dataclasses import replace
from itertools import combinations
from statistics import mean, stdev

import numpy as np
import pytest

from kilter.core.errors import OptionError
from kilter.results.meta_result import AgreementMeasure, Verdict
from kilter.run.meta.agreement import JudgedMetrics
from kilter.run.meta.metric_test import MetricTest, compare_metrics
from kilter.run.meta.scored_metric import ScoredMetric
from kilter.stats.resampling import Resampling, bootstrap_indices
from kilter.stats.significance import two_sided_p
from tests.oracles import meta as oracle
from tests.oracles import resampling as resampling_oracle
from tests.run.meta.samples import judged, random_judgments, random_metric
from tests.run.meta.test_agreement import pairs_of
from tests.tolerance import close

DRAWN = Resampling(resamples=30, seed=5)
JUDGMENTS = random_judgments(1)
METRICS = (random_metric("one", 2), random_metric("two", 3), random_metric("three", 4))
JUDGED = JudgedMetrics(judgments=JUDGMENTS, segments=12, metrics=METRICS, resampling=DRAWN)


def shared_pairs(first: ScoredMetric, second: ScoredMetric) -> list[int]:
    """Return the pairs that people decide and neither metric ties."""
    found = []
    for row in range(len(JUDGMENTS.pairs)):
        ((rank_a, rank_b, a, b),) = pairs_of(first, [row])
        ((_, _, c, d),) = pairs_of(second, [row])
        if rank_a != rank_b and a != b and c != d:
            found.append(row)
    return found


def test_metrics_are_compared_on_the_pairs_that_neither_ties() -> None:
    found = compare_metrics(JUDGED, AgreementMeasure.SEGMENT_TAU)
    assert [(each.first, each.second) for each in found] == list(
        combinations([metric.name for metric in METRICS], 2)
    )
    for each, (first, second) in zip(found, combinations(METRICS, 2), strict=True):
        rows = shared_pairs(first, second)
        assert each.shared == len(rows)
        assert each.first_value == close(oracle.tau(pairs_of(first, rows)))
        assert each.second_value == close(oracle.tau(pairs_of(second, rows)))


def test_accuracy_is_compared_on_all_pairs() -> None:
    values = JUDGED.values(AgreementMeasure.ACCURACY).observed
    first, *_ = compare_metrics(JUDGED, AgreementMeasure.ACCURACY)
    assert first.shared == len(JUDGMENTS.pairs)
    assert (first.first_value, first.second_value) == (close(values[0]), close(values[1]))


def test_the_interval_of_a_difference_resamples_segments() -> None:
    found = compare_metrics(JUDGED, AgreementMeasure.CONSISTENCY)[0]
    rows, segment = shared_pairs(METRICS[0], METRICS[1]), JUDGMENTS.pairs.segment
    differences = []
    for draw in bootstrap_indices(12, resamples=30, seed=5).tolist():
        drawn = [row for unit in draw for row in rows if segment[row] == unit]
        one, two = (oracle.consistency(pairs_of(metric, drawn)) for metric in METRICS[:2])
        differences.append(two - one)
    low, high = np.quantile(differences, [0.025, 0.975])
    assert (found.low, found.high) == (close(low), close(high))
    assert found.significant == (low > 0 or high < 0)


@pytest.mark.parametrize("measure", [AgreementMeasure.SEGMENT_TAU, AgreementMeasure.SYSTEM_PEARSON])
@pytest.mark.parametrize("test", list(MetricTest))
def test_a_metric_does_not_differ_from_its_copy(
    test: MetricTest, measure: AgreementMeasure
) -> None:
    copy = ScoredMetric.external("copy", METRICS[0].scores)
    judged_metrics = JudgedMetrics(
        judgments=JUDGMENTS, segments=12, metrics=(METRICS[0], copy), resampling=DRAWN
    )
    (found,) = compare_metrics(judged_metrics, measure, test=test)
    assert (found.difference, found.significant, found.p) == (0.0, False, 1.0)
    assert found.verdict is Verdict.DRAW


@pytest.mark.parametrize("test", list(MetricTest))
def test_a_perfect_metric_beats_its_opposite(test: MetricTest) -> None:
    rows = [(segment, 0, 1, 1, segment) for segment in range(12)]
    good = np.vstack([np.ones(12), np.zeros(12), np.zeros((3, 12))])
    judged_metrics = JudgedMetrics(
        judgments=judged(rows),
        segments=12,
        metrics=(ScoredMetric.external("bad", -good), ScoredMetric.external("good", good)),
        resampling=DRAWN,
    )
    (found,) = compare_metrics(judged_metrics, AgreementMeasure.SEGMENT_TAU, test=test)
    assert (found.first_value, found.second_value, found.difference) == (-1.0, 1.0, 2.0)
    assert found.significant
    assert found.verdict is Verdict.NEW


def test_swapping_metrics_at_random_gives_the_permutation_p_value() -> None:
    # With two segments there are four ways to swap; half of them keep the size of the difference.
    rows = [(0, 0, 1, 1, 0), (1, 0, 1, 1, 1)]
    good = np.vstack([np.ones(2), np.zeros(2), np.zeros((3, 2))])
    judged_metrics = JudgedMetrics(
        judgments=judged(rows),
        segments=2,
        metrics=(ScoredMetric.external("bad", -good), ScoredMetric.external("good", good)),
        resampling=Resampling(resamples=2000),
    )
    (found,) = compare_metrics(
        judged_metrics, AgreementMeasure.SEGMENT_TAU, test=MetricTest.PERMUTATION
    )
    assert found.p == pytest.approx(0.5, abs=0.04)


def test_the_permutation_test_needs_pairs_or_systems() -> None:
    with pytest.raises(OptionError, match="use percentile"):
        compare_metrics(JUDGED, AgreementMeasure.PEARSON, test=MetricTest.PERMUTATION)
    assert len(compare_metrics(JUDGED, AgreementMeasure.PEARSON)) == 3


@pytest.mark.parametrize("test", list(MetricTest))
def test_one_segment_proves_nothing(test: MetricTest) -> None:
    scores = np.array([[1.0], [0.0]])
    judged_metrics = JudgedMetrics(
        judgments=judged([(0, 0, 1, 1, 0)], ("A", "B")),
        segments=1,
        metrics=(ScoredMetric.external("bad", -scores), ScoredMetric.external("good", scores)),
        resampling=DRAWN,
    )
    (found,) = compare_metrics(judged_metrics, AgreementMeasure.SEGMENT_TAU, test=test)
    assert (found.difference, found.low, found.p, found.significant) == (2.0, None, None, False)


def test_few_resamples_are_significant_only_where_p_says_so() -> None:
    few = JudgedMetrics(
        judgments=random_judgments(7),
        segments=12,
        metrics=tuple(random_metric(f"m{k}", k) for k in range(12)),
        resampling=Resampling(resamples=20),
    )
    found = compare_metrics(few, AgreementMeasure.SEGMENT_TAU)
    assert {pair.significant for pair in found} == {True, False}
    for pair in found:
        assert pair.p is not None
        assert not pair.significant or pair.p < 0.05


def test_one_metric_alone_is_compared_with_nothing() -> None:
    judged_metrics = JudgedMetrics(
        judgments=JUDGMENTS, segments=12, metrics=METRICS[:1], resampling=DRAWN
    )
    assert compare_metrics(judged_metrics, AgreementMeasure.SEGMENT_TAU) == []


@pytest.mark.parametrize("test", list(MetricTest))
@pytest.mark.parametrize(
    "measure",
    [
        AgreementMeasure.SEGMENT_TAU,
        AgreementMeasure.ACCURACY,
        AgreementMeasure.SYSTEM_PEARSON,
        AgreementMeasure.PEARSON,
    ],
)
def test_a_reversed_comparison_is_that_of_the_metrics_the_other_way_round(
    measure: AgreementMeasure, test: MetricTest
) -> None:
    if measure is AgreementMeasure.PEARSON and test is MetricTest.PERMUTATION:
        return
    turned = JudgedMetrics(
        judgments=JUDGMENTS, segments=12, metrics=METRICS[::-1], resampling=DRAWN
    )
    back = {(p.first, p.second): p for p in compare_metrics(turned, measure, test=test)}
    for pair in compare_metrics(JUDGED, measure, test=test):
        expected, found = back[pair.second, pair.first], pair.reversed()
        assert found.reversed() == pair
        assert (found.first, found.second) == (expected.first, expected.second)
        assert (found.significant, found.shared) == (expected.significant, expected.shared)
        for name in ("first_value", "second_value", "difference", "low", "high", "p"):
            assert getattr(found, name) == close(getattr(expected, name)), name
        for side in (pair, found):
            assert side.low is not None
            assert side.high is not None
            assert side.difference is not None
            assert side.low <= side.difference <= side.high
            assert side.difference == close((side.second_value or 0) - (side.first_value or 0))
        sides = {Verdict.NEW: Verdict.BASELINE, Verdict.BASELINE: Verdict.NEW}
        assert found.verdict is sides.get(pair.verdict, Verdict.DRAW)


def test_what_is_undefined_stays_so_the_other_way_round() -> None:
    (pair, *_) = compare_metrics(JUDGED, AgreementMeasure.SEGMENT_TAU)
    bare = replace(pair, value=None, low=None, high=None, p=None, significant=False)
    back = bare.reversed()
    assert (back.difference, back.low, back.high, back.verdict) == (None, None, None, Verdict.DRAW)


@pytest.mark.parametrize("measure", [AgreementMeasure.CONSISTENCY, AgreementMeasure.SYSTEM_PEARSON])
def test_the_t_test_takes_resamples_for_observations(measure: AgreementMeasure) -> None:
    (found, *_) = compare_metrics(JUDGED, measure, test=MetricTest.T_TEST)
    if measure is AgreementMeasure.SYSTEM_PEARSON:
        rows = JUDGED.values(measure).resampled
        differences = (rows[1] - rows[0]).tolist()
    else:
        rows_of, segment = shared_pairs(METRICS[0], METRICS[1]), JUDGMENTS.pairs.segment
        differences = []
        for draw in bootstrap_indices(12, resamples=30, seed=5).tolist():
            drawn = [row for unit in draw for row in rows_of if segment[row] == unit]
            one, two = (oracle.consistency(pairs_of(metric, drawn)) for metric in METRICS[:2])
            differences.append(two - one)
    known = [value for value in differences if value == value]  # noqa: PLR0124 - NaN
    error = stdev(known) / len(known) ** 0.5
    expected = two_sided_p(mean(known) / error, len(known) - 1)
    assert found.p == pytest.approx(expected, rel=1e-6)
    assert found.significant == (expected < 0.05)


def test_metrics_exchange_the_scores_of_systems_on_one_scale() -> None:
    # One metric's scores are a thousand times the other's: unscaled, a swap would make outliers.
    scaled = (METRICS[0], ScoredMetric.external("large", 1000 * METRICS[1].scores))
    plain = METRICS[:2]
    for measure in (AgreementMeasure.SYSTEM_PEARSON, AgreementMeasure.SYSTEM_SPEARMAN):
        p_values = [
            compare_metrics(
                JudgedMetrics(judgments=JUDGMENTS, segments=12, metrics=metrics, resampling=DRAWN),
                measure,
                test=MetricTest.PERMUTATION,
            )[0].p
            for metrics in (plain, scaled)
        ]
        assert p_values[0] == p_values[1]


def test_the_permutation_p_value_of_system_scores_is_that_of_all_swaps_that_are_drawn() -> None:
    human = JUDGED.human_scores.tolist()
    sides = []
    for metric in METRICS[:2]:
        scores = metric.scores.mean(axis=1)
        sides.append(((scores - scores.mean()) / scores.std()).round(9).tolist())
    observed = oracle.pearson(human, sides[1]) - oracle.pearson(human, sides[0])
    far = 0
    for resample in range(30):
        swapped = resampling_oracle.subset(5, 5, resampling_oracle.SWAPS, resample)
        one = [sides[1][k] if k in swapped else sides[0][k] for k in range(5)]
        other = [sides[0][k] if k in swapped else sides[1][k] for k in range(5)]
        moved = oracle.pearson(human, other) - oracle.pearson(human, one)
        far += abs(moved) >= abs(observed) - 1e-6
    (found, *_) = compare_metrics(
        JUDGED, AgreementMeasure.SYSTEM_PEARSON, test=MetricTest.PERMUTATION
    )
    assert found.p == pytest.approx((1 + far) / 31)


def test_what_has_no_difference_is_not_significant() -> None:
    flat = ScoredMetric.external("flat", np.ones((5, 12)))
    judged_metrics = JudgedMetrics(
        judgments=JUDGMENTS, segments=12, metrics=(METRICS[0], flat), resampling=DRAWN
    )
    for measure in (AgreementMeasure.SYSTEM_SPEARMAN, AgreementMeasure.SEGMENT_TAU):
        for test in MetricTest:
            (found,) = compare_metrics(judged_metrics, measure, test=test)
            assert (found.difference, found.low, found.high, found.significant) == (None,) * 3 + (
                False,
            )
            assert found.verdict is Verdict.DRAW


def test_a_pair_that_is_unscored_is_shared_by_nobody() -> None:
    scores = METRICS[0].scores.copy()
    scores[0] = np.nan
    gap = ScoredMetric.external("gap", scores)
    judged_metrics = JudgedMetrics(
        judgments=JUDGMENTS, segments=12, metrics=(METRICS[1], gap), resampling=DRAWN
    )
    pairs = JUDGMENTS.pairs
    (found,) = compare_metrics(judged_metrics, AgreementMeasure.ACCURACY)
    assert found.shared == int(((pairs.first != 0) & (pairs.second != 0)).sum())


def test_a_difference_that_only_resamples_have_is_not_significant() -> None:
    # Both systems score the same on all segments together, and so does everybody; on resamples not.
    rows = [(segment, 0, 1, 1, segment) for segment in range(12)]
    level = np.array([[1.0, 0.0] * 6, [0.0, 1.0] * 6])
    flat = np.vstack([level, np.full((3, 12), np.nan)])
    good = np.vstack([np.ones(12), np.zeros(12), np.full((3, 12), np.nan)])
    judged_metrics = JudgedMetrics(
        judgments=judged(rows),
        segments=12,
        metrics=(ScoredMetric.external("level", flat), ScoredMetric.external("good", good)),
        resampling=Resampling(resamples=200),
    )
    values = judged_metrics.values(AgreementMeasure.SYSTEM_PEARSON)
    assert np.isnan(values.observed[0])
    assert not np.isnan(values.resampled[0]).all()
    for test in MetricTest:
        (found,) = compare_metrics(judged_metrics, AgreementMeasure.SYSTEM_PEARSON, test=test)
        assert (found.difference, found.low, found.high, found.significant) == (None,) * 3 + (
            False,
        )

"""Measures of agreement and their intervals, against plain loops over what is drawn."""

from math import isnan, nan

import numpy as np
import pytest
from numpy.typing import NDArray

from kilter.core.errors import InputError
from kilter.core.judgments import JudgedScores, Judgments
from kilter.results.meta_result import AgreementMeasure, Resample, drawn_of
from kilter.run.meta.agreement import HumanTies, JudgedMetrics
from kilter.run.meta.metric_test import MetricTest, compare_metrics
from kilter.run.meta.pair_count import TieRule
from kilter.run.meta.scored_metric import ScoredMetric
from kilter.stats.resampling import Resampling, bootstrap_indices
from kilter.stats.significance import correlation_p
from tests.oracles import meta as oracle
from tests.oracles.resampling import FLIPS, subset
from tests.run.meta.samples import SYSTEMS, judged, random_judgments, random_metric
from tests.tolerance import close

DRAWN = Resampling(resamples=12, seed=5)
JUDGMENTS = random_judgments(1)
METRICS = (random_metric("one", 2), random_metric("two", 3))


def judged_metrics(resample: Resample = Resample.SEGMENTS, **extra: object) -> JudgedMetrics:
    return JudgedMetrics(
        judgments=JUDGMENTS,
        segments=12,
        metrics=METRICS,
        resampling=DRAWN,
        resample=resample,
        **extra,  # type: ignore[arg-type]
    )


def pairs_of(metric: ScoredMetric, rows: list[int]) -> list[oracle.Pair]:
    """Return some of the judged pairs as the oracle takes them, in this order and as often."""
    pairs = JUDGMENTS.pairs
    found: list[oracle.Pair] = []
    for row in rows:
        segment, a, b = (int(c[row]) for c in (pairs.segment, pairs.first, pairs.second))
        outcome = int(pairs.outcome[row])
        ranks = (1, 1) if outcome == 0 else (1, 2) if outcome == 1 else (2, 1)
        found.append((*ranks, float(metric.scores[a, segment]), float(metric.scores[b, segment])))
    return found


def drawn_rows(resample: Resample) -> list[list[int]]:
    """Return the pairs of every resample, repeated as often as they are drawn."""
    pairs = JUDGMENTS.pairs
    everything = range(len(pairs))
    if resample is Resample.SYSTEMS:
        draws = bootstrap_indices(len(SYSTEMS), resamples=12, seed=5).tolist()
        return [
            [
                row
                for row in everything
                for _ in range(
                    draw.count(int(pairs.first[row])) * draw.count(int(pairs.second[row]))
                )
            ]
            for draw in draws
        ]
    units = pairs.segment if resample is Resample.SEGMENTS else pairs.task
    count = 12 if resample is Resample.SEGMENTS else len(np.unique(units))
    draws = bootstrap_indices(count, resamples=12, seed=5).tolist()
    return [[row for unit in draw for row in everything if units[row] == unit] for draw in draws]


@pytest.mark.parametrize("resample", list(Resample))
@pytest.mark.parametrize("rule", list(TieRule))
def test_tau_and_consistency_on_resamples_are_those_of_the_oracle(
    rule: TieRule, resample: Resample
) -> None:
    made = judged_metrics(resample, tie_rule=rule)
    for measure in (AgreementMeasure.SEGMENT_TAU, AgreementMeasure.CONSISTENCY):
        values = made.values(measure)
        for place, metric in enumerate(METRICS):
            for column, rows in enumerate([None, *drawn_rows(resample)]):
                pairs = pairs_of(
                    metric, list(range(len(JUDGMENTS.pairs))) if rows is None else rows
                )
                expected = (
                    oracle.tau(pairs, rule)
                    if measure is AgreementMeasure.SEGMENT_TAU
                    else oracle.consistency(pairs)
                )
                found = (
                    values.observed[place] if rows is None else values.resampled[place, column - 1]
                )
                assert found == close(expected, nan_ok=True)


def test_accuracy_is_that_of_the_best_threshold() -> None:
    values = judged_metrics().values(AgreementMeasure.ACCURACY)
    for place, metric in enumerate(METRICS):
        pairs = pairs_of(metric, list(range(len(JUDGMENTS.pairs))))
        assert values.observed[place] == close(oracle.best_accuracy(pairs))


def human_scores(rows: list[int], *, ties: bool) -> list[float]:
    pairs = JUDGMENTS.pairs
    tasks = []
    for row in rows:
        outcome = int(pairs.outcome[row])
        names = SYSTEMS[pairs.first[row]], SYSTEMS[pairs.second[row]]
        tasks.append(dict(zip(names, (1, 1 + outcome) if outcome >= 0 else (2, 1), strict=True)))
    ratios, _ = oracle.win_ratios(tasks, ties=ties)
    return [ratios.get(name, nan) for name in SYSTEMS]


@pytest.mark.parametrize("ties", list(HumanTies))
@pytest.mark.parametrize("resample", [Resample.SEGMENTS, Resample.JUDGMENTS])
@pytest.mark.parametrize(
    ("measure", "correlate"),
    [
        (AgreementMeasure.SYSTEM_SPEARMAN, oracle.spearman),
        (AgreementMeasure.SYSTEM_PEARSON, oracle.pearson),
    ],
)
def test_system_correlations_resample_both_sides_or_people_only(
    measure: AgreementMeasure, correlate: object, resample: Resample, ties: HumanTies
) -> None:
    assert callable(correlate)
    values = judged_metrics(resample, human_ties=ties).values(measure)
    draws = bootstrap_indices(12, resamples=12, seed=5)
    everything = list(range(len(JUDGMENTS.pairs)))
    counted = ties is HumanTies.COUNT
    for place, metric in enumerate(METRICS):
        means = metric.scores.mean(axis=1).round(9).tolist()
        human = human_scores(everything, ties=counted)
        assert values.observed[place] == close(correlate(human, means), absolute=1e-7)
        for column, rows in enumerate(drawn_rows(resample)):
            if resample is Resample.SEGMENTS:
                means = metric.scores[:, draws[column]].mean(axis=1).round(9).tolist()
            human = human_scores(rows, ties=counted)
            expected = nan if any(map(isnan, human)) else correlate(human, means)
            found = values.resampled[place, column]
            assert found == close(expected, absolute=1e-7, nan_ok=True)


def test_drawn_systems_are_correlated_as_often_as_they_are_drawn() -> None:
    values = judged_metrics(Resample.SYSTEMS).values(AgreementMeasure.SYSTEM_PEARSON)
    human = np.array(human_scores(list(range(len(JUDGMENTS.pairs))), ties=False))
    means = METRICS[0].scores.mean(axis=1)
    for column, draw in enumerate(bootstrap_indices(5, resamples=12, seed=5)):
        expected = oracle.pearson(human[draw].tolist(), means[draw].tolist())
        assert values.resampled[0, column] == close(expected, absolute=1e-7, nan_ok=True)


def test_scores_of_people_make_system_scores_and_pairs() -> None:
    value = np.array([0.0, 1.0, 0.5, 0.5])
    scores = JudgedScores(
        segment=np.array([0, 0, 1, 1]),
        system=np.array([0, 1, 0, 1]),
        value=value,
        line=np.arange(4),
    )
    judgments = Judgments(
        source="made", systems=("A", "B"), scores=scores, counts={"scores": 4}
    ).with_pairs()
    metric = ScoredMetric.external("m", np.array([[0.1, 0.2], [0.3, 0.2]]))
    made = JudgedMetrics(judgments=judgments, segments=2, metrics=(metric,), resampling=DRAWN)
    assert made.human_scores.tolist() == [0.25, 0.75]
    (found,) = made.agreement(AgreementMeasure.ACCURACY)
    assert (found.value, found.counts["both_ties"], found.counts["concordant"]) == (1.0, 1, 1)


def test_systems_that_score_the_same_are_tied_on_every_resample() -> None:
    # Sums of fifths are rounded to binary fractions, in another way for 3 x 0.2 than for 0.6.
    scores = np.array([[0.2, 0.2, 0.2], [0.6, 0.0, 0.0], [0.1, 0.1, 0.1], [0.9, 0.9, 0.9]])
    rows = [(0, 0, 1, 1, 0), (1, 1, 2, 1, 1), (2, 2, 3, -1, 2), (0, 0, 3, -1, 3)]
    made = JudgedMetrics(
        judgments=judged(rows, ("A", "B", "C", "D")),
        segments=3,
        metrics=(ScoredMetric.external("m", scores),),
        resampling=DRAWN,
    )
    expected = oracle.spearman(made.human_scores.tolist(), [0.2, 0.2, 0.1, 0.9])
    assert made.values(AgreementMeasure.SYSTEM_SPEARMAN).observed[0] == close(expected)


def test_soft_accuracy_of_people_with_themselves_is_one() -> None:
    matrix = np.random.default_rng(4).random((4, 30))
    system, segment = (axis.ravel() for axis in np.indices(matrix.shape))
    scores = JudgedScores(segment=segment, system=system, value=matrix.ravel(), line=segment)
    judgments = Judgments(source="made", systems=("A", "B", "C", "D"), scores=scores, counts={})
    same, other = ScoredMetric.external("same", matrix), ScoredMetric.external("other", -matrix)
    made = JudgedMetrics(judgments=judgments, segments=30, metrics=(same, other), resampling=DRAWN)
    found = made.agreement(AgreementMeasure.SOFT_ACCURACY)
    assert found[0].value == 1.0
    assert found[0].low is None
    assert found[1].value is not None
    assert found[1].value < 0.9
    assert found[0].counts == {"systems": 4, "system_pairs": 6}


def test_soft_accuracy_has_an_interval_over_systems() -> None:
    (found, _) = judged_metrics(Resample.SYSTEMS).agreement(AgreementMeasure.SOFT_ACCURACY)
    assert found.value is not None
    assert found.low is not None
    assert found.high is not None
    assert 0.0 <= found.low <= found.high <= 1.0


@pytest.mark.parametrize("measure", list(AgreementMeasure))
def test_a_constant_metric_is_undefined_and_no_silent_number(measure: AgreementMeasure) -> None:
    flat = ScoredMetric.external("flat", np.ones((5, 12)))
    made = JudgedMetrics(judgments=JUDGMENTS, segments=12, metrics=(flat,), resampling=DRAWN)
    (found,) = made.agreement(measure)
    if measure in (
        AgreementMeasure.CONSISTENCY,
        AgreementMeasure.ACCURACY,
        AgreementMeasure.SOFT_ACCURACY,
    ):
        assert found.value is not None
    else:
        assert (found.value, found.low, found.high) == (None, None, None)


def test_pairs_that_people_all_tied_leave_nothing_to_agree_on() -> None:
    made = JudgedMetrics(
        judgments=judged([(0, 0, 1, 0, 0), (1, 1, 2, 0, 1)]),
        segments=12,
        metrics=METRICS,
        resampling=DRAWN,
    )
    for measure in (
        AgreementMeasure.SEGMENT_TAU,
        AgreementMeasure.CONSISTENCY,
        AgreementMeasure.SYSTEM_SPEARMAN,
    ):
        assert [found.value for found in made.agreement(measure)] == [None, None]


def test_intervals_enclose_the_middle_of_the_resamples() -> None:
    made = judged_metrics()
    values, found = (
        made.values(AgreementMeasure.SEGMENT_TAU),
        made.agreement(AgreementMeasure.SEGMENT_TAU),
    )
    low, high = np.quantile(values.resampled[0], [0.025, 0.975])
    assert (found[0].low, found[0].high) == (close(low), close(high))


def test_an_interval_holds_its_value() -> None:
    # People say the opposite of the metric: -1 on every resample, but for rounding.
    scores = np.random.default_rng(0).random((3, 8)) / 3
    judgments = Judgments(
        source="made",
        systems=("A", "B", "C"),
        scores=JudgedScores(
            segment=np.tile(np.arange(8), 3),
            system=np.repeat(np.arange(3), 8),
            value=-scores.ravel(),
            line=np.arange(24),
        ),
        counts={"scores": 24},
    )
    made = JudgedMetrics(
        judgments=judgments.with_pairs(),
        segments=8,
        metrics=(ScoredMetric.external("m", scores),),
        resampling=Resampling(resamples=50),
    )
    (found,) = made.agreement(AgreementMeasure.SYSTEM_PEARSON)
    assert found.value == close(-1.0)
    assert (found.low, found.high) == (found.value, found.value)


@pytest.mark.parametrize("resample", list(Resample))
def test_what_cannot_vary_is_no_evidence(resample: Resample) -> None:
    made = JudgedMetrics(
        judgments=judged([(0, 0, 1, 1, 0)], ("A", "B")),
        segments=1,
        metrics=(ScoredMetric.external("m", np.array([[1.0], [0.0]])),),
        resampling=DRAWN,
        resample=resample,
    )
    (found,) = made.agreement(AgreementMeasure.SEGMENT_TAU)
    assert found.value == 1.0
    if resample is not Resample.SYSTEMS:
        assert (found.low, found.high) == (None, None)


def test_scores_of_another_shape_are_refused() -> None:
    with pytest.raises(
        InputError,
        match="has scores of 5 systems x 3 segments; the judgments need 5 systems x 12 segments",
    ):
        JudgedMetrics(
            judgments=JUDGMENTS, segments=12, metrics=(random_metric("m", 1, segments=3),)
        )
    with pytest.raises(InputError, match="there is no metric"):
        JudgedMetrics(judgments=JUDGMENTS, segments=12, metrics=())


@pytest.mark.parametrize("measure", list(AgreementMeasure))
def test_the_number_of_threads_changes_nothing(measure: AgreementMeasure) -> None:
    results = [
        JudgedMetrics(
            judgments=JUDGMENTS,
            segments=12,
            metrics=METRICS,
            resampling=Resampling(resamples=40, jobs=jobs),
        ).agreement(measure)
        for jobs in (1, 2)
    ]
    assert results[0] == results[1]


def assessed(
    values: NDArray[np.float64], metric: NDArray[np.float64], **extra: object
) -> JudgedMetrics:
    """Return judgments of scores that people gave to systems x segments, NaN where they gave none."""
    system, segment = np.nonzero(~np.isnan(values))
    scores = JudgedScores(
        segment=segment, system=system, value=values[system, segment], line=np.arange(len(segment))
    )
    names = tuple("ABCDEFGH"[: len(values)])
    judgments = Judgments(
        source="made", systems=names, scores=scores, counts={"scores": len(segment)}
    )
    return JudgedMetrics(
        judgments=judgments.with_pairs(),
        segments=values.shape[1],
        metrics=(ScoredMetric.external("m", metric), ScoredMetric.external("other", -(metric**2))),
        resampling=DRAWN,
        **extra,  # type: ignore[arg-type]
    )


@pytest.mark.parametrize("measure", list(AgreementMeasure))
def test_one_system_is_no_evidence_about_systems(measure: AgreementMeasure) -> None:
    human, metric = np.random.default_rng(1).random((2, 1, 20))
    made = assessed(human, metric, resample=Resample.SYSTEMS)
    for found in made.agreement(measure):
        if measure in (AgreementMeasure.PEARSON, AgreementMeasure.SPEARMAN):
            # Correlations of segment scores draw segments, of which there are many.
            assert found.low is not None
        elif measure not in (AgreementMeasure.PEARSON_SYSTEM, AgreementMeasure.SPEARMAN_SYSTEM):
            assert (found.value, found.low, found.high) == (None, None, None)
    if measure in (AgreementMeasure.SYSTEM_SPEARMAN, AgreementMeasure.SYSTEM_PEARSON):
        for test in MetricTest:
            (pair,) = compare_metrics(made, measure, test=test)
            assert (pair.difference, pair.low, pair.p, pair.significant) == (None,) * 3 + (False,)


def test_one_judged_system_has_no_interval_whatever_else_was_scored() -> None:
    # Nobody judged the second system: drawing from one system draws the same again and again.
    human = np.vstack([np.random.default_rng(2).random(6), np.full(6, nan)])
    made = assessed(human, np.random.default_rng(3).random((2, 6)), resample=Resample.SYSTEMS)
    assert made.judged_systems.tolist() == [0]
    for measure in AgreementMeasure:
        if drawn_of(measure, Resample.SYSTEMS) is Resample.SYSTEMS:
            assert not made.is_evidence(measure)
            assert [(found.low, found.high) for found in made.agreement(measure)] == [
                (None,) * 2
            ] * 2


@pytest.mark.parametrize("resample", [Resample.SYSTEMS, Resample.JUDGMENTS])
@pytest.mark.parametrize(
    "measure",
    [
        AgreementMeasure.PEARSON,
        AgreementMeasure.PEARSON_ITEM,
        AgreementMeasure.SPEARMAN,
        AgreementMeasure.SPEARMAN_ITEM,
    ],
)
def test_one_segment_is_no_evidence_for_correlations_of_segment_scores(
    measure: AgreementMeasure, resample: Resample
) -> None:
    # They draw segments also where systems or tasks are drawn for other measures.
    rows = [(0, a, b, 1 if (a + b) % 3 else -1, task) for task, (a, b) in enumerate(PAIRED)]
    made = JudgedMetrics(
        judgments=judged(rows),
        segments=1,
        metrics=(random_metric("m", 4, segments=1, steps=50), random_metric("k", 6, segments=1)),
        resampling=DRAWN,
        resample=resample,
    )
    (found, _) = made.agreement(measure)
    assert found.value is not None
    assert (found.low, found.high) == (None, None)
    (pair,) = compare_metrics(made, measure)
    assert (pair.low, pair.p, pair.significant) == (None, None, False)


PAIRED = [(0, 1), (1, 2), (2, 3), (3, 4), (0, 4), (1, 3)]


def soft(
    human: NDArray[np.float64], metric: NDArray[np.float64], pairs: list[tuple[int, int]]
) -> float:
    """Return the mean agreement over some pairs of systems, with p-values of sign flips one by one."""
    found = []
    for first, second in pairs:
        sides = []
        for scores in (human, metric):
            difference = scores[first] - scores[second]
            flips = [subset(len(difference), DRAWN.seed, FLIPS, k) for k in range(DRAWN.count)]
            known = np.nan_to_num(difference)
            sums = [-2 * sum(known[place] for place in places) for places in flips]
            sides.append(sum((s > 1e-9) + 0.5 * (abs(s) <= 1e-9) for s in sums) / len(sums))
        found.append(1 - abs(sides[0] - sides[1]))
    return sum(found) / len(found) if found else nan


def test_pairs_of_systems_that_nobody_compared_carry_no_weight_in_soft_accuracy() -> None:
    chance = np.random.default_rng(5)
    human, metric = chance.random((4, 12)), chance.random((4, 12))
    # People never saw a segment of the last system beside one of the first two.
    human[:2, 6:] = nan
    human[3, :6] = nan
    judged_pairs = [(0, 1), (0, 2), (1, 2), (2, 3)]
    made = assessed(human, metric, resample=Resample.SYSTEMS)
    values = made.values(AgreementMeasure.SOFT_ACCURACY)
    assert values.observed[0] == close(soft(human, metric, judged_pairs))
    assert values.counts[0] == {"systems": 4, "system_pairs": 4}
    for column, draw in enumerate(bootstrap_indices(4, resamples=12, seed=5).tolist()):
        repeated = [
            pair for pair in judged_pairs for _ in range(draw.count(pair[0]) * draw.count(pair[1]))
        ]
        expected = soft(human, metric, repeated)
        assert values.resampled[0, column] == close(expected, nan_ok=True)


def test_counts_say_how_many_pairs_of_each_kind_there_are() -> None:
    # Both decide and agree; both decide and differ; the metric ties; people tie; both tie; no score.
    rows = [(0, 0, 1, 1, 0), (1, 0, 1, -1, 1), (2, 0, 1, 1, 2), (3, 0, 1, 0, 3), (3, 1, 0, 0, 4),
            (4, 0, 1, 0, 5), (5, 0, 1, 1, 6)]  # fmt: skip
    scores = np.array([[1.0, 1.0, 0.5, 0.7, 0.5, nan], [0.0, 0.0, 0.5, 0.2, 0.5, 0.1]])
    made = JudgedMetrics(
        judgments=judged(rows, ("A", "B")),
        segments=6,
        metrics=(ScoredMetric.external("m", scores),),
        resampling=DRAWN,
    )
    (found,) = made.agreement(AgreementMeasure.SEGMENT_TAU)
    assert found.counts == {
        "concordant": 1, "discordant": 1, "ties": 1, "human_ties": 3, "both_ties": 1, "unscored": 1,
    }  # fmt: skip
    assert found.value == 0.0


@pytest.mark.parametrize(
    "measure", [m for m in AgreementMeasure if drawn_of(m, Resample.SYSTEMS) is Resample.SEGMENTS]
)
def test_a_correlation_of_segment_scores_is_the_one_that_its_name_says(
    measure: AgreementMeasure,
) -> None:
    chance = np.random.default_rng(9)
    human, metric = chance.integers(0, 6, (2, 4, 15)) / 5
    human[0, :4] = nan
    coefficient, _, grouping = str(measure).partition("_")
    correlate = {"pearson": oracle.pearson, "spearman": oracle.spearman}[coefficient]
    (found, _) = assessed(human, metric).agreement(measure)
    groups = oracle.segment_groups(human.tolist(), metric.tolist(), grouping or "pooled")
    values = [correlate(x, y) for x, y in groups]
    known = [value for value in values if not isnan(value)]
    assert found.value == close(sum(known) / len(known))
    assert found.counts["groups"] == len(known)
    assert found.counts["undefined_groups"] == len(values) - len(known)
    assert found.counts["scores"] == 56
    assert ("p" in found.counts) is (not grouping)
    if not grouping:
        assert found.counts["p"] == close(correlation_p(known[0], 56))


def test_undefined_resamples_are_those_of_the_metric_itself() -> None:
    # The second metric has scores of one judged segment only, which few resamples draw.
    scores = np.full((5, 12), nan)
    scores[:, 0] = np.arange(5)
    rows = [(segment, 0, 1, 1, segment) for segment in range(12)]
    made = JudgedMetrics(
        judgments=judged(rows),
        segments=12,
        metrics=(random_metric("m", 3, steps=997), ScoredMetric.external("gap", scores)),
        resampling=DRAWN,
    )
    draws = bootstrap_indices(12, resamples=12, seed=5).tolist()
    first, second = made.agreement(AgreementMeasure.SEGMENT_TAU)
    assert first.undefined == 0
    assert second.undefined == sum(0 not in draw for draw in draws) > 0


def test_people_who_ranked_are_taken_by_wins_also_where_they_gave_scores_too() -> None:
    # The shares of pairs won say the opposite of the scores.
    scores = JudgedScores(
        segment=np.array([0, 0]), system=np.array([0, 1]), value=np.array([1.0, 0.0]),
        line=np.arange(2),
    )  # fmt: skip
    ranked = judged([(0, 0, 1, -1, 0), (1, 0, 1, -1, 1)], ("A", "B"))
    both = Judgments(
        source="made", systems=("A", "B"), pairs=ranked.pairs, scores=scores,
        counts={"pairs": 2, "scores": 2},
    )  # fmt: skip
    metric = (ScoredMetric.external("m", np.eye(2)),)
    made = JudgedMetrics(judgments=both, segments=2, metrics=metric, resampling=DRAWN)
    assert made.human_scores.tolist() == [0.0, 1.0]

"""Comparisons from statistics: laws, degenerate data, metrics of every kind."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from kilter.core.errors import InputError, OptionError
from kilter.core.evaluation import Evaluation
from kilter.metrics.kendall import Kendall
from kilter.metrics.metric import Metric
from kilter.metrics.order import Order
from kilter.results.comparison import Comparison, SignificanceTest, mark_note
from kilter.results.measure import Measure
from kilter.run.scoring.compare import compare
from kilter.run.scoring.measured import Measured
from kilter.run.scoring.significance import compare_measured, score_intervals
from kilter.stats.resampling import Resampling, bootstrap_indices
from kilter.stats.significance import Mark, MarkRule, share_mark
from tests.oracles import resampling as oracle

FEW = Resampling(resamples=50)
BOOTSTRAP, RANDOMISATION, PERMUTATION = SignificanceTest


@dataclass(frozen=True, kw_only=True)
class Ratio(Metric):
    """The first statistic over the second; not a number where that is 0."""

    name: ClassVar[str] = "ratio"
    summary: ClassVar[str] = "a ratio"
    formula: ClassVar[str] = "a / b"
    citations: ClassVar[tuple[str, ...]] = ()
    needs: ClassVar[tuple[str, ...]] = ()
    range: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    higher_is_better: ClassVar[bool] = False

    def measure(self, evaluation: Evaluation) -> Measure:
        raise NotImplementedError

    def corpus_score(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(sums[..., 0] / sums[..., 1])


def mean_of(*systems: NDArray[np.float64]) -> Measured:
    rows = [np.column_stack([scores, np.ones(len(scores))]) for scores in systems]
    return Measured(metric=Kendall(), statistics=rows, signature="kendall")


def ratio_of(*systems: list[tuple[float, float]]) -> Measured:
    return Measured(
        metric=Ratio(), statistics=[np.array(rows) for rows in systems], signature="ratio"
    )


SCORES = st.integers(2, 30).flatmap(
    lambda segments: arrays(np.float64, (3, segments), elements=st.floats(0, 1))
)


@given(SCORES)
def test_a_score_is_the_mean_and_its_interval_lies_in_the_range(
    scores: NDArray[np.float64],
) -> None:
    for row, interval in zip(
        scores, score_intervals(mean_of(*scores), resampling=FEW), strict=True
    ):
        assert interval.value == pytest.approx(row.mean())
        assert interval.low is not None
        assert interval.high is not None
        assert 0.0 <= interval.low <= interval.high <= 1.0
        assert row.min() - 1e-9 <= interval.low
        assert interval.high <= row.max() + 1e-9


def test_an_interval_is_that_of_the_resampled_means() -> None:
    scores = np.random.default_rng(4).random(40)
    (interval,) = score_intervals(mean_of(scores), resampling=Resampling(resamples=200, seed=7))
    means = scores[bootstrap_indices(40, resamples=200, seed=7)].mean(axis=1)
    expected = np.percentile(means, [2.5, 97.5])
    assert (interval.low, interval.high) == pytest.approx(tuple(expected), abs=1e-11)


@given(st.floats(0, 1), st.integers(2, 20))
def test_the_interval_of_constant_scores_is_the_score_itself(score: float, segments: int) -> None:
    (interval,) = score_intervals(mean_of(np.full(segments, score)), resampling=FEW)
    assert interval.low == interval.value == interval.high


@given(SCORES)
def test_a_system_against_itself_differs_by_nothing(scores: NDArray[np.float64]) -> None:
    found = compare_measured(["a", "b"], [mean_of(scores[0], scores[0])], resampling=FEW)
    (pair,) = found.metrics[0].pairs
    assert pair.difference == pair.low == pair.high == 0.0
    few = scores.shape[1] < 6
    assert (pair.share, pair.mark) == (0.0, Mark.UNDECIDED if few else Mark.OPEN)
    assert set(pair.p.values()) == set(pair.holm.values()) == {1.0}
    assert (pair.effect.better, pair.effect.worse) == (0, 0)
    assert pair.effect.standardised in (0.0, None)


@given(SCORES)
def test_exchanging_two_systems_changes_signs_only(scores: NDArray[np.float64]) -> None:
    (there,) = compare_measured(["a", "b"], [mean_of(*scores[:2])], resampling=FEW).metrics[0].pairs
    (back,) = (
        compare_measured(["b", "a"], [mean_of(*scores[1::-1])], resampling=FEW).metrics[0].pairs
    )
    assert there.p == back.p
    assert there.difference is not None
    assert there.difference == -(back.difference or 0.0)
    assert there.share is not None
    assert back.share is not None
    assert there.share + back.share <= 1.0
    assert there.mark is not None
    assert there.mark.reversed() is back.mark
    assert (there.effect.better, there.effect.worse) == (back.effect.worse, back.effect.better)


def test_two_better_segments_of_a_hundred_do_not_make_a_mark() -> None:
    first, second = np.zeros(100), np.zeros(100)
    second[[3, 50]] = 1.0
    drawn = Resampling(resamples=2000)
    (pair,) = (
        compare_measured(["a", "b"], [mean_of(first, second)], resampling=drawn).metrics[0].pairs
    )
    rows = bootstrap_indices(100, resamples=2000, seed=drawn.seed)
    assert pair.share == float((second[rows].sum(axis=1) > 0).mean())
    assert 0.8 < pair.share < 0.9
    assert pair.mark is Mark.OPEN
    (back,) = (
        compare_measured(["b", "a"], [mean_of(second, first)], resampling=drawn).metrics[0].pairs
    )
    assert (back.share, back.mark) == (0.0, Mark.OPEN)


@pytest.mark.parametrize("test", SignificanceTest)
def test_marks_follow_the_corrected_p_values_of_the_first_test(test: SignificanceTest) -> None:
    random = np.random.default_rng(4)
    scores = [random.random(80) + step for step in (0.0, 0.06, 0.09, 0.14, 0.3)]
    tests = [test, *(other for other in SignificanceTest if other is not test)]
    found = compare_measured([*"abcde"], [mean_of(*scores)], tests=tests)
    seen = set()
    for pair in found.metrics[0].pairs:
        assert pair.difference is not None
        for mark, corrected in (
            (pair.mark, pair.holm),
            (pair.mark_baseline, pair.holm_baseline or {}),
        ):
            p = corrected.get(test)
            if p is None:
                assert mark is None
                continue
            stars = "**" if p < 0.01 else "*" if p < 0.05 else ""
            side = "+" if pair.difference > 0 else "-"
            assert str(mark) == (f"{side}{stars}" if stars else "0")
            seen.add(str(mark))
    assert {"+**", "0"} < seen


def test_marks_by_share_are_those_of_the_resamples_whatever_the_test() -> None:
    random = np.random.default_rng(4)
    scores = [random.random(40) + step for step in (0.0, 0.06, 0.12)]
    marked = []
    for test in SignificanceTest:
        found = compare_measured(
            [*"abc"], [mean_of(*scores)], tests=[test], marks=MarkRule.SHARE, resampling=FEW
        )
        assert found.to_dict()["marks"] == "share"
        for pair in found.metrics[0].pairs:
            assert pair.share is not None
            # No resample of such scores is a tie.
            assert pair.mark is share_mark(pair.share)
            assert pair.mark_baseline is (pair.mark if pair.first == "a" else None)
        marked.append([pair.mark for pair in found.metrics[0].pairs])
    assert marked[0] == marked[1] == marked[2]


def test_equal_systems_are_rarely_marked_and_by_share_too_often() -> None:
    random = np.random.default_rng(8)
    starred = dict.fromkeys(MarkRule, 0)
    for _ in range(150):
        systems = mean_of(random.random(60), random.random(60))
        for rule in MarkRule:
            found = compare_measured(
                ["a", "b"],
                [systems],
                tests=[BOOTSTRAP],
                marks=rule,
                resampling=Resampling(resamples=200),
            )
            starred[rule] += str(found.metrics[0].pairs[0].mark).endswith("**")
    assert starred[MarkRule.CORRECTED] <= 6
    assert starred[MarkRule.SHARE] >= 10


def test_a_clear_difference_is_significant_by_every_test() -> None:
    random = np.random.default_rng(1)
    first = random.random(200) * 0.5
    found = compare_measured(["a", "b"], [mean_of(first, first + 0.1 + 0.1 * random.random(200))])
    (pair,) = found.metrics[0].pairs
    assert pair.mark is Mark.SURELY_BETTER
    assert pair.p == dict.fromkeys(SignificanceTest, 1 / 1001)
    assert (pair.effect.better, pair.effect.equal, pair.effect.worse) == (200, 0, 0)


def test_tests_agree_on_a_middling_difference() -> None:
    random = np.random.default_rng(6)
    first, noise = random.random(400), random.normal(0.012, 0.15, 400)
    found = compare_measured(
        ["a", "b"], [mean_of(first, first + noise)], resampling=Resampling(resamples=10_000)
    )
    p_values = [p for p in found.metrics[0].pairs[0].p.values() if p is not None]
    assert max(p_values) - min(p_values) < 0.02
    assert 0.01 < min(p_values) < max(p_values) < 0.5


def test_less_is_better_turns_shares_and_effects_around() -> None:
    rows = [(float(k), 10.0) for k in range(1, 30)]
    more = [(a + 2, b) for a, b in rows]
    (pair,) = compare_measured(["a", "b"], [ratio_of(rows, more)]).metrics[0].pairs
    assert pair.difference == pytest.approx(0.2)
    assert pair.share == 0.0
    assert pair.mark is Mark.SURELY_WORSE
    assert (pair.effect.better, pair.effect.worse) == (0, 29)


def test_what_is_no_mean_has_no_permutation_test_and_no_standardised_difference() -> None:
    rows = [(1.0, 2.0), (2.0, 3.0), (0.0, 5.0)]
    found = compare_measured(["a", "b"], [ratio_of(rows, rows[::-1])], resampling=FEW)
    (pair,) = found.metrics[0].pairs
    assert pair.p[PERMUTATION] is None
    assert pair.holm[PERMUTATION] is None
    assert pair.p[RANDOMISATION] == 1.0
    assert pair.effect.standardised is None


def test_undefined_resamples_are_counted_and_left_out() -> None:
    rows = [(1.0, 2.0), (0.0, 0.0)]
    found = compare_measured(["a", "b"], [ratio_of(rows, [(1.0, 1.0), (1.0, 1.0)])])
    interval = found.metrics[0].intervals[0]
    # A quarter of the resamples draws the second segment twice.
    assert 200 < interval.undefined < 300
    assert (interval.value, interval.low, interval.high) == (0.5, 0.5, 0.5)
    (pair,) = found.metrics[0].pairs
    assert pair.undefined == interval.undefined
    assert pair.share == 0.0
    assert pair.effect.better + pair.effect.equal + pair.effect.worse == 1


def test_what_is_never_defined_is_missing_rather_than_not_a_number() -> None:
    found = compare_measured(
        ["a", "b"], [ratio_of([(0.0, 0.0)] * 3, [(1.0, 1.0)] * 3)], resampling=FEW
    )
    interval = found.metrics[0].intervals[0]
    assert (interval.value, interval.low, interval.high, interval.undefined) == (None,) * 3 + (50,)
    (pair,) = found.metrics[0].pairs
    assert [pair.difference, pair.share, pair.mark, pair.p[BOOTSTRAP]] == [None] * 4
    json.dumps(found.to_dict(), allow_nan=False)


@pytest.mark.parametrize(
    "measured",
    [mean_of(np.array([0.25]), np.array([0.5])), ratio_of([(1.0, 2.0)], [(1.0, 4.0)])],
)
def test_one_segment_is_compared_without_a_claim(measured: Measured) -> None:
    found = compare_measured(["a", "b"], [measured], resampling=FEW)
    (pair,) = found.metrics[0].pairs
    assert abs(pair.difference or 0.0) == 0.25
    assert [pair.low, pair.high, pair.share, pair.mark] == [None] * 4
    assert pair.p == pair.holm == pair.holm_baseline == dict.fromkeys(SignificanceTest)
    assert (pair.exact, pair.undefined, pair.effect.standardised) == (False, 0, None)
    # The second is better in the first case, and in the second less is better.
    assert (pair.effect.better, pair.effect.equal, pair.effect.worse) == (1, 0, 0)
    for interval in found.metrics[0].intervals:
        assert interval.value in (0.25, 0.5)
        assert (interval.low, interval.high, interval.undefined) == (None, None, 0)
    assert score_intervals(measured, resampling=FEW) == found.metrics[0].intervals
    json.dumps(found.to_dict(), allow_nan=False)


def test_two_segments_are_compared_by_every_test() -> None:
    (pair,) = (
        compare_measured(["a", "b"], [mean_of(np.array([0.1, 0.2]), np.ones(2))]).metrics[0].pairs
    )
    assert None not in (*pair.p.values(), *pair.holm.values(), pair.low, pair.high, pair.mark)
    # Both signs stay or both turn in two of four ways.
    assert pair.p[PERMUTATION] == 0.5


def three_systems(*, jobs: int = 1, baseline: str | None = None) -> Comparison:
    scores = np.random.default_rng(3).random((3, 60))
    rows = [[(float(a), 1.0 + k) for k, a in enumerate(row)] for row in scores]
    return compare_measured(
        ["a", "b", "c"],
        [mean_of(*scores), ratio_of(*rows)],
        baseline=baseline,
        resampling=Resampling(resamples=101, jobs=jobs),
    )


@pytest.mark.parametrize("jobs", [2, 3])
def test_every_number_of_threads_gives_the_same_comparison(jobs: int) -> None:
    assert three_systems(jobs=jobs).to_dict() == three_systems().to_dict()


def test_the_baseline_comes_first_in_its_pairs_and_has_its_own_correction() -> None:
    metric = three_systems(baseline="b").metrics[0]
    assert [(p.first, p.second) for p in metric.pairs] == [("b", "a"), ("b", "c"), ("a", "c")]
    assert [p.holm_baseline is None for p in metric.pairs] == [False, False, True]
    for pair in metric.pairs[:2]:
        assert pair.holm_baseline is not None
        for test in SignificanceTest:
            assert (pair.p[test] or 0) <= (pair.holm_baseline[test] or 0) <= (pair.holm[test] or 0)


def test_a_comparison_is_a_document() -> None:
    document = json.loads(json.dumps(three_systems().to_dict(), allow_nan=False))
    assert document["schema"] == "kilter.compare/1"
    assert [system["name"] for system in document["systems"]] == ["a", "b", "c"]
    assert set(document["systems"][0]["scores"]) == {"kendall", "ratio"}
    assert len(document["comparisons"]) == 6
    assert document["metrics"]["ratio"]["range"] == [0.0, None]


def test_contradictory_inputs_are_refused() -> None:
    scores = mean_of(np.ones(3), np.ones(3))
    with pytest.raises(InputError, match="two systems are called 'a'"):
        compare_measured(["a", "a"], [scores])
    with pytest.raises(InputError, match="kendall has statistics of 2 systems; there are 3"):
        compare_measured(["a", "b", "c"], [scores])
    with pytest.raises(InputError, match=r"\[3, 4\] segments"):
        compare_measured(["a", "b"], [scores, mean_of(np.ones(4), np.ones(4))])
    with pytest.raises(OptionError, match="baseline is 'z'; it can be a, b"):
        compare_measured(["a", "b"], [scores], baseline="z")
    with pytest.raises(OptionError, match="at least one metric"):
        compare_measured(["a", "b"], [])


def four_systems() -> Comparison:
    random = np.random.default_rng(8)
    scores = random.random((4, 50)) * 0.8 + np.array([[0.0], [0.04], [0.08], [0.12]])
    return compare_measured(["a", "b", "c", "d"], [mean_of(*scores)], baseline="c")


def test_corrections_are_holm_over_the_pairs_that_they_speak_of() -> None:
    pairs = four_systems().metrics[0].pairs
    against = [pair for pair in pairs if "c" in (pair.first, pair.second)]
    assert len(against) == 3
    for test in SignificanceTest:
        everything = oracle.holm([p for pair in pairs if (p := pair.p[test]) is not None])
        assert [pair.holm[test] for pair in pairs] == pytest.approx(everything)
        alone = oracle.holm([p for pair in against if (p := pair.p[test]) is not None])
        assert [(pair.holm_baseline or {})[test] for pair in against] == pytest.approx(alone)
        assert alone != pytest.approx([pair.holm[test] for pair in against])


@pytest.mark.parametrize("weight", [2.0, 0.5])
def test_scores_pooled_by_weights_have_no_permutation_test(weight: float) -> None:
    # Segments that weigh differently make no plain mean: flipping the sign of one swaps no scores.
    weights = np.array([1.0, 1.0, weight])
    rows = [np.column_stack([scores * weights, weights]) for scores in np.eye(3)[:2]]
    measured = Measured(metric=Kendall(), statistics=rows, signature="kendall")
    (pair,) = compare_measured(["a", "b"], [measured], resampling=FEW).metrics[0].pairs
    assert pair.p[PERMUTATION] is pair.holm[PERMUTATION] is None
    assert pair.p[RANDOMISATION] is not None
    assert (pair.exact, pair.effect.standardised) == (False, None)


@given(SCORES)
def test_an_exchanged_interval_is_turned_round_and_holds_its_difference(
    scores: NDArray[np.float64],
) -> None:
    (there,) = compare_measured(["a", "b"], [mean_of(*scores[:2])], resampling=FEW).metrics[0].pairs
    (back,) = (
        compare_measured(["b", "a"], [mean_of(*scores[1::-1])], resampling=FEW).metrics[0].pairs
    )
    for pair in (there, back):
        assert pair.low is not None
        assert pair.high is not None
        assert pair.low <= pair.high
    assert there.low == pytest.approx(-(back.high or 0.0), abs=1e-11)
    assert there.high == pytest.approx(-(back.low or 0.0), abs=1e-11)


def test_the_interval_of_a_difference_is_that_of_paired_resamples() -> None:
    first, second = np.random.default_rng(2).random((2, 30))
    drawn = Resampling(resamples=200, seed=3)
    (pair,) = (
        compare_measured(["a", "b"], [mean_of(first, second)], resampling=drawn).metrics[0].pairs
    )
    rows = bootstrap_indices(30, resamples=200, seed=3)
    low, high = np.percentile((second - first)[rows].mean(axis=1), [2.5, 97.5])
    assert (pair.low, pair.high) == pytest.approx((low, high), abs=1e-11)
    assert pair.difference == pytest.approx(float((second - first).mean()))
    assert low < (second - first).mean() < high


def test_a_score_that_is_undefined_has_no_interval_though_some_resamples_have_scores() -> None:
    # The sum of the weights is 0, but not that of every resample.
    rows = [(1.0, 1.0), (1.0, -1.0)]
    found = compare_measured(["a", "b"], [ratio_of(rows, [(1.0, 1.0)] * 2)]).metrics[0]
    assert (found.intervals[0].value, found.intervals[0].low, found.intervals[0].high) == (
        None,
    ) * 3
    (pair,) = found.pairs
    assert [pair.difference, pair.low, pair.high, pair.share, pair.mark] == [None] * 5


def test_a_test_that_is_named_twice_is_made_once() -> None:
    scores = mean_of(*np.random.default_rng(1).random((2, 9)))
    found = compare_measured(["a", "b"], [scores], tests=[BOOTSTRAP, BOOTSTRAP], resampling=FEW)
    assert found.tests == (BOOTSTRAP,)
    assert set(found.metrics[0].pairs[0].p) == {BOOTSTRAP}


def test_the_score_of_several_configurations_is_the_mean_of_theirs() -> None:
    first, second = np.random.default_rng(3).random((2, 2, 15))
    ones = np.ones(15)
    rows = [np.column_stack([part[0], ones, part[1], ones]) for part in (first, second)]
    several = Measured(metric=Kendall(), statistics=rows, signature="kendall", configurations=2)
    plain = mean_of(first.mean(axis=0), second.mean(axis=0))
    found, expected = (
        compare_measured(["a", "b"], [measured], resampling=FEW).metrics[0]
        for measured in (several, plain)
    )
    for one, other in zip(found.intervals, expected.intervals, strict=True):
        assert (one.value, one.low, one.high) == pytest.approx((other.value, other.low, other.high))
    assert found.pairs[0].p == expected.pairs[0].p
    assert found.pairs[0].p[PERMUTATION] is not None
    assert found.pairs[0].effect.standardised == pytest.approx(
        expected.pairs[0].effect.standardised
    )


def test_a_permutation_test_of_several_configurations_flips_mean_differences() -> None:
    # Half of the differences of one configuration are those of the mean, and ties stay ties.
    first = np.array([[0.3, 0.5, 0.1, 0.9], [0.3, 0.1, 0.7, 0.2]])
    second = np.array([[0.4, 0.5, 0.1, 0.8], [0.2, 0.4, 0.5, 0.4]])
    ones = np.ones(4)
    rows = [np.column_stack([part[0], ones, part[1], ones]) for part in (first, second)]
    several = Measured(metric=Kendall(), statistics=rows, signature="kendall", configurations=2)
    (pair,) = compare_measured(["a", "b"], [several], resampling=FEW).metrics[0].pairs
    twentieths = [0, 3, -2, 1]
    assert pair.p[PERMUTATION] == oracle.sign_flip_p([Fraction(k, 20) for k in twentieths])
    assert pair.exact


def counted_order(*systems: list[float | None]) -> Measured:
    """Return orders of segments, None for those with too little evidence."""
    rows = [
        np.array([(0, 0, 0, 0) if score is None else (score, 1, 0, 0) for score in scores], float)
        for scores in systems
    ]
    return Measured(metric=Order(), statistics=rows, signature="order")


def mean_of_known(scores: Sequence[float | None]) -> float:
    known = [score for score in scores if score is not None]
    return sum(known) / len(known) if known else 0.0


def has_some(segments: list[tuple[float | None, float | None]]) -> bool:
    """Return whether every exchange leaves both systems a segment that counts."""
    return sum(None not in pair for pair in segments) > 0


ORDERS = st.lists(
    st.tuples(*[st.none() | st.sampled_from([0.0, 0.25, 0.5, 1.0])] * 2), min_size=2, max_size=7
)


@given(ORDERS.filter(has_some))
def test_systems_are_exchanged_in_every_way_where_some_segments_do_not_count(
    segments: list[tuple[float | None, float | None]],
) -> None:
    one, other = ([pair[k] for pair in segments] for k in range(2))
    observed = abs(mean_of_known(other) - mean_of_known(one))
    ways = list(product([False, True], repeat=len(segments)))
    far = 0
    for way in ways:
        exchanged = [
            pair[::-1] if turned else pair for pair, turned in zip(segments, way, strict=True)
        ]
        first, second = ([pair[k] for pair in exchanged] for k in range(2))
        far += abs(mean_of_known(second) - mean_of_known(first)) >= observed - 1e-9
    found = compare_measured(["a", "b"], [counted_order(one, other)], resampling=FEW)
    pair = found.metrics[0].pairs[0]
    if not pair.is_withheld:
        assert pair.p[PERMUTATION] == pytest.approx(far / len(ways))
    assert pair.exact


def test_a_difference_that_is_missing_has_no_test() -> None:
    measured = counted_order([0.5, 1.0, 0.25], [None, None, None])
    (pair,) = compare_measured(["a", "b"], [measured], resampling=FEW).metrics[0].pairs
    assert pair.difference is None
    assert {*pair.p.values()} == {None}


def test_a_difference_that_comes_with_segments_of_one_system_only_has_no_mark() -> None:
    draw = np.random.default_rng(7)
    whole = draw.random(80).tolist()
    worst = sorted(whole)[16]
    blanked = [None if score < worst else score for score in whole]
    better = [min(1.0, score + 0.2) for score in whole]
    measured = counted_order(whole, blanked, better, [*better[:70], *[None] * 10])
    names = ["whole", "blanked", "better", "better, shorter"]
    found = compare_measured(names, [measured], tests=[BOOTSTRAP], resampling=Resampling())
    metric = found.metrics[0]
    pair = metric.pairs[0]
    assert pair.difference is not None
    assert pair.difference > 0.05
    assert pair.common is not None
    assert (pair.common.both, pair.common.one, pair.common.difference) == (64, 16, 0.0)
    assert pair.is_withheld
    assert (pair.mark, pair.mark_baseline, pair.share) == (None, None, None)
    assert [*pair.p.values(), *pair.holm.values(), *(pair.holm_baseline or {}).values()] == [
        None
    ] * 3
    assert [each.mark for each in metric.pairs[1:3]] == [Mark.SURELY_BETTER] * 2
    assert metric.pairs[2].common is not None
    assert not metric.pairs[2].is_withheld
    (note,) = found.notes
    assert note.startswith(
        "order of blanked against whole (and 2 more pairs): only one of the two has a score in 16 of 80 segments; "
        "over the 64 of both the difference is +0.0000, not +0."
    )
    assert note.endswith("; no mark, no p-value")
    (document,) = [each for each in found.to_dict()["comparisons"] if each["second"] == "blanked"]
    assert document["common"] == {"both": 64, "one": 16, "difference": 0.0, "withheld": True}


def test_of_many_segments_some_of_which_do_not_count_exchanges_are_drawn() -> None:
    draw = np.random.default_rng(5)
    one: list[float | None] = [*draw.random(60)]
    better: list[float | None] = [min(1.0, (score or 0.0) + 0.2) for score in one]
    one[3] = better[40] = None
    alike: list[float | None] = [*draw.permutation([score or 0.0 for score in one])]
    measured = counted_order(one, better, alike)
    found = compare_measured(["one", "better", "alike"], [measured], resampling=Resampling())
    pairs = found.metrics[0].pairs
    assert pairs[0].p[PERMUTATION] == pytest.approx(1 / 1001)
    assert not pairs[0].exact
    assert pairs[1].p[PERMUTATION] == pytest.approx(pairs[1].p[RANDOMISATION] or 0.0, abs=0.06)


def test_the_overall_score_is_a_mean_with_a_permutation_test_of_each_part() -> None:
    lines = [f"word {k} stands here and waits" for k in range(12)]
    moved = [" ".join([*line.split()[2:], *line.split()[:2]]) for line in lines]
    found = compare({"kept": lines, "moved": moved}, lines, metrics="kilter")
    (pair,) = found.metrics[0].pairs
    assert pair.p[PERMUTATION] == pytest.approx(2 / 2**12)
    assert {part.name: part.p[PERMUTATION] for part in pair.parts}["order"] == pytest.approx(
        2 / 2**12
    )


def ladder(systems: int, segments: int = 60) -> tuple[list[str], Measured]:
    """Return systems of which each is a good deal better than the one before it."""
    noise = np.random.default_rng(3).random((systems, segments)) / 100
    names = [f"s{number}" for number in range(systems)]
    return names, mean_of(*((number + row) / systems for number, row in enumerate(noise)))


def test_resamples_follow_from_the_number_of_comparisons_where_none_is_given() -> None:
    few = compare_measured(*_listed(ladder(4)), tests=[BOOTSTRAP])
    assert few.resampling.count == 1000
    many = compare_measured(*_listed(ladder(12)), tests=[BOOTSTRAP])
    assert many.resampling.count == 150 * 66
    assert many.notes == ()
    assert {pair.mark for pair in many.metrics[0].pairs} == {Mark.SURELY_BETTER}
    assert {pair.mark_baseline for pair in many.metrics[0].pairs[:11]} == {Mark.SURELY_BETTER}
    assert all(0 < (pair.holm[BOOTSTRAP] or 1) < 0.0068 for pair in many.metrics[0].pairs)


def test_too_few_resamples_leave_pairs_undecided_and_say_how_many_would_do() -> None:
    found = compare_measured(*_listed(ladder(12)), tests=[BOOTSTRAP], resampling=FEW)
    assert {pair.mark for pair in found.metrics[0].pairs} == {Mark.UNDECIDED}
    assert {pair.mark_baseline for pair in found.metrics[0].pairs[:11]} == {Mark.UNDECIDED}
    (note,) = found.notes
    assert note == (
        "no pair can be significant with 50 resamples, corrected for 66 comparisons; use --resamples 9900"
    )
    enough = compare_measured(
        *_listed(ladder(12)), tests=[BOOTSTRAP], resampling=Resampling(resamples=9900)
    )
    assert {pair.mark for pair in enough.metrics[0].pairs} == {Mark.SURELY_BETTER}


def test_what_resamples_decide_against_the_baseline_is_not_called_undecided() -> None:
    names, measured = ladder(10)
    found = compare_measured(
        names, [measured], tests=[BOOTSTRAP], resampling=Resampling(resamples=200)
    )
    assert {pair.mark for pair in found.metrics[0].pairs} == {Mark.UNDECIDED}
    assert {pair.mark_baseline for pair in found.metrics[0].pairs[:9]} == {Mark.BETTER}
    (note,) = found.notes
    assert note.startswith(
        "no pair in the matrix can be significant with 200 resamples, corrected for 45 "
    )


def test_an_exact_test_needs_no_resamples() -> None:
    found = compare_measured(*_listed(ladder(12, segments=18)), tests=[PERMUTATION], resampling=FEW)
    assert {pair.mark for pair in found.metrics[0].pairs} == {Mark.SURELY_BETTER}
    assert found.notes == ()


def _listed(made: tuple[list[str], Measured]) -> tuple[list[str], list[Measured]]:
    return made[0], [made[1]]


@pytest.mark.parametrize(
    ("segments", "mark"), [(2, "?"), (3, "?"), (5, "?"), (6, "-*"), (8, "-**")]
)
@pytest.mark.parametrize("test", [BOOTSTRAP, PERMUTATION])
def test_few_segments_that_all_differ_alike_have_no_surer_mark_than_exchanges_give(
    segments: int, mark: str, test: SignificanceTest
) -> None:
    measured = counted_order([1.0] * segments, [0.5] * segments)
    found = compare_measured(["a", "b"], [measured], tests=[test], resampling=Resampling())
    (pair,) = found.metrics[0].pairs
    p = pair.p[test]
    assert p is not None
    assert p >= 2.0 ** (1 - segments)
    assert (str(pair.mark), str(pair.mark_baseline)) == (mark, mark)
    assert ("?: too few segments to decide" in mark_note(found).text) == (mark == "?")


def test_shares_of_few_segments_give_no_mark() -> None:
    measured = counted_order([1.0] * 5, [0.5] * 5)
    found = compare_measured(["a", "b"], [measured], resampling=FEW, marks=MarkRule.SHARE)
    assert found.metrics[0].pairs[0].mark is Mark.UNDECIDED

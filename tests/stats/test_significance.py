"""Intervals, tests and effect sizes against enumerations and definitions."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.errors import OptionError
from kilter.stats.resampling import Resampling, bootstrap_sums
from kilter.stats.significance import (
    Mark,
    better_shares,
    bootstrap_p_values,
    correlation_p,
    evidence_note,
    holm,
    incomplete_beta,
    p_mark,
    percentile_intervals,
    percentile_p_values,
    permutation_tests,
    randomisation_p_values,
    sample_size,
    segment_effects,
    share_mark,
    two_sided_p,
)
from tests.oracles import resampling as oracle
from tests.thorough import tried

# Tenths: their sums tie often, and not one of them is a binary fraction.
TENTHS = st.lists(st.integers(-10, 10), min_size=1, max_size=9)


def test_one_resample_has_no_interval_whether_others_are_undefined_or_not() -> None:
    assert np.isnan(percentile_intervals(np.array([[0.5], [np.nan]]))).all()
    ends = percentile_intervals(np.array([[0.5, np.nan, np.nan], [0.5, np.nan, 0.25]]))
    assert np.isnan(ends[0]).all()
    assert not np.isnan(ends[1]).any()


@given(
    st.lists(st.floats(0, 1), min_size=2, max_size=40), st.sampled_from(["80", "90", "95", "99"])
)
def test_an_interval_lies_between_interpolated_order_statistics(
    values: list[float], percent: str
) -> None:
    ((low, high),) = percentile_intervals(np.array([values]), level=int(percent) / 100)
    tail = (100 - Fraction(percent)) / 2
    assert low == pytest.approx(oracle.percentile(values, tail), abs=1e-12)
    assert high == pytest.approx(oracle.percentile(values, 100 - tail), abs=1e-12)


@pytest.mark.parametrize("level", [0.0, 1.0, -1.0, 95.0])
def test_a_level_is_a_share(level: float) -> None:
    with pytest.raises(OptionError, match="level"):
        percentile_intervals(np.ones((1, 3)), level=level)


def test_about_95_of_100_intervals_cover_the_true_mean() -> None:
    covered = 0
    random = np.random.default_rng(11)
    for seed in range(400):
        values = random.beta(5, 2, size=(1, 120, 1))
        means = (
            bootstrap_sums(values, Resampling(resamples=400, seed=seed)).resampled()[0, :, 0] / 120
        )
        ((low, high),) = percentile_intervals(means[np.newaxis])
        covered += low <= 5 / 7 <= high
    assert 0.915 <= covered / 400 <= 0.975


@pytest.mark.parametrize(
    ("share", "mark"),
    [
        *((1.0, "+**"), (0.95, "+**"), (0.949, "+*"), (0.90, "+*"), (0.899, "0"), (0.5, "0")),
        *((0.101, "0"), (0.10, "-*"), (0.051, "-*"), (0.05, "-**"), (0.0, "-**")),
    ],
)
def test_marks_change_at_the_shares_of_talbot(share: float, mark: str) -> None:
    assert share_mark(share) == mark
    assert share_mark(round(1 - share, 3)).reversed() == mark


def test_a_tie_is_neither_better_nor_worse() -> None:
    rows = np.array([[0.1, 0.0, -0.2, 1e-15], [0.0, 0.0, 0.0, 0.0]])
    assert better_shares(rows).tolist() == better_shares(-rows).tolist() == [0.25, 0.0]
    assert share_mark(0.0, worse=0.0) is Mark.OPEN


@pytest.mark.parametrize(
    ("p", "mark"),
    [(0.0, "**"), (0.0099, "**"), (0.01, "*"), (0.0499, "*"), (0.05, "0"), (1.0, "0")],
)
def test_marks_by_p_values_change_at_one_and_five_percent(p: float, mark: str) -> None:
    assert p_mark(0.25, p) == (mark if mark == "0" else f"+{mark}")
    assert p_mark(-0.25, p) == (mark if mark == "0" else f"-{mark}")
    assert p_mark(0.0, p) is Mark.OPEN


def test_ties_leave_a_mark_open_that_half_of_them_would_set() -> None:
    assert share_mark(0.86, worse=0.0) is share_mark(0.0, worse=0.86) is Mark.OPEN
    assert share_mark(0.0, worse=0.93) is Mark.WORSE
    assert share_mark(0.96, worse=0.0) is Mark.SURELY_BETTER


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=30), st.integers(-5, 5))
def test_p_values_count_the_tails(differences: list[int], observed: int) -> None:
    array, observation = np.array([differences]) / 8, np.array([observed / 8])
    centred = sum(abs(d - observed) >= abs(observed) for d in differences)
    assert bootstrap_p_values(array, observation) == (1 + centred) / (1 + len(differences))
    plain = sum(abs(d) >= abs(observed) for d in differences)
    assert randomisation_p_values(array, observation) == (1 + plain) / (1 + len(differences))


def test_no_difference_has_a_p_value_of_1() -> None:
    assert bootstrap_p_values(np.zeros((1, 10)), np.zeros(1)).tolist() == [1.0]
    assert randomisation_p_values(np.zeros((1, 10)), np.zeros(1)).tolist() == [1.0]
    assert [test.p for test in permutation_tests(np.zeros((10, 1)))] == [1.0]


@given(
    st.lists(
        st.lists(st.sampled_from([-0.5, 0.0, 0.25, 1.0, np.nan]), min_size=4, max_size=4),
        min_size=1,
        max_size=5,
    )
)
def test_what_is_undefined_does_not_count(listed: list[list[float]]) -> None:
    rows = np.array(listed)
    observed = np.full(len(rows), 0.25)
    found = zip(
        percentile_intervals(rows).tolist(),
        better_shares(rows).tolist(),
        bootstrap_p_values(rows, observed).tolist(),
        randomisation_p_values(rows, observed).tolist(),
        segment_effects(rows),
        strict=True,
    )
    for row, results in zip(rows, found, strict=True):
        kept = row[~np.isnan(row)][np.newaxis]
        if not kept.size:
            assert np.isnan([*results[0], *results[1:4]]).all()
            assert (results[4].better, results[4].equal, results[4].worse) == (0, 0, 0)
            continue
        # One value that is left makes no interval: what is undefined must be so on both sides.
        np.testing.assert_array_equal(results[0], percentile_intervals(kept)[0])
        assert results[1:] == (
            better_shares(kept)[0],
            bootstrap_p_values(kept, observed[:1])[0],
            randomisation_p_values(kept, observed[:1])[0],
            segment_effects(kept)[0],
        )


def test_no_resample_at_all_leaves_nothing_defined() -> None:
    nothing = np.empty((2, 0))
    assert np.isnan(percentile_intervals(nothing)).tolist() == [[True, True]] * 2
    assert np.isnan(better_shares(nothing)).tolist() == [True, True]


def test_an_undefined_observation_has_no_p_value() -> None:
    rows, observed = np.zeros((1, 5)), np.array([np.nan])
    assert np.isnan(bootstrap_p_values(rows, observed)).all()
    assert np.isnan(randomisation_p_values(rows, observed)).all()


@given(TENTHS)
def test_a_permutation_test_of_few_segments_counts_all_sign_flips(tenths: list[int]) -> None:
    # As a difference of two scores, so that sums tie up to rounding only.
    differences = np.array([[(7 + k) / 10 - 0.7] for k in tenths])
    (test,) = permutation_tests(differences)
    assert test.exact
    assert test.p == oracle.sign_flip_p([Fraction(k, 10) for k in tenths])


def test_twenty_differing_segments_are_counted_and_twenty_one_sampled() -> None:
    random = np.random.default_rng(2)
    differences = np.zeros((40, 2))
    differences[:20, 0] = random.normal(0.1, 1, 20)
    differences[:21, 1] = random.normal(0.1, 1, 21)
    tests = permutation_tests(differences)
    assert [test.exact for test in tests] == [True, False]


def test_a_sampled_permutation_test_agrees_with_all_sign_flips() -> None:
    random = np.random.default_rng(5)
    for _ in range(tried(5, quick=2)):
        few = random.normal(0.2, 1, 12)
        exact = float(oracle.sign_flip_p([Fraction(d) for d in few]))
        # Differences too small to matter make the test sample.
        padded = np.concatenate([few, np.full(20, 1e-9)])[:, np.newaxis]
        (test,) = permutation_tests(padded, Resampling(resamples=20_000))
        assert not test.exact
        assert abs(test.p - exact) < 4 * (exact * (1 - exact) / 20_000) ** 0.5 + 1e-3


def test_permutation_tests_are_the_same_for_every_number_of_threads() -> None:
    differences = np.random.default_rng(0).normal(size=(100, 5))
    alone = permutation_tests(differences, Resampling(resamples=300))
    assert all(
        permutation_tests(differences, Resampling(resamples=300, jobs=jobs)) == alone
        for jobs in (2, 3)
    )


def test_p_values_of_equal_systems_are_uniform() -> None:
    random = np.random.default_rng(9)
    differences = random.normal(size=(60, 500))
    p_values = np.array(
        [test.p for test in permutation_tests(differences, Resampling(resamples=999))]
    )
    for level in (0.05, 0.1, 0.5):
        share = float((p_values <= level).mean())
        assert abs(share - level) < 4 * (level * (1 - level) / 500) ** 0.5


@given(st.lists(st.integers(-8, 8), min_size=2, max_size=20))
def test_segments_are_counted_and_their_difference_standardised(eighths: list[int]) -> None:
    (effect,) = segment_effects(np.array([eighths]) / 8)
    assert effect.better == sum(k > 0 for k in eighths)
    assert effect.worse == sum(k < 0 for k in eighths)
    assert effect.better + effect.equal + effect.worse == len(eighths)
    mean = Fraction(sum(eighths), len(eighths))
    variance = sum((k - mean) ** 2 for k in eighths) / (len(eighths) - 1)
    if variance:
        assert effect.standardised == pytest.approx(float(mean) / float(variance) ** 0.5)
    else:
        assert effect.standardised == (0.0 if mean == 0 else None)


def test_one_segment_has_no_standardised_difference() -> None:
    assert segment_effects(np.array([[0.5]]))[0].standardised is None


def test_equal_differences_up_to_rounding_have_no_standardised_difference() -> None:
    assert segment_effects(np.array([[0.3 - 0.2, 0.2 - 0.1, 0.1]]))[0].standardised is None


@given(st.lists(st.integers(0, 100), min_size=1, max_size=8))
def test_holm_gives_the_smallest_level_that_rejects(hundredths: list[int]) -> None:
    p_values = [k / 100 for k in hundredths]
    assert holm(p_values) == pytest.approx(oracle.holm(p_values))
    assert holm([None, *p_values])[1:] == holm(p_values)


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=30))
def test_percentile_p_values_count_twice_what_lies_on_the_smaller_side(
    differences: list[int],
) -> None:
    below, above = sum(d <= 0 for d in differences), sum(d >= 0 for d in differences)
    expected = min(1.0, (1 + 2 * min(below, above)) / (1 + len(differences)))
    assert percentile_p_values(np.array([differences]) / 8).tolist() == [pytest.approx(expected)]
    assert percentile_p_values(-np.array([differences]) / 8).tolist() == [pytest.approx(expected)]


def test_a_sampled_permutation_test_counts_the_draws_that_it_makes_and_the_data_themselves() -> (
    None
):
    # Tenths: sums of flipped ones tie with the observed sum but for rounding.
    tenths = np.array([3, -1, 2, 4, -2, 1, 5, -3, 1, 2, 2, -4, 3, 1, -1, 2, 6, -2, 1, 3, -1, 2])
    (test,) = permutation_tests((tenths / 10)[:, np.newaxis], Resampling(resamples=99, seed=7))
    assert not test.exact
    sums = []
    for resample in range(99):
        flipped = set(oracle.subset(len(tenths), 7, oracle.FLIPS, resample))
        sums.append(sum(-k if place in flipped else k for place, k in enumerate(tenths.tolist())))
    far = sum(abs(total) >= abs(int(tenths.sum())) for total in sums)
    assert test.p == pytest.approx((1 + far) / 100)
    assert any(abs(total) == abs(int(tenths.sum())) for total in sums)


@pytest.mark.parametrize(
    ("segments", "said"),
    [(1, "one segment is no evidence"), (2, "2 segments are few"), (29, "29 segments are few")],
)
def test_few_segments_are_told(segments: int, said: str) -> None:
    assert (evidence_note(segments) or "").startswith(said)


def test_thirty_segments_are_enough() -> None:
    assert evidence_note(30) is None


@pytest.mark.parametrize("p_values", [[-1.0, 0.2], [0.01, 2.0, None]])
def test_what_is_no_probability_is_not_corrected(p_values: list[float | None]) -> None:
    with pytest.raises(OptionError, match="a p-value lies between 0 and 1, or is None"):
        holm(p_values)


# Sample sizes: the formula, and what it cannot be asked.


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        # 2 (1.959964 + 0.841621)^2 = 15.697770 for one comparison at 5% and 80% power.
        ({"deviation": 1.0, "difference": 1.0}, 16),
        ({"deviation": 0.3, "difference": 0.1}, 142),
        # z_(1 - 0.05 / 12) = 2.638257 for six comparisons; 2 (2.638257 + 1.281552)^2 = 30.729...
        ({"deviation": 1.0, "difference": -1.0, "comparisons": 6, "power": 0.9}, 31),
        ({"deviation": 1.0, "difference": 1.0, "level": 0.01}, 24),
    ],
)
def test_the_formula_of_section_13_6(options: dict[str, float], expected: int) -> None:
    assert sample_size(**options) == expected  # type: ignore[arg-type]


def test_more_power_and_more_comparisons_need_more() -> None:
    sizes = [sample_size(deviation=1.0, difference=0.2, power=power) for power in (0.5, 0.8, 0.95)]
    assert sizes == sorted(set(sizes))
    assert sample_size(deviation=1.0, difference=0.2, comparisons=10) > sizes[1]


@pytest.mark.parametrize(
    "wrong",
    [
        {"difference": 0.0},
        {"deviation": 0.0},
        {"deviation": float("nan")},
        {"level": 0.0},
        {"power": 1.0},
        {"comparisons": 0},
    ],
)
def test_what_has_no_answer_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(OptionError):
        sample_size(**{"deviation": 1.0, "difference": 1.0, **wrong})  # type: ignore[arg-type]


# Student's t distribution, against printed tables and its symmetries.


@pytest.mark.parametrize(
    ("t", "freedom", "p"),
    [
        (12.706204736, 1, 0.05),
        (2.570581836, 5, 0.05),
        (3.169272673, 10, 0.01),
        (1.96233908083, 1000, 0.05),
        (1.0, 1, 0.5),
    ],
)
def test_printed_quantiles_have_their_probability(t: float, freedom: float, p: float) -> None:
    assert two_sided_p(t, freedom) == pytest.approx(p, abs=1e-9)
    assert two_sided_p(-t, freedom) == pytest.approx(p, abs=1e-9)


def test_no_difference_is_certain_to_be_reached() -> None:
    assert two_sided_p(0.0, 7) == 1.0


@pytest.mark.parametrize("x", [0.0, 0.2, 0.5, 0.9, 1.0])
def test_the_incomplete_beta_function_is_known_where_it_is_a_power(x: float) -> None:
    assert incomplete_beta(3.0, 1.0, x) == pytest.approx(x**3)
    assert incomplete_beta(1.0, 4.0, x) == pytest.approx(1 - (1 - x) ** 4)


def test_a_correlation_of_two_pairs_proves_nothing() -> None:
    assert correlation_p(0.9, 2) is None
    assert correlation_p(1.0, 5) == 0.0
    assert correlation_p(0.878339, 5) == pytest.approx(0.05, abs=1e-6)


def test_freedom_is_positive() -> None:
    with pytest.raises(ValueError, match="freedom is 0; it must be positive"):
        two_sided_p(1.0, 0)

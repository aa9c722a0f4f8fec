"""Effects of participants in closed form: degenerate data, and how often the truth is where it is said to be."""

from collections.abc import Callable
from itertools import product
from math import inf

import numpy as np
import pytest
from numpy.typing import NDArray

from kilter.stats.participant_effect import anova_effects, least_squares, minimise, reml_effects
from kilter.stats.undefined import Undefined
from tests.oracles import mixed_model as oracle


def test_one_participant_differs_from_nobody() -> None:
    found = anova_effects(np.array([0.0, 0.5]), np.array([0, 0]), 1)
    assert found.participant_variance == Undefined(
        "differences between participants need two, not 1"
    )
    assert found.effects.tolist() == [0.0]


def test_one_judgment_each_leaves_nothing_to_compare_with() -> None:
    found = anova_effects(np.array([0.0, 0.5, 1.0]), np.array([0, 1, 2]), 3)
    assert found.residual_variance == Undefined("3 participants have one judgment each")
    assert found.effects.tolist() == [0.0] * 3


def test_constant_answers_have_no_effects() -> None:
    found = anova_effects(np.full(6, 0.25), np.array([0, 0, 1, 1, 2, 2]), 3)
    assert (found.participant_variance, found.residual_variance) == (0.0, 0.0)
    assert found.effects.tolist() == [0.0] * 3
    assert found.deviations.tolist() == [0.0] * 3


def test_a_constant_predictor_changes_nothing() -> None:
    scores, person = np.array([0.0, 0.5, 0.5, 1.0]), np.array([0, 0, 1, 1])
    plain = anova_effects(scores, person, 2)
    assert anova_effects(scores, person, 2, predictor=np.ones(4)).effects.tolist() == (
        plain.effects.tolist()
    )


def test_somebody_without_judgments_has_no_effect() -> None:
    found = anova_effects(np.array([0.0, 0.5, 0.5, 1.0]), np.array([0, 0, 2, 2]), 3)
    assert found.effects[1] == 0.0
    assert np.isnan(found.mean_residuals[1])


@pytest.mark.parametrize("predictor", [False, True])
def test_true_offsets_lie_in_their_95_percent_intervals_as_often_as_stated(
    *, predictor: bool
) -> None:
    # 400 studies of 36 participants: 14,400 intervals. Those of one study share the estimated mean and
    # variances, so that the bound is for the mean of studies: four standard errors either side.
    shares = []
    for seed in range(400):
        chance = np.random.default_rng(seed)
        offsets = 0.15 * chance.normal(size=36)
        person = np.repeat(np.arange(36), 50)
        x = chance.random(len(person))
        scores = 0.2 + 0.5 * x + offsets[person] + 0.2 * chance.normal(size=len(person))
        found = anova_effects(scores, person, 36, predictor=x if predictor else None)
        low, high = (found.effects + sign * 1.96 * found.deviations for sign in (-1, 1))
        shares.append(np.mean((low <= offsets) & (offsets <= high)))
    error = np.std(shares) / np.sqrt(len(shares))
    assert abs(np.mean(shares) - 0.95) < 4 * error
    assert error < 0.005


@pytest.mark.parametrize("seed", range(4))
def test_effects_of_an_unbalanced_design_are_those_of_its_definition(seed: int) -> None:
    chance = np.random.default_rng(seed)
    counts = [1, 2, 3, 7, 25]
    person = chance.permutation(np.repeat(np.arange(5), counts))
    scores = 0.5 + 0.3 * chance.normal(size=5)[person] + 0.1 * chance.normal(size=38)
    judged = [[float(s) for s, p in zip(scores, person, strict=True) if p == k] for k in range(5)]
    whole = sum(map(sum, judged)) / 38
    means = [sum(values) / len(values) for values in judged]
    within = sum((s - means[k]) ** 2 for k in range(5) for s in judged[k]) / (38 - 5)
    between = sum(n * (mean - whole) ** 2 for n, mean in zip(counts, means, strict=True)) / (5 - 1)
    n0 = (38 - sum(n * n for n in counts) / 38) / (5 - 1)
    variance = max(0.0, (between - within) / n0)
    found = anova_effects(scores, person, 5)
    assert found.residual_variance == pytest.approx(within)
    assert found.participant_variance == pytest.approx(variance)
    assert variance > 0
    shares = [n * variance / (n * variance + within) for n in counts]
    offsets = [share * (mean - whole) for share, mean in zip(shares, means, strict=True)]
    assert found.effects == pytest.approx(offsets)
    # What is open of a drawn effect, and that of the mean from which it is counted.
    of_mean = 1 / sum(n / (n * variance + within) for n in counts)
    errors = [(variance * (1 - share) + share**2 * of_mean) ** 0.5 for share in shares]
    assert found.deviations == pytest.approx(errors)


def test_somebody_without_judgments_changes_no_variance() -> None:
    scores, person = np.array([0.1, 0.4, 0.3, 0.9, 0.8]), np.array([0, 0, 1, 1, 1])
    plain, padded = anova_effects(scores, person, 2), anova_effects(scores, 2 * person, 4)
    assert padded.participant_variance == plain.participant_variance
    assert padded.residual_variance == plain.residual_variance
    assert padded.effects[[0, 2]].tolist() == plain.effects.tolist()


def test_without_a_predictor_that_varies_the_line_is_flat() -> None:
    y = np.array([1.0, 2.0, 6.0])
    assert least_squares(y, None) == (3.0, 0.0)
    assert least_squares(y, np.array([5.0, 5.0, 5.0])) == (3.0, 0.0)


def test_the_line_of_least_squares_goes_through_the_means() -> None:
    x, y = np.array([1.0, 2.0, 4.0, 9.0]), np.array([2.0, 3.0, 3.5, 8.0])
    intercept, slope = least_squares(y, x)
    residuals = y - intercept - slope * x
    assert residuals.sum() == pytest.approx(0.0, abs=1e-12)
    assert residuals @ x == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_reml_names_the_variances_of_an_unbalanced_design_as_what_they_are(seed: int) -> None:
    chance = np.random.default_rng(seed)
    # Busy and idle people, famous and rare sentences.
    share = np.linspace(0.15, 1.0, 8)[:, np.newaxis] * np.linspace(1.0, 0.2, 15)
    pairs = np.argwhere(chance.random((8, 15)) < share)
    person, sentence = pairs[:, 0], pairs[:, 1]
    scores = (
        0.15 * chance.normal(size=8)[person]
        + 0.6 * chance.normal(size=15)[sentence]
        + 0.3 * chance.normal(size=len(pairs))
    )
    found = reml_effects(scores, person, sentence, levels=(8, 15))
    assert isinstance(found.participant_variance, float)
    assert isinstance(found.sentence_variance, float)
    assert isinstance(found.residual_variance, float)
    variances = (found.participant_variance, found.sentence_variance, found.residual_variance)
    design = np.ones((len(pairs), 1))

    def criterion(given: tuple[float, float, float]) -> float:
        spread = oracle.covariance(person, sentence, given)
        return oracle.restricted_criterion(scores, design, spread)

    least = criterion(variances)
    a, b, c = variances
    for f, g, h in product((0.5, 0.97, 1.0, 1.03, 2.0), repeat=3):
        assert criterion((f * a, g * b, h * c)) >= least - 1e-9
    spread = oracle.covariance(person, sentence, variances)
    assert found.intercept == pytest.approx(oracle.fixed_effects(scores, design, spread)[0])
    effects, deviations = oracle.predictions(
        scores, design, spread, person, 8, found.participant_variance
    )
    assert found.effects == pytest.approx(effects, abs=1e-8)
    assert found.deviations == pytest.approx(deviations, abs=1e-6)


# Minima without derivatives: of bowls, valleys and corners, and of what is infinite nearby.


Floats = NDArray[np.float64]


def valley(x: Floats) -> float:
    """Return a function whose minimum lies at (1, 1) in a narrow, bent valley. H. Rosenbrock (1960)"""
    return float((1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2)


def corner(x: Floats) -> float:
    return float(abs(x[0] - 0.3) + 2 * abs(x[1] + 0.1))


def walled(x: Floats) -> float:
    return inf if x[0] <= 0 else float(x[0] - np.log(x[0]))


@pytest.mark.parametrize(
    ("function", "start", "place"),
    [
        (valley, (-1.2, 1.0), (1.0, 1.0)),
        (valley, (0.0, 0.0), (1.0, 1.0)),
        (corner, (5.0, 5.0), (0.3, -0.1)),
        (walled, (0.01,), (1.0,)),
        (lambda x: float(x[0] ** 4), (3.0,), (0.0,)),
    ],
)
def test_the_minimum_is_found(
    function: Callable[[Floats], float], start: tuple[float, ...], place: tuple[float, ...]
) -> None:
    found, value = minimise(function, start)
    assert found == pytest.approx(place, abs=1e-2 if len(place) == 1 else 1e-5)
    assert value == pytest.approx(function(np.array(place)), abs=1e-7)
    assert value == function(np.array(found))


def test_a_minimum_is_left_where_it_is() -> None:
    found, value = minimise(valley, (1.0, 1.0))
    assert found == pytest.approx((1.0, 1.0), abs=1e-6)
    assert value == pytest.approx(0.0, abs=1e-12)


def test_a_search_takes_few_steps_where_there_is_a_bowl() -> None:
    asked = []

    def bowl(x: Floats) -> float:
        asked.append(1)
        return float(((x - 3.0) ** 2).sum())

    minimise(bowl, (0.0, 0.0))
    assert len(asked) < 400


@pytest.mark.parametrize(
    ("function", "asked"),
    [
        # On one line the simplex has two ends. Where the function falls on, its worse end is reflected,
        # found best, and goes twice as far; then the same again from there.
        (lambda x: float(-x[0]) if x[0] < 1 else float(x[0]), (0.0, 0.1, 0.2, 0.3, 0.5, 0.7)),
        # A reflected end that is better than the worse end only goes half as far,
        (lambda x: abs(float(x[0]) - 0.12), (0.0, 0.1, 0.2, 0.15)),
        # and one that is no better than it stays on its side.
        (lambda x: abs(float(x[0]) - 0.08), (0.0, 0.1, 0.2, 0.05)),
    ],
)
def test_steps_are_those_of_nelder_and_mead(
    function: Callable[[Floats], float], asked: tuple[float, ...]
) -> None:
    found: list[float] = []

    def watched(x: Floats) -> float:
        found.append(float(x[0]))
        return function(x)

    minimise(watched, (0.0,))
    assert found[: len(asked)] == pytest.approx(asked)


def test_between_better_and_worse_corners_the_reflected_one_is_taken() -> None:
    found: list[tuple[float, ...]] = []

    def slope(x: Floats) -> float:
        """Return a function that falls along the first number, and slowly along the second."""
        found.append(tuple(x.tolist()))
        return float(abs(x[0] - 0.1) + 0.1 * abs(x[1] - 1.0))

    minimise(slope, (0.0, 0.0))
    # Corners (0, 0), (0.1, 0), (0, 0.1), worth 0.2, 0.1 and 0.19: the first is reflected to (0.1, 0.1), the
    # best of all, and further, to (0.15, 0.15), which is worse.
    assert found[3:5] == [pytest.approx((0.1, 0.1)), pytest.approx((0.15, 0.15))]
    # Now (0, 0.1), the worst, is reflected about (0.1, 0.05) to (0.2, 0), worth 0.2: it stays on its side.
    assert found[5:7] == [pytest.approx((0.2, 0.0)), pytest.approx((0.05, 0.075))]

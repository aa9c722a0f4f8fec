"""Effects of participants in closed form: degenerate data, and how often the truth is where it is said to be."""

import numpy as np
import pytest

from kilter.meta.participant_effect import anova_effects
from kilter.structures.undefined import Undefined


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

"""REML of crossed intercepts: a dense oracle, statsmodels, and where the closed form is the same."""

import warnings

import numpy as np
import pytest
from numpy.typing import NDArray

from kilter.stats.participant_effect import CrossedFit, anova_effects, crossed_intercepts
from tests.oracles import mixed_model as oracle
from tests.thorough import some

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def simulated(
    seed: int, *, people: int, sentences: int, share: float, deviations: tuple[float, float, float]
) -> tuple[Floats, Ints, Ints, Floats]:
    """Return scores, participants, sentences and a predictor; each pair is judged with a probability."""
    chance = np.random.default_rng(seed)
    pairs = np.argwhere(chance.random((people, sentences)) < share)
    person, sentence = pairs[:, 0], pairs[:, 1]
    predictor = chance.random(sentences)[sentence]
    scores = (
        0.3
        + 0.4 * predictor
        + deviations[0] * chance.normal(size=people)[person]
        + deviations[1] * chance.normal(size=sentences)[sentence]
        + deviations[2] * chance.normal(size=len(pairs))
    )
    return scores, person, sentence, predictor


def fit(
    scores: Floats, person: Ints, sentence: Ints, design: Floats, *, people: int, sentences: int
) -> CrossedFit:
    return crossed_intercepts(scores, person, sentence, design=design, levels=(people, sentences))


@pytest.mark.parametrize("share", [0.8, 0.35])
@pytest.mark.parametrize("shape", [(6, 15), (15, 6), (9, 9)])
@pytest.mark.parametrize("seed", range(4))
def test_the_fit_is_the_optimum_of_the_dense_criterion(
    shape: tuple[int, int], seed: int, share: float
) -> None:
    people, sentences = shape
    scores, person, sentence, predictor = simulated(
        seed, people=people, sentences=sentences, share=share, deviations=(0.2, 0.15, 0.2)
    )
    design = np.column_stack([np.ones(len(scores)), predictor])
    found = fit(scores, person, sentence, design, people=people, sentences=sentences)
    variances = (found.first.variance, found.second.variance, found.residual_variance)
    spread = oracle.covariance(person, sentence, variances)
    least = oracle.restricted_criterion(scores, design, spread)
    assert found.criterion == pytest.approx(least, abs=1e-8)
    for place in range(3):
        for step in (1e-3, -1e-3):
            moved = list(variances)
            moved[place] = max(0.0, moved[place] + step * (moved[place] + 1e-3))
            other = oracle.covariance(person, sentence, (moved[0], moved[1], moved[2]))
            assert oracle.restricted_criterion(scores, design, other) >= least - 1e-9
    fixed = oracle.fixed_effects(scores, design, spread)
    assert found.fixed == pytest.approx(fixed, abs=1e-9)
    for part, level, levels in ((found.first, person, people), (found.second, sentence, sentences)):
        effects, deviations = oracle.predictions(
            scores, design, spread, level, levels, part.variance
        )
        assert part.effects == pytest.approx(effects, abs=1e-9)
        assert part.deviations == pytest.approx(deviations, abs=1e-7)


@pytest.mark.parametrize("seed", some(range(3), quick=[0]))
def test_variances_and_effects_are_those_of_statsmodels(seed: int) -> None:
    pd = pytest.importorskip("pandas")
    formula = pytest.importorskip(
        "statsmodels.formula.api", reason="statsmodels is not installed: pip install statsmodels"
    )
    scores, person, sentence, predictor = simulated(
        seed, people=8, sentences=12, share=0.85, deviations=(0.25, 0.2, 0.2)
    )
    design = np.column_stack([np.ones(len(scores)), predictor])
    found = fit(scores, person, sentence, design, people=8, sentences=12)
    table = pd.DataFrame({"y": scores, "x": predictor, "p": person, "s": sentence})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of its own optimiser's steps
        model = formula.mixedlm(
            "y ~ x",
            table,
            groups=np.ones(len(table)),
            re_formula="0",
            vc_formula={"p": "0 + C(p)", "s": "0 + C(s)"},
        )
        theirs = model.fit(reml=True, method=["powell", "lbfgs"])
        effects = theirs.random_effects[1.0]
    assert found.criterion == pytest.approx(-2.0 * theirs.llf, abs=1e-4)
    assert (found.first.variance, found.second.variance) == pytest.approx(theirs.vcomp, abs=2e-4)
    assert found.residual_variance == pytest.approx(theirs.scale, abs=2e-4)
    assert found.fixed == pytest.approx(theirs.fe_params.to_numpy(), abs=1e-3)
    expected = [effects[f"p[C(p)[{number}]]"] for number in range(8)]
    assert found.first.effects == pytest.approx(expected, abs=2e-3)


@pytest.mark.parametrize("seed", range(5))
def test_reml_is_the_closed_form_where_every_sentence_is_judged_once_by_equally_busy_people(
    seed: int,
) -> None:
    chance = np.random.default_rng(seed)
    person = np.repeat(np.arange(12), 20)
    scores = 0.5 + 0.3 * chance.normal(size=12)[person] + 0.2 * chance.normal(size=240)
    closed = anova_effects(scores, person, 12)
    found = fit(scores, person, np.arange(240), np.ones((240, 1)), people=12, sentences=240)
    assert found.second.variance == 0.0
    assert found.first.variance == pytest.approx(closed.participant_variance, rel=1e-6)
    assert found.residual_variance == pytest.approx(closed.residual_variance, rel=1e-6)
    assert found.first.effects == pytest.approx(closed.effects, abs=1e-7)
    assert found.first.deviations == pytest.approx(closed.deviations, abs=1e-7)


def test_a_variance_that_the_data_deny_is_exactly_zero() -> None:
    # Every participant has the same mean: they differ less than chance would make them.
    person, sentence = np.repeat(np.arange(4), 6), np.tile(np.arange(6), 4)
    scores = np.tile([0.0, 0.2, 0.4, 0.6, 0.8, 1.0], 4) + np.tile(
        [0.01, -0.01] * 3 + [-0.01, 0.01] * 3, 2
    )
    found = fit(scores, person, sentence, np.ones((24, 1)), people=4, sentences=6)
    assert found.first.variance == 0.0
    assert found.first.effects.tolist() == [0.0] * 4
    assert found.second.variance > 0.1


def test_the_larger_factor_may_stand_first() -> None:
    scores, person, sentence, _ = simulated(
        1, people=5, sentences=14, share=0.9, deviations=(0.2, 0.2, 0.1)
    )
    design = np.ones((len(scores), 1))
    found = fit(scores, person, sentence, design, people=5, sentences=14)
    turned = fit(scores, sentence, person, design, people=14, sentences=5)
    assert turned.second.effects == pytest.approx(found.first.effects, abs=1e-8)
    assert turned.first.deviations == pytest.approx(found.second.deviations, abs=1e-8)

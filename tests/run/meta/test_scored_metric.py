"""One metric's numbers: direction, system scores, resampled ones, scores that differ by rounding."""

import numpy as np
import pytest

from kilter.run.meta.scored_metric import ScoredMetric, mean_score
from kilter.stats.resampling import Resampling, bootstrap_indices

SCORES = np.array([[0.25, 0.5, np.nan], [1.0, np.nan, np.nan], [np.nan, np.nan, np.nan]])


@pytest.mark.parametrize(
    ("lower", "signature"), [(False, "ter|external"), (True, "ter|external|better:lower")]
)
def test_less_is_turned_round_and_said(*, lower: bool, signature: str) -> None:
    found = ScoredMetric.external("ter", SCORES, lower_is_better=lower)
    assert found.signature == signature
    sign = -1.0 if lower else 1.0
    assert np.array_equal(found.scores, sign * SCORES, equal_nan=True)
    assert found.system_scores()[:2] == pytest.approx([sign * 0.375, sign * 1.0])
    assert np.isnan(found.system_scores()[2])


def test_resampled_system_scores_are_means_of_what_is_drawn() -> None:
    scores = np.random.default_rng(1).random((3, 10))
    scores[2, 4] = np.nan
    drawn = Resampling(resamples=15, seed=3)
    chosen = np.array([2, 0])
    found = ScoredMetric.external("m", scores).resampled_system_scores(drawn, chosen)
    for column, draw in enumerate(bootstrap_indices(10, resamples=15, seed=3)):
        for row, system in enumerate(chosen):
            assert found[row, column] == pytest.approx(np.nanmean(scores[system, draw]), abs=1e-9)


@pytest.mark.parametrize("scale", [1.0, 1e-6, 1e6])
def test_system_scores_that_differ_by_rounding_are_equal(scale: float) -> None:
    # The same four numbers in another order and grouping, and one that is really larger.
    rows = scale * np.array(
        [[0.1, 0.2, 0.3, 0.4], [0.25, 0.25, 0.25, 0.25], [0.1, 0.2, 0.3, 0.400001]]
    )
    first, second, third = ScoredMetric.external("m", rows).system_scores()
    assert first == second
    assert third > first


def test_nothing_has_no_mean() -> None:
    found = mean_score(np.array([[3.0, 4.0], [0.0, 0.0]]))
    assert found[0] == 0.75
    assert np.isnan(found[1])

"""Correlations of segment scores, against plain loops over drawn segments."""

from math import isnan, nan

import numpy as np
import pytest
from numpy.typing import NDArray

from kilter.run.meta.segment_correlation import Coefficient, Grouping, segment_correlation
from kilter.stats.resampling import Resampling, bootstrap_indices
from kilter.stats.significance import correlation_p
from tests.oracles import meta as oracle
from tests.tolerance import close

DRAWN = Resampling(resamples=8, seed=3)


def matrices(seed: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return scores of four systems on nine segments with few different values, ties and gaps."""
    chance = np.random.default_rng(seed)
    human = chance.integers(0, 4, (4, 9)) / 4
    metric = chance.integers(0, 5, (4, 9)) / 5
    human[chance.random(human.shape) < 0.2] = nan
    metric[chance.random(metric.shape) < 0.1] = nan
    return human, metric


def expected(
    human: NDArray[np.float64], metric: NDArray[np.float64], coefficient: str, grouping: str
) -> float:
    correlate = oracle.pearson if coefficient == "pearson" else oracle.spearman
    groups = oracle.segment_groups(human.tolist(), metric.tolist(), grouping)
    values = [value for x, y in groups if not isnan(value := correlate(x, y))]
    return sum(values) / len(values) if values else nan


@pytest.mark.parametrize("grouping", list(Grouping))
@pytest.mark.parametrize("coefficient", list(Coefficient))
@pytest.mark.parametrize("seed", range(6))
def test_values_and_resamples_are_those_of_the_oracle(
    seed: int, coefficient: Coefficient, grouping: Grouping
) -> None:
    human, metric = matrices(seed)
    found = segment_correlation(
        human, metric, coefficient=coefficient, grouping=grouping, resampling=DRAWN
    )
    assert found.value == close(expected(human, metric, coefficient, grouping), nan_ok=True)
    for resample, drawn in enumerate(bootstrap_indices(9, resamples=8, seed=3)):
        again = expected(human[:, drawn], metric[:, drawn], coefficient, grouping)
        assert found.resampled[resample] == close(again, nan_ok=True)
    assert found.scores == np.count_nonzero(~np.isnan(human) & ~np.isnan(metric))


def test_undefined_groups_are_left_out_and_counted() -> None:
    human = np.array([[0.0, 0.5], [1.0, 0.5]])
    metric = np.array([[0.25, 0.5], [0.75, 1.0]])
    found = segment_correlation(
        human, metric, coefficient=Coefficient.PEARSON, grouping=Grouping.ITEM, resampling=DRAWN
    )
    assert (found.value, found.groups, found.undefined) == (1.0, 1, 1)
    assert found.counts() == {"scores": 4, "groups": 1, "undefined_groups": 1}


def test_only_a_pooled_correlation_has_a_p_value() -> None:
    human, metric = matrices(1)
    pooled, item = (
        segment_correlation(
            human, metric, coefficient=Coefficient.PEARSON, grouping=grouping, resampling=DRAWN
        )
        for grouping in (Grouping.POOLED, Grouping.ITEM)
    )
    assert pooled.p == correlation_p(pooled.value, pooled.scores)
    assert item.p is None


@pytest.mark.parametrize("coefficient", list(Coefficient))
def test_nothing_in_common_is_undefined(coefficient: Coefficient) -> None:
    gap = np.full((2, 3), nan)
    found = segment_correlation(
        gap, np.ones((2, 3)), coefficient=coefficient, grouping=Grouping.POOLED, resampling=DRAWN
    )
    assert isnan(found.value)
    assert np.isnan(found.resampled).all()


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_the_number_of_threads_changes_nothing(jobs: int) -> None:
    human, metric = matrices(2)
    one, several = (
        segment_correlation(
            human,
            metric,
            coefficient=Coefficient.SPEARMAN,
            grouping=Grouping.POOLED,
            resampling=Resampling(resamples=50, jobs=count),
        )
        for count in (1, jobs)
    )
    assert np.array_equal(one.resampled, several.resampled, equal_nan=True)

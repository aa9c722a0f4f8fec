"""Tuning: no search beats the exact optimum, and no weight that was tried."""

from math import isnan, nan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from kilter.errors import OptionError
from kilter.meta.tuning import (
    Objective,
    PairObjective,
    best_of,
    exact_alpha,
    folds,
    grid_points,
    hill_climb,
    interpolated_consistency,
)
from tests.meta.studies import random_judgments, random_metric
from tests.oracles import meta as oracle
from tests.tolerance import close

STEP = st.integers(-6, 6).map(lambda step: step / 6)
ROWS = st.lists(st.tuples(STEP, STEP, st.sampled_from([-1, 0, 1])), min_size=1, max_size=15)


def arrays(
    rows: list[tuple[float, float, int]],
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int8]]:
    order, lexical, outcome = zip(*rows, strict=True)
    return np.array(order), np.array(lexical), np.array(outcome, dtype=np.int8)


def by_oracle(rows: list[tuple[float, float, int]], alpha: float) -> float:
    """Return the consistency of pairs whose second item scores 0."""
    pairs = [
        (1.0, 1.0 + side, alpha * order + (1 - alpha) * lexical, 0.0)
        for order, lexical, side in rows
    ]
    return oracle.consistency(pairs)


@settings(deadline=None)
@given(rows=ROWS)
def test_no_weight_is_better_than_the_exact_one(rows: list[tuple[float, float, int]]) -> None:
    best = exact_alpha(*arrays(rows))
    if all(side == 0 for _, _, side in rows):
        assert isnan(best.value)
        return
    assert best.low <= best.alpha <= best.high
    assert interpolated_consistency(*arrays(rows), best.alpha) == close(best.value)
    # Weights between all break points of these twelfths, up to rounding at the points themselves.
    tried = [by_oracle(rows, step / 997) for step in range(998)]
    assert max(tried) <= best.value + 1e-9
    climbed = hill_climb(
        lambda point: interpolated_consistency(*arrays(rows), point[0]), [(0.0, 1.0)]
    )
    assert climbed.value <= best.value + 1e-9


def test_at_the_ends_only_one_part_counts() -> None:
    rows = [(1.0, -1.0, 1), (1.0, -1.0, 1), (-1.0, 1.0, 1)]
    assert interpolated_consistency(*arrays(rows), 1.0) == close(200 / 3)
    assert interpolated_consistency(*arrays(rows), 0.0) == close(100 / 3)


def test_climbing_finds_the_top_of_a_hill_in_two_dimensions() -> None:
    found = hill_climb(
        lambda point: -abs(point[0] - 0.3) - abs(point[1] - 4.0), [(0.0, 1.0), (2.0, 6.0)]
    )
    assert list(found.point) == pytest.approx([0.3, 4.0], abs=0.008)


def test_of_equally_good_results_the_smallest_is_kept() -> None:
    found = hill_climb(lambda _: 1.0, [(0.0, 1.0)], restarts=20, seed=7)
    alone = [hill_climb(lambda _: 1.0, [(0.0, 1.0)], restarts=count, seed=7) for count in (1, 5)]
    assert found.point <= min(each.point for each in alone)


def test_an_undefined_value_is_worse_than_any_other() -> None:
    found = hill_climb(lambda point: nan if point[0] > 0.2 else -5.0, [(0.0, 1.0)])
    assert found.value == -5.0


def test_a_grid_has_both_ends() -> None:
    points = grid_points([(0.0, 1.0), (2.0, 4.0)], 2)
    assert len(points) == 9
    assert (points[0], points[-1]) == ((0.0, 2.0), (1.0, 4.0))
    assert best_of(points, lambda point: -abs(point[0] - point[1])).point == (1.0, 2.0)


def test_folds_share_out_the_segments_evenly() -> None:
    found = folds(23, 5, seed=3)
    assert sorted(np.bincount(found).tolist()) == [4, 4, 5, 5, 5]
    assert found.tolist() == folds(23, 5, seed=3).tolist() != folds(23, 5, seed=4).tolist()


@pytest.mark.parametrize("count", [1, 24])
def test_folds_need_segments(count: int) -> None:
    with pytest.raises(OptionError, match="it must lie between 2 and 23"):
        folds(23, count)


@pytest.mark.parametrize("objective", list(Objective))
def test_an_objective_is_that_of_its_segments(objective: Objective) -> None:
    judgments, metric = random_judgments(3), random_metric("m", 4)
    made = PairObjective.of(judgments.pairs, 12, lambda _: metric.scores, objective=objective)
    rows = np.arange(12) % 2 == 0
    pairs = []
    for segment, a, b, outcome in zip(
        judgments.pairs.segment,
        judgments.pairs.first,
        judgments.pairs.second,
        judgments.pairs.outcome,
        strict=True,
    ):
        if rows[segment]:
            scores = float(metric.scores[a, segment]), float(metric.scores[b, segment])
            pairs.append((0.0, float(outcome), *scores))
    expected = oracle.consistency(pairs) if objective == "consistency" else oracle.tau(pairs)
    assert made.value((0.5,), rows) == close(expected)


@pytest.mark.parametrize(("name", "call"), [
    ("restarts", lambda: hill_climb(lambda _: 0.0, [(0.0, 1.0)], restarts=0)),
    ("steps", lambda: grid_points([(0.0, 1.0)], 0)),
])  # fmt: skip
def test_senseless_settings_are_refused(name: str, call: object) -> None:
    assert callable(call)
    with pytest.raises(OptionError, match=f"{name} is 0; it must be at least 1"):
        call()

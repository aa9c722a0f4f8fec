"""Tuning: no search beats the exact optimum, and no weight that was tried."""

from collections.abc import Callable
from math import isnan, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from kilter.core.errors import OptionError
from kilter.run.meta import tuning
from kilter.run.meta.tuning import (
    Objective,
    PairObjective,
    best_of,
    check_grid,
    exact_alpha,
    folds,
    grid_points,
    hill_climb,
)
from tests.oracles import meta as oracle
from tests.run.meta.samples import judged, random_judgments, random_metric
from tests.tolerance import close

STEP = st.integers(-6, 6).map(lambda step: step / 8)
ROWS = st.lists(st.tuples(STEP, STEP, st.sampled_from([-1, 0, 1])), min_size=1, max_size=15)


def arrays(
    rows: list[tuple[float, float, int]],
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int8]]:
    order, lexical, outcome = zip(*rows, strict=True)
    return np.array(order), np.array(lexical), np.array(outcome, dtype=np.int8)


MEASURES = {Objective.CONSISTENCY: oracle.consistency, Objective.TAU: oracle.tau}


def objective_of(rows: list[tuple[float, float, int]], objective: Objective) -> PairObjective:
    """Return the objective over pairs of one segment each, the second of which scores 0."""
    judgments = judged([(k, 0, 1, side, k) for k, (*_, side) in enumerate(rows)], ("A", "B"))
    order, lexical, _ = arrays(rows)

    def scores(point: tuple[float, ...]) -> NDArray[np.float64]:
        (alpha,) = point
        return np.stack([alpha * order + (1 - alpha) * lexical, np.zeros(len(rows))])

    return PairObjective.of(judgments.pairs, len(rows), scores, objective=objective, tie=2.0**-38)


@given(rows=ROWS, objective=st.sampled_from(Objective))
def test_no_weight_is_better_than_the_exact_one(
    rows: list[tuple[float, float, int]], objective: Objective
) -> None:
    made = objective_of(rows, objective)
    best = exact_alpha(*arrays(rows), objective=objective, tie=made.tie)
    expected = oracle.best_weight(rows, MEASURES[objective])
    assert best.value == close(expected, nan_ok=True)
    if isnan(expected):
        return
    assert 0.0 <= best.low <= best.alpha <= best.high <= 1.0
    assert made.value((best.alpha,)) == close(best.value)
    climbed = hill_climb(made.value, [(0.0, 1.0)], restarts=5)
    assert isnan(climbed.value) or climbed.value <= best.value + 1e-9


def test_tau_can_be_best_at_a_single_point() -> None:
    # At 1/2 the second pair is tied, and tau leaves it out; everywhere else it is wrong somewhere.
    rows = [(1.0, 1.0, 1), (1.0, -1.0, 1), (-1.0, 1.0, 1)]
    made = objective_of(rows, Objective.TAU)
    best = exact_alpha(*arrays(rows), objective=Objective.TAU, tie=made.tie)
    assert (best.alpha, best.value) == (0.5, 1.0)
    assert best.high - best.low < 1e-9


def test_the_ends_of_the_range_are_points_too() -> None:
    rows = [(0.0, -1.0, 1), (1.0, 1.0, 1)]
    best = exact_alpha(*arrays(rows), objective=Objective.TAU, tie=2.0**-38)
    assert (best.alpha, best.value) == (1.0, 1.0)


def test_climbing_finds_the_top_of_a_hill_in_two_dimensions() -> None:
    found = hill_climb(
        lambda point: -abs(point[0] - 0.3) - abs(point[1] - 4.0), [(0.0, 1.0), (2.0, 6.0)]
    )
    assert list(found.point) == pytest.approx([0.3, 4.0], abs=0.008)


def test_of_equally_good_results_the_smallest_is_kept() -> None:
    found = hill_climb(lambda _: 1.0, [(0.0, 1.0)], restarts=20, seed=7)
    alone = [hill_climb(lambda _: 1.0, [(0.0, 1.0)], restarts=count, seed=7) for count in (1, 5)]
    assert found.point <= min(each.point for each in alone)


def visited(climb: Callable[[Callable[[tuple[float, ...]], float]], object]) -> list[object]:
    """Return the points of a plain at which a climb looks."""
    points: list[object] = []

    def height(point: tuple[float, ...]) -> float:
        points.append(point)
        return 0.0

    climb(height)
    return points


def test_climbing_is_that_of_the_specification_unless_another_is_asked_for() -> None:
    # Section 7.1: 20 restarts, a first step of 0.1, and an end below 0.001.
    bounds = [(0.0, 1.0)]
    spelled = visited(
        lambda plain: hill_climb(plain, bounds, restarts=20, seed=1, step=0.1, stop=0.001)
    )
    assert visited(lambda plain: hill_climb(plain, bounds)) == spelled


def test_an_undefined_value_is_worse_than_any_other() -> None:
    found = hill_climb(lambda point: nan if point[0] > 0.2 else -5.0, [(0.0, 1.0)])
    assert found.value == -5.0


def test_a_grid_has_both_ends() -> None:
    with_start = grid_points([(0.0, 1.0), (2.0, 4.0)], 1, start=(0.3, 5.0))
    assert with_start == [(0.0, 2.0), (0.0, 4.0), (0.3, 2.0), (0.3, 4.0), (1.0, 2.0), (1.0, 4.0)]
    # A value that is a point of the grid but for rounding stands there once, as it is.
    assert grid_points([(0.0, 0.9)], 3, start=(0.3,)) == [(0.0,), (0.3,), (0.6,), (0.9,)]
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


@pytest.mark.parametrize(("said", "call"), [
    ("restarts is 0; it must be from 1 to", lambda: hill_climb(lambda _: 0.0, [(0.0, 1.0)], restarts=0)),
    ("steps is 0; it must be at least 1", lambda: grid_points([(0.0, 1.0)], 0)),
])  # fmt: skip
def test_senseless_settings_are_refused(said: str, call: object) -> None:
    assert callable(call)
    with pytest.raises(OptionError, match=said):
        call()


def test_of_equally_good_points_of_a_grid_the_first_is_kept() -> None:
    worth = {0.0: 1.0, 0.25: 2.0, 0.5: nan, 0.75: 2.0, 1.0: 0.0}
    found = best_of(grid_points([(0.0, 1.0)], 4), lambda point: worth[point[0]])
    assert (found.point, found.value) == ((0.25,), 2.0)


def test_as_many_segments_in_each_fold_as_possible() -> None:
    for segments, count in ((7, 3), (12, 4), (5, 5)):
        found = folds(segments, count, seed=3).tolist()
        sizes = [found.count(number) for number in range(count)]
        assert sum(sizes) == segments
        assert max(sizes) - min(sizes) <= 1
    assert folds(30, 3, seed=1).tolist() != folds(30, 3, seed=2).tolist()


def test_few_points_are_kept_and_forgotten_ones_are_worth_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tuning, "_MOST_KEPT", 3)
    rows = [(1.0, -1.0, 1), (0.5, 0.25, -1), (-0.5, 0.75, 1)]
    made = objective_of(rows, Objective.CONSISTENCY)
    points = [(k / 10,) for k in range(11)]
    first = [made.value(point) for point in points]
    assert len(made._kept) <= 3
    assert [made.value(point) for point in points] == first


@pytest.mark.parametrize(
    ("steps", "options", "most"),
    [(10**9, 1, 999_999), (10**400, 2, 999), (100, 3, 99), (32, 4, 30)],
)
def test_a_grid_that_nobody_can_wait_for_is_refused(steps: int, options: int, most: int) -> None:
    with pytest.raises(OptionError, match=rf"at most 1000000 points, which are {most} steps"):
        check_grid(steps, options)
    check_grid(most, options)


def test_more_climbs_than_anybody_can_wait_for_are_refused() -> None:
    with pytest.raises(OptionError, match="it must be from 1 to 10000"):
        hill_climb(lambda _: 0.0, [(0.0, 1.0)], restarts=10**9)

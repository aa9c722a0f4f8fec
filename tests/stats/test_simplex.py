"""Minima without derivatives: of bowls, valleys and corners, and of what is infinite nearby."""

from collections.abc import Callable
from math import inf

import numpy as np
import pytest
from numpy.typing import NDArray

from kilter.stats.participant_effect import minimise

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

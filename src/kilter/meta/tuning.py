"""Parameters that agree best with people: exact, by hill climbing, on a grid. [LR] section 4, section 7.1"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import isnan, nan
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kilter.errors import OptionError
from kilter.meta.pairwise import TieRule, consistency, count_pairs, pair_kinds, preferences, tau
from kilter.structures.choice import Choice

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from kilter.structures.judgments import JudgedPairs

    Floats = NDArray[np.float64]
    Point = tuple[float, ...]
    Bounds = Sequence[tuple[float, float]]

RESTARTS = 20
STEP = 0.1
STOP = 0.001
_MOST_KEPT = 2000


class Objective(Choice):
    """What is to be highest."""

    CONSISTENCY = "consistency"
    TAU = "tau"


class ExactAlpha(NamedTuple):
    """The middle of the first interval of weights with the highest consistency, and its ends."""

    alpha: float
    value: float
    low: float
    high: float


class Optimum(NamedTuple):
    """The best point that was found and what it is worth; NaN without a pair."""

    point: Point
    value: float


def interpolated_consistency(
    order: Floats, lexical: Floats, outcome: NDArray[np.int8], alpha: float
) -> float:
    """Return the consistency of alpha * order + (1 - alpha) * lexical, differences of judged pairs.

    Ties of the metric are not consistent; those of people do not count.
    """
    decided = outcome != 0
    if not decided.any():
        return nan
    # Both parts are turned so that positive is right, as the break points below are computed.
    side = outcome[decided]
    score = alpha * (order[decided] * side) + (1.0 - alpha) * (lexical[decided] * side)
    return 100.0 * np.count_nonzero(score > 0) / int(decided.sum())


def exact_alpha(order: Floats, lexical: Floats, outcome: NDArray[np.int8]) -> ExactAlpha:
    """Return the best weight in [0, 1] of alpha * order + (1 - alpha) * lexical, by consistency.

    A pair changes sides where alpha = dl / (dl - dr). Between two such points consistency does not change,
    and on them pairs are tied, so that the best interval is open and its middle is returned.

    >>> import numpy as np
    >>> exact_alpha(np.array([1.0, -1.0]), np.array([-1.0, 3.0]), np.array([1, 1], dtype=np.int8))
    ExactAlpha(alpha=0.625, value=100.0, low=0.5, high=0.75)
    """
    decided = (outcome != 0) & ~np.isnan(order) & ~np.isnan(lexical)
    if not decided.any():
        return ExactAlpha(nan, nan, nan, nan)
    side = outcome[decided]
    at_one, at_zero = order[decided] * side, lexical[decided] * side
    always = (at_zero > 0) & (at_one > 0)
    until, after = (at_zero > 0) & (at_one <= 0), (at_zero <= 0) & (at_one > 0)
    turning = until | after
    points = at_zero[turning] / (at_zero[turning] - at_one[turning])
    edges, place = np.unique(np.concatenate([[0.0, 1.0], points]), return_inverse=True)
    place = place.ravel()[2:]
    # Right in the intervals before the turning point, or after it.
    change = np.zeros(len(edges))
    change += np.bincount(place[after[turning]], minlength=len(edges))
    change -= np.bincount(place[until[turning]], minlength=len(edges))
    right = always.sum() + until.sum() + np.cumsum(change)[:-1]
    best = int(np.argmax(right))
    low, high = float(edges[best]), float(edges[best + 1])
    value = 100.0 * float(right[best]) / int(decided.sum())
    return ExactAlpha((low + high) / 2.0, value, low, high)


def hill_climb(
    evaluate: Callable[[Point], float],
    bounds: Bounds,
    *,
    restarts: int = RESTARTS,
    seed: int = 1,
    step: float = STEP,
    stop: float = STOP,
) -> Optimum:
    """Return the best of several climbs from random points.

    A step is a share of each option's range. The best of all single steps is taken if it improves
    strictly, else the step is halved, until it is below `stop`. Of equally good results the smallest point
    is kept. NaN is worse than anything.
    """
    if restarts < 1:
        raise OptionError(f"restarts is {restarts}; it must be at least 1")
    chance = Random(seed)  # noqa: S311 - a search, not a secret
    best: Optimum | None = None
    for _ in range(restarts):
        start = tuple(low + (high - low) * chance.random() for low, high in bounds)
        found = _climb(evaluate, start, bounds, step, stop)
        if best is None or _order(found) > _order(best):
            best = found
    assert best is not None  # noqa: S101 - there is at least one restart
    return best


def _climb(
    evaluate: Callable[[Point], float], start: Point, bounds: Bounds, step: float, stop: float
) -> Optimum:
    here = Optimum(start, evaluate(start))
    while step >= stop:
        around = [
            Optimum(point, evaluate(point)) for point in _neighbours(here.point, bounds, step)
        ]
        best = max(around, key=_order, default=here)
        if _worth(best) > _worth(here):
            here = best
        else:
            step /= 2.0
    return here


def _neighbours(point: Point, bounds: Bounds, step: float) -> Iterable[Point]:
    for place, (low, high) in enumerate(bounds):
        for move in (-step, step):
            moved = min(max(point[place] + move * (high - low), low), high)
            if moved != point[place]:
                yield (*point[:place], moved, *point[place + 1 :])


def _worth(found: Optimum) -> float:
    return float("-inf") if isnan(found.value) else found.value


def _order(found: Optimum) -> tuple[float, list[float]]:
    return _worth(found), [-value for value in found.point]


def grid_points(bounds: Bounds, steps: int) -> list[Point]:
    """Return every point of a grid with so many steps along each option, both ends included.

    >>> grid_points([(0.0, 1.0)], 4)
    [(0.0,), (0.25,), (0.5,), (0.75,), (1.0,)]
    """
    if steps < 1:
        raise OptionError(f"steps is {steps}; it must be at least 1")
    lines = [
        [low + (high - low) * step / steps for step in range(steps + 1)] for low, high in bounds
    ]
    return list(product(*lines))


def best_of(points: Sequence[Point], evaluate: Callable[[Point], float]) -> Optimum:
    """Return the best of some points; of equally good ones the first."""
    found = [Optimum(point, evaluate(point)) for point in points]
    return max(found, key=_worth)


def folds(segments: int, count: int, *, seed: int = 1) -> NDArray[np.int64]:
    """Return the fold of each segment: as many in each as possible, by chance."""
    if not 2 <= count <= segments:
        raise OptionError(f"folds is {count}; it must lie between 2 and {segments}, the segments")
    order = list(range(segments))
    Random(seed).shuffle(order)  # noqa: S311 - a split, not a secret
    found = np.empty(segments, dtype=np.int64)
    found[order] = np.arange(segments) % count
    return found


@dataclass(frozen=True, eq=False)
class PairObjective:
    """Agreement on judged pairs as a function of a point: counts by segment are kept, so that folds cost nothing."""

    pairs: JudgedPairs
    segments: int
    objective: Objective
    scores: Callable[[Point], Floats]
    """Systems x segments at a point, more for better."""
    _kept: dict[Point, NDArray[np.int32]]

    @classmethod
    def of(
        cls,
        pairs: JudgedPairs,
        segments: int,
        scores: Callable[[Point], Floats],
        *,
        objective: Objective = Objective.CONSISTENCY,
    ) -> PairObjective:
        """Return the objective over these pairs."""
        return cls(pairs, segments, objective, scores, {})

    def counts(self, point: Point) -> NDArray[np.int32]:
        """Return segments x kinds of pairs at a point."""
        if point not in self._kept:
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            kinds = pair_kinds(preferences(self.scores(point), self.pairs), self.pairs.outcome)
            found = count_pairs(kinds, self.pairs.segment, self.segments)
            self._kept[point] = found.astype(np.int32)
        return self._kept[point]

    def value(self, point: Point, rows: NDArray[np.bool_] | None = None) -> float:
        """Return the objective on all segments, or some."""
        counts = self.counts(point)
        return self.of_counts((counts if rows is None else counts[rows]).sum(axis=0))

    def of_counts(self, counts: NDArray[np.int64]) -> float:
        """Return the objective of summed counts."""
        summed = counts.astype(np.float64)
        if self.objective is Objective.CONSISTENCY:
            return float(consistency(summed))
        return float(tau(summed, rule=TieRule.WMT13))

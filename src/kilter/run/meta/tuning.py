"""Parameters that agree best with people: exact, by hill climbing, on a grid. [LR] section 4, section 7.1"""

from __future__ import annotations

from bisect import insort
from dataclasses import dataclass
from itertools import product
from math import isnan, log, nan
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kilter.core.counted import counted
from kilter.core.errors import OptionError
from kilter.core.judgments import TIE, levelled
from kilter.core.settings import Choice
from kilter.run.meta.pair_count import (
    PairKind,
    TieRule,
    consistency,
    count_pairs,
    pair_kinds,
    preferences,
    tau,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from kilter.core.judgments import JudgedPairs

    Floats = NDArray[np.float64]
    Point = tuple[float, ...]
    Bounds = Sequence[tuple[float, float]]

RESTARTS = 20
STEP = 0.1
STOP = 0.001
MOST_RESTARTS = 10_000
MOST_POINTS = 1_000_000
_MOST_KEPT = 2000


class Objective(Choice):
    """What is to be highest."""

    CONSISTENCY = "consistency"
    TAU = "tau"

    def of(self, counts: Floats) -> Floats:
        """Return the agreement that counts of pairs by kind, along the last axis, make."""
        if self is Objective.CONSISTENCY:
            return consistency(counts)
        return tau(counts, rule=TieRule.WMT13)


class ExactAlpha(NamedTuple):
    """The best weight, what it is worth, and the ends of the first range of weights worth as much."""

    alpha: float
    value: float
    low: float
    high: float


class Optimum(NamedTuple):
    """The best point that was found and what it is worth; NaN without a pair."""

    point: Point
    value: float


def exact_alpha(
    order: Floats,
    lexical: Floats,
    outcome: NDArray[np.int8],
    *,
    objective: Objective = Objective.CONSISTENCY,
    tie: float = 0.0,
) -> ExactAlpha:
    """Return the best weight in [0, 1] of alpha * order + (1 - alpha) * lexical, differences of pairs.

    A pair is tied where alpha = dl / (dl - dr), and changes sides there; between two such points nothing
    changes. Tau leaves ties out, so that a single point may be best; consistency is never higher there
    than beside it. Differences up to `tie` are none. The middle of the first of the best ranges is
    returned; NaN where every weight is undefined.

    >>> import numpy as np
    >>> exact_alpha(np.array([1.0, -1.0]), np.array([-1.0, 3.0]), np.array([1, 1], dtype=np.int8))
    ExactAlpha(alpha=0.625, value=100.0, low=0.5, high=0.75)
    """
    decided = (outcome != 0) & ~np.isnan(order) & ~np.isnan(lexical)
    side = outcome[decided]
    ends = (np.where(np.abs(part) <= tie, 0.0, part)[decided] * side for part in (lexical, order))
    edges, counts = _along(*ends)
    values = objective.of(counts)
    if np.isnan(values).all():
        return ExactAlpha(nan, nan, nan, nan)
    best = values == np.nanmax(values)
    first = int(np.argmax(best))
    last = first + int(np.argmin(np.append(best[first:], False))) - 1
    low, high = float(edges[first // 2]), float(edges[(last + 1) // 2])
    return ExactAlpha((low + high) / 2.0, float(values[first]), low, high)


def _along(at_zero: Floats, at_one: Floats) -> tuple[Floats, Floats]:
    """Return where pairs change between 0 and 1, and kinds of pairs at and between these places.

    Both columns are turned so that positive is right. Counts have a row for every place and, between
    two, for all that lies between them.
    """
    before, behind = np.sign(at_zero), np.sign(at_one)
    turning = before != behind
    turns = at_zero[turning] / (at_zero[turning] - at_one[turning])
    turns[turns >= 1.0 - TIE] = 1.0
    edges, at = np.unique(levelled(np.append([0.0, 1.0], turns)), return_inverse=True)
    place = 2 * at.ravel()[2:]
    width = 2 * len(edges) - 1
    counts = np.zeros((width, len(PairKind)))
    for sign, kind in ((1, PairKind.CONCORDANT), (-1, PairKind.DISCORDANT)):
        always = np.count_nonzero(~turning & (before == sign))
        leaving = np.bincount(place[before[turning] == sign], minlength=width + 1)
        coming = np.bincount(place[behind[turning] == sign] + 1, minlength=width + 1)
        counts[:, kind] = always + leaving.sum() + np.cumsum(coming - leaving)[:width]
    counts[:, PairKind.METRIC_TIE] = len(at_zero) - counts.sum(axis=1)
    return edges, counts


def check_restarts(restarts: int) -> None:
    """Raise an `OptionError` for a number of climbs that nobody can wait for."""
    if not 1 <= restarts <= MOST_RESTARTS:
        raise OptionError(f"restarts is {restarts}; it must be from 1 to {MOST_RESTARTS}")


def check_grid(steps: int, options: int) -> None:
    """Raise an `OptionError` for a grid of this many options that nobody can wait for."""
    if steps < 1:
        raise OptionError(f"steps is {steps}; it must be at least 1")
    # Not by a power, which might have more digits than there is memory.
    if options * log(steps + 1) > log(MOST_POINTS) + TIE:
        most = int(MOST_POINTS ** (1 / options) + TIE) - 1
        of = f" of {counted(options, 'option')}" if options > 1 else ""
        raise OptionError(
            f"steps is {steps}; a grid{of} has at most {MOST_POINTS} points, which are {most} steps"
        )


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
    check_restarts(restarts)
    chance = Random(seed)  # noqa: S311 - a search, not a secret
    starts = [
        tuple(low + (high - low) * chance.random() for low, high in bounds) for _ in range(restarts)
    ]
    return max((_climb(evaluate, start, bounds, step, stop) for start in starts), key=_order)


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


def grid_points(bounds: Bounds, steps: int, *, start: Sequence[float] = ()) -> list[Point]:
    """Return every point of a grid with so many steps along each option, both ends included.

    `start` has a value of each option that is on the grid as well, if it lies within its bounds.

    >>> grid_points([(0.0, 1.0)], 4)
    [(0.0,), (0.25,), (0.5,), (0.75,), (1.0,)]
    >>> grid_points([(0.0, 1.0)], 2, start=[0.6])
    [(0.0,), (0.5,), (0.6,), (1.0,)]
    """
    check_grid(steps, len(bounds))
    lines = [
        [low + (high - low) * step / steps for step in range(steps + 1)] for low, high in bounds
    ]
    for line, value in zip(lines, start, strict=bool(start)):
        low, high = line[0], line[-1]
        if low <= value <= high:
            # A point of the grid that is the same but for rounding would stand there twice.
            line[:] = [at for at in line if abs(at - value) > TIE * (high - low)]
            insort(line, value)
    return list(product(*lines))


def best_of(points: Sequence[Point], evaluate: Callable[[Point], float]) -> Optimum:
    """Return the best of some points; of equally good ones the first."""
    optima = [Optimum(point, evaluate(point)) for point in points]
    return max(optima, key=_worth)


def folds(segments: int, count: int, *, seed: int = 1) -> NDArray[np.int64]:
    """Return the fold of each segment: as many in each as possible, by chance."""
    if not 2 <= count <= segments:
        raise OptionError(f"folds is {count}; it must lie between 2 and {segments}, the segments")
    order = list(range(segments))
    Random(seed).shuffle(order)  # noqa: S311 - a split, not a secret
    numbers = np.empty(segments, dtype=np.int64)
    numbers[order] = np.arange(segments) % count
    return numbers


@dataclass(frozen=True, eq=False)
class PairObjective:
    """Agreement on judged pairs as a function of a point: counts by segment are kept, so that folds cost nothing."""

    pairs: JudgedPairs
    segments: int
    objective: Objective
    scores: Callable[[Point], Floats]
    """Systems x segments at a point, more for better."""
    tie: float
    """Differences that are ties; those that are rounding always are."""
    _kept: dict[Point, NDArray[np.int32]]

    @classmethod
    def of(
        cls,
        pairs: JudgedPairs,
        segments: int,
        scores: Callable[[Point], Floats],
        *,
        objective: Objective = Objective.CONSISTENCY,
        tie: float = 0.0,
    ) -> PairObjective:
        """Return the objective over these pairs."""
        return cls(pairs, segments, objective, scores, tie, {})

    def counts(self, point: Point) -> NDArray[np.int32]:
        """Return segments x kinds of pairs at a point."""
        if point not in self._kept:
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            preferred = preferences(self.scores(point), self.pairs, threshold=self.tie)
            kinds = pair_kinds(preferred, self.pairs.outcome)
            counted = count_pairs(kinds, self.pairs.segment, self.segments)
            self._kept[point] = counted.astype(np.int32)
        return self._kept[point]

    def value(self, point: Point, rows: NDArray[np.bool_] | None = None) -> float:
        """Return the objective on all segments, or some."""
        counts = self.counts(point)
        return self.of_counts((counts if rows is None else counts[rows]).sum(axis=0))

    def of_counts(self, counts: NDArray[np.int64]) -> float:
        """Return the objective of summed counts."""
        return float(self.objective.of(counts.astype(np.float64)))

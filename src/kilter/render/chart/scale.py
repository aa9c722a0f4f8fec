"""Scales of charts: from values to places, with round ticks."""

from __future__ import annotations

from math import ceil, floor, log10
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


class Scale:
    """Maps values to places, with round ticks that enclose them, `least` apart or more.

    >>> scale = Scale(3, 49, 0, 100)
    >>> scale(25), scale.ticks
    (50.0, [0.0, 10.0, 20.0, 30.0, 40.0, 50.0])
    """

    def __init__(
        self,
        low: float,
        high: float,
        start: float,
        end: float,
        *,
        margin: bool = True,
        least: float = 0.0,
    ) -> None:
        step = max(_step(high - low), least)
        first, last = floor(low / step), ceil(high / step)
        if last <= first:
            last = first + 1
        self.ticks = [step * place for place in range(first, last + 1)]
        self.low, self.high = (self.ticks[0], self.ticks[-1]) if margin else (low, high)
        if self.high <= self.low:
            self.high = self.low + step
        self.ticks = [tick for tick in self.ticks if self.low <= tick <= self.high]
        self.start, self.end = start, end

    def __call__(self, value: float) -> float:
        """Return the place of a value."""
        share = (value - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)


class LogScale(Scale):
    """A scale on which equal ratios are equally far apart; values are above 0.

    >>> LogScale(7, 90, 0, 100).ticks
    [5.0, 10.0, 20.0, 50.0, 100.0]
    """

    def __init__(self, low: float, high: float, start: float, end: float) -> None:
        powers = range(floor(log10(low)), ceil(log10(high)) + 1)
        round_numbers = [factor * 10.0**power for power in powers for factor in (1, 2, 5)]
        below = [tick for tick in round_numbers if tick <= low]
        above = [tick for tick in round_numbers if tick >= high and tick > below[-1]]
        self.low, self.high = below[-1], above[0]
        self.ticks = [tick for tick in round_numbers if self.low <= tick <= self.high]
        self.start, self.end = start, end

    def __call__(self, value: float) -> float:
        """Return the place of a value."""
        share = log10(value / self.low) / log10(self.high / self.low)
        return self.start + share * (self.end - self.start)


def bounds(values: Sequence[float]) -> tuple[float, float]:
    """Return the smallest and the largest value; 0 and 1 if there is none."""
    return (min(values), max(values)) if values else (0.0, 1.0)


def tick_label(tick: float) -> str:
    """Return how an axis writes a number."""
    return f"{tick:.4g}"


def _step(spread: float) -> float:
    """Return 1, 2 or 5 times a power of ten, so that four to eight steps cover the spread."""
    if spread <= 0:
        return 1.0
    power = 10.0 ** floor(log10(spread / 5))
    return next(factor * power for factor in (1, 2, 5, 10) if spread / (factor * power) <= 8)

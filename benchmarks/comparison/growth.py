"""How time and memory of Kilter grow with length and with the number of segments."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.comparison.measured import ROOT

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, kw_only=True)
class Growth:
    """Costs at growing sizes; the exponent is that of a line through them on two logarithmic scales."""

    name: str
    title: str
    size: str
    unit: str
    sizes: tuple[int, ...]
    costs: tuple[float, ...]

    @property
    def exponent(self) -> float:
        """The slope of the least squares line."""
        return fitted_exponent(self.sizes, self.costs)

    @property
    def last_exponent(self) -> float:
        """The slope between the last two points, where a fixed cost counts least."""
        return fitted_exponent(self.sizes[-2:], self.costs[-2:])


def fitted_exponent(sizes: Sequence[int], costs: Sequence[float]) -> float:
    """Return the slope of the least squares line through logarithms.

    >>> round(fitted_exponent([1, 2, 4], [3, 12, 48]), 6)
    2.0
    """
    xs, ys = [math.log(size) for size in sizes], [math.log(cost) for cost in costs]
    middle, height = sum(xs) / len(xs), sum(ys) / len(ys)
    above = sum((x - middle) * (y - height) for x, y in zip(xs, ys, strict=True))
    return above / sum((x - middle) ** 2 for x in xs)


def measure_growth(*, quick: bool) -> list[Growth]:
    """Return how the main jobs grow, each size in a process of its own."""
    found = []
    for name, title, size, unit, sizes in _SERIES:
        chosen = sizes[: 3 if quick else None]
        costs = tuple(_cost(name, each) for each in chosen)
        found.append(
            Growth(name=name, title=title, size=size, unit=unit, sizes=tuple(chosen), costs=costs)
        )
    return found


_SERIES = (
    ("scores", "All permutation scores of one permutation", "words", "microseconds", (25, 100, 1000, 10_000, 100_000, 1_000_000)),
    ("trees", "Tree edit distance, four cost models", "words of a tree", "microseconds a pair", (10, 20, 40, 80, 160, 320)),
    ("segments", "kilter score with its defaults", "segments", "CPU seconds", (1000, 4000, 16_000, 64_000)),
    ("memory", "kilter score with its defaults", "segments", "megabytes", (1000, 4000, 16_000, 64_000)),
    ("links", "kilter align --aligner hmm", "sentence pairs", "CPU seconds", (500, 2000, 8000)),
)  # fmt: skip


def _cost(name: str, size: int) -> float:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.comparison.grown", name, str(size)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )
    return float(json.loads(done.stdout))

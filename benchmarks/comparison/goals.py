"""The goals of speed: what is wanted, and what this run measured."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass

from benchmarks.comparison.measured import answered

STARTUP_GOAL = 200
"""Milliseconds that a command may take before it works."""


@dataclass(frozen=True, kw_only=True)
class Goal:
    """A bound and the figure beside it; `measured` is not a number where nothing could be measured."""

    title: str
    bound: float
    unit: str
    at_least: bool
    measured: float
    error: str = ""

    @property
    def reached(self) -> bool:
        """Whether the figure keeps the bound."""
        return self.measured >= self.bound if self.at_least else self.measured <= self.bound


def measure_goals(startup: dict[str, float], *, quick: bool) -> list[Goal]:
    """Return every goal with its figure, each measured in a process of its own.

    A quick run leaves out what takes minutes: it is told as left out.
    """
    found = []
    for name, *rows in _GOALS:
        if quick and name in _SLOW:
            values, error = dict[str, float](), "left out of a quick run"
        else:
            values, error = _values(str(name))
        for title, key, bound, unit, at_least in rows:
            measured = values.get(key, math.nan)
            found.append(
                Goal(
                    title=title,
                    bound=bound,
                    unit=unit,
                    at_least=at_least,
                    measured=measured,
                    error=error,
                )
            )
    if startup:
        slowest = max(
            (name for name in startup if name.startswith("kilter ")), key=startup.__getitem__
        )
        title = f"Start-up of the slowest command ({slowest})"
        found.append(
            Goal(
                title=title,
                bound=STARTUP_GOAL,
                unit="CPU ms",
                at_least=False,
                measured=startup[slowest],
            )
        )
    return found


_SLOW = ("parquet", "trees")
_GOALS = (
    (
        "scores",
        ("All ten permutation scores of 25 words", "rate", 7.0, "million a CPU second", True),
        ("The same, beside scipy's kendalltau", "beside scipy", 2000.0, "times", True),
        ("kilter.permutation_scores, which checks its input, beside the kernel", "checked", 1.3, "times", False),
    ),
    ("pef", ("PEFscore of 25 words, beside the pseudo-code in Python", "beside plain", 6000.0, "times", True)),
    ("bootstrap", ("Paired bootstrap of 12 systems, beside sacreBLEU", "beside sacreBLEU", 75.0, "times", True)),
    (
        "parquet",
        ("10 million permutations from Parquet to Parquet, beside the kernel", "beside kernel", 6.0, "times", False),
        ("Memory of that", "megabytes", 1000.0, "MB", False),
    ),
    (
        "trees",
        ("Tree edit distance of a pair of 5,000 words, as of sentences", "made up and edited", 300.0, "CPU seconds", False),
    ),
)  # fmt: skip


def _values(name: str) -> tuple[dict[str, float], str]:
    print(f"goal: {name}", file=sys.stderr, flush=True)
    return answered([sys.executable, "-m", "benchmarks.comparison.goal", name])

"""`python -m benchmarks.comparison.goal NAME`: prints what a goal of speed is measured by, as JSON."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from benchmarks import dted, permutations, resampling, streaming
from benchmarks.timing import pin_to_one_core

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

LONG = 5000
"""Words of trees that have to be answered."""


def scores() -> dict[str, float]:
    """Return the rate of all permutation scores, beside scipy, and what checking the input costs."""
    rates = permutations.rates()
    return {
        "rate": rates.kernel / 1e6,
        "beside scipy": rates.kernel / rates.scipy_kendall,
        "checked": rates.kernel / rates.checked,
    }


def pef() -> dict[str, float]:
    """Return how much longer the paper's pseudo-code takes."""
    ours, theirs = permutations.pef_rates([permutations.WORDS])
    return {"beside plain": ours / theirs}


def bootstrap() -> dict[str, float]:
    """Return how much longer sacreBLEU resamples."""
    return {"beside sacreBLEU": resampling.times().ratio}


def parquet() -> dict[str, float]:
    """Return how much longer than its kernel a command takes from file to file, and its memory."""
    passed = streaming.parquet()
    return {
        "beside kernel": passed.seconds / passed.kernel_seconds,
        "megabytes": passed.peak_megabytes,
    }


def trees() -> dict[str, float]:
    """Return the CPU seconds of a pair of long trees like those of sentences."""
    kind = "made up and edited"
    return {kind: dted.long_seconds(LONG, kind)}


GOALS: Mapping[str, Callable[[], dict[str, float]]] = {
    "scores": scores,
    "pef": pef,
    "bootstrap": bootstrap,
    "parquet": parquet,
    "trees": trees,
}

if __name__ == "__main__":
    pin_to_one_core()
    json.dump(GOALS[sys.argv[1]](), sys.stdout)

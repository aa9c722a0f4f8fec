"""Workings, followed again: every formula is computed from the steps before it."""

import math
from typing import Any

from kilter.results.measure import Working
from tests.tolerance import close


def followed(working: Working) -> None:
    """Assert that every step with a formula has the value that the formula gives."""
    known: dict[str, Any] = {}
    for step in working.steps:
        if step.formula:
            value = eval(step.formula, {"__builtins__": {}, **_FUNCTIONS}, known)  # noqa: S307 - our own text
            assert step.value == close(float(value)), (step, known)
        known[step.name] = step.value


def _mean(*values: float) -> float:
    return sum(values) / len(values)


_FUNCTIONS = {
    "exp": math.exp,
    "ln": math.log,
    "sqrt": math.sqrt,
    "min": min,
    "max": max,
    "mean": _mean,
}

"""Numbers that data cannot give, with the reason in their place."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Undefined:
    """What stands where a number cannot be computed: a reason that a reader understands.

    >>> str(Undefined("all answers are the same"))
    'undefined: all answers are the same'
    """

    reason: str

    def __str__(self) -> str:
        return f"undefined: {self.reason}"


Number: TypeAlias = float | Undefined
"""A finite number, or why there is none."""


def number(value: float | None, reason: str) -> Number:
    """Return the value as a plain number; NaN and None are undefined for this reason.

    >>> number(0.5, "no answer"), number(float("nan"), "no answer")
    (0.5, Undefined(reason='no answer'))
    """
    return Undefined(reason) if value is None or isnan(value) else float(value)

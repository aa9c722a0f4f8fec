"""A number that may be uncertain or missing: one type for scores, means, differences and correlations."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

MISSING = "-"
"""What people see where there is no value."""

_THRESHOLDS = (0.05, 0.01)
"""Significance levels: a p-value below one of them is never printed as equal to it."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its interval, p-value and sample size, or the reason why the value or the interval is missing.

    What is not finite is missing, so that NaN never leaves the constructor; without a value there is no interval
    and no p-value. `undefined` counts the resamples without a value, which the interval leaves out.

    The format specification is Python's own with `±` (half-width of the interval) or `[]` (its bounds) at the
    end; `[]` at the start gives the bounds alone.

    >>> f"{Estimate(0.79142, 0.75, 0.84):.4f±}", f"{Estimate(0.79142, 0.75, 0.84):+.2f[]}"
    ('0.7914 ±0.0450', '+0.79 [+0.75, +0.84]')
    >>> f"{Estimate(0.5, 0.4, 0.6):[].2f}", f"{Estimate(0.5):.2f±}", f"{Estimate(reason='no rating'):.2f}"
    ('[0.40, 0.60]', '0.50', '-')
    """

    value: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    n: int | None = None
    reason: str = ""
    undefined: int = 0

    def __post_init__(self) -> None:
        for name in ("value", "low", "high", "p"):
            number = getattr(self, name)
            if number is not None and not isfinite(number):
                object.__setattr__(self, name, None)
        if self.value is None:
            for name in ("low", "high", "p"):
                object.__setattr__(self, name, None)

    @property
    def bounds(self) -> tuple[float, float] | None:
        """The interval; None unless both ends are known."""
        return None if self.low is None or self.high is None else (self.low, self.high)

    @property
    def triple(self) -> tuple[float | None, float | None, float | None]:
        """The value and both ends of its interval."""
        return self.value, self.low, self.high

    def scaled(self, factor: float) -> Estimate:
        """Return value and interval times a factor above 0.

        >>> Estimate(0.5, 0.25, 0.75).scaled(100.0).triple
        (50.0, 25.0, 75.0)
        """
        value, low, high = (None if number is None else factor * number for number in self.triple)
        return Estimate(value, low, high, self.p, self.n, self.reason, self.undefined)

    def flat(self, name: str) -> dict[str, float | None]:
        """Return value and bounds under the names of columns.

        >>> Estimate(0.5, 0.4, 0.6).flat("f1")
        {'f1': 0.5, 'f1_low': 0.4, 'f1_high': 0.6}
        """
        return {name: self.value, f"{name}_low": self.low, f"{name}_high": self.high}

    def to_dict(self) -> dict[str, float | None]:
        """Return value and bounds as a JSON object."""
        return {"value": self.value, "low": self.low, "high": self.high}

    def __format__(self, spec: str) -> str:
        number = spec.removeprefix("[]").removesuffix("[]").removesuffix("±")
        bounds = ""
        if self.bounds is not None:
            bounds = "[{}, {}]".format(*(signed(bound, number) for bound in self.bounds))
        if spec.startswith("[]"):
            return bounds or MISSING
        if self.value is None:
            return MISSING
        shown = signed(self.value, number)
        if self.bounds is None or spec == number:
            return shown
        if spec.endswith("±"):
            low, high = self.bounds
            return f"{shown} ±{format((high - low) / 2, number.lstrip('+'))}"
        return f"{shown} {bounds}"

    def __str__(self) -> str:
        return format(self, ".4f±")


def signed(value: float, spec: str) -> str:
    """Return a number in a format; a difference of 0 the other way round is -0, and printed as 0."""
    return format(value + 0.0 if spec.startswith("+") else value, spec)


def p_text(p: float | None, *, digits: int = 4) -> str:
    """Return a p-value with so many decimals; none is ever written as 0, and a missing one is a dash.

    One that would be rounded up to .05 or .01 gets as many decimals as tell it from that.

    >>> p_text(0.0312), p_text(0.00002), p_text(0.0, digits=3), p_text(None)
    ('0.0312', '< 0.0001', '< 0.001', '-')
    >>> p_text(10 / 1001), p_text(10 / 1001, digits=3), p_text(0.01)
    ('0.00999', '0.00999', '0.0100')
    """
    if p is None:
        return MISSING
    least = 10.0**-digits
    if p < least:
        return f"< {least:.{digits}f}"
    while any(p < threshold <= float(f"{p:.{digits}f}") for threshold in _THRESHOLDS):
        digits += 1
    return f"{p:.{digits}f}"

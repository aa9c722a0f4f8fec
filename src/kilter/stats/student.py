"""Student's t distribution: tail probabilities without scipy."""

from __future__ import annotations

from math import exp, lgamma, log, log1p, sqrt

_STEPS = 400
_SMALL = 1e-300


def two_sided_p(t: float, freedom: float) -> float:
    """Return the probability that |T| is at least |t| with so many degrees of freedom.

    >>> round(two_sided_p(2.0, 10), 6)
    0.073388
    """
    if freedom <= 0:
        raise ValueError(f"freedom is {freedom}; it must be positive")
    return incomplete_beta(freedom / 2.0, 0.5, freedom / (freedom + t * t))


def correlation_p(r: float, count: int) -> float | None:
    """Return the p-value of a correlation of so many pairs by the t approximation, n - 2 degrees of freedom.

    None for fewer than three pairs; 0 for a perfect correlation.

    >>> round(correlation_p(0.5, 20), 6)
    0.02477
    """
    if count < 3:
        return None
    if abs(r) >= 1.0:
        return 0.0
    return two_sided_p(r * sqrt((count - 2) / (1.0 - r * r)), count - 2)


def incomplete_beta(a: float, b: float, x: float) -> float:
    """Return the regularised incomplete beta function I_x(a, b), by Lentz's continued fraction."""
    if x <= 0.0:
        return 0.0
    if x >= 1.0:
        return 1.0
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x))
    if x < (a + 1.0) / (a + b + 2.0):
        return front * _fraction(a, b, x) / a
    return 1.0 - front * _fraction(b, a, 1.0 - x) / b


def _fraction(a: float, b: float, x: float) -> float:
    upper, lower = 1.0, 1.0 / _away(1.0 - (a + b) * x / (a + 1.0))
    value = lower
    for step in range(1, _STEPS):
        even = step * (b - step) * x / ((a + 2 * step - 1) * (a + 2 * step))
        odd = -(a + step) * (a + b + step) * x / ((a + 2 * step) * (a + 2 * step + 1))
        for term in (even, odd):
            lower = 1.0 / _away(1.0 + term * lower)
            upper = _away(1.0 + term / upper)
            value *= upper * lower
        if abs(upper * lower - 1.0) < 1e-15:
            break
    return value


def _away(value: float) -> float:
    return value if abs(value) > _SMALL else _SMALL

"""p-values as people read them: none as 0, and none as a threshold that it lies below."""

from __future__ import annotations

_THRESHOLDS = (0.05, 0.01)
"""What marks and their legends go by: below one of them a p-value is marked, at it not."""


def p_cell(p: float | None, *, digits: int = 4) -> str:
    """Return a p-value with so many decimals; none is ever written as 0, and a missing one is a dash.

    One that would be rounded up to .05 or .01 gets as many decimals as tell it from that.

    >>> p_cell(0.0312), p_cell(0.00002), p_cell(0.0, digits=3), p_cell(None)
    ('0.0312', '< 0.0001', '< 0.001', '-')
    >>> p_cell(10 / 1001), p_cell(10 / 1001, digits=3), p_cell(0.01)
    ('0.00999', '0.00999', '0.0100')
    """
    if p is None:
        return "-"
    least = 10.0**-digits
    if p < least:
        return f"< {least:.{digits}f}"
    while any(p < threshold <= float(f"{p:.{digits}f}") for threshold in _THRESHOLDS):
        digits += 1
    return f"{p:.{digits}f}"

"""p-values as people read them: one too small to be written is below the least that can be."""

from __future__ import annotations


def p_cell(p: float | None, *, digits: int = 4) -> str:
    """Return a p-value with so many decimals; none is ever written as 0, and a missing one is a dash.

    >>> p_cell(0.0312), p_cell(0.00002), p_cell(0.0, digits=3), p_cell(None)
    ('0.0312', '< 0.0001', '< 0.001', '-')
    """
    if p is None:
        return "-"
    least = 10.0**-digits
    return f"< {least:.{digits}f}" if p < least else f"{p:.{digits}f}"

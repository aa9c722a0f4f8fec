"""Numbers in short as cells of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.stats.undefined import Number, Undefined

if TYPE_CHECKING:
    from kilter.render.page.sub_report import Cell
    from kilter.study.analysis.summary import Summary

SUMMARY = ("n", "missing", "mean", "deviation", "median", "lowest", "highest")
"""Columns of a summary; the deviation is that of a sample."""


def summary_cells(summary: Summary) -> tuple[Cell, ...]:
    """Return a summary in the order of the columns."""
    return (
        summary.count, summary.missing, summary.mean, summary.deviation, summary.median,
        summary.lowest, summary.highest,
    )  # fmt: skip


def prefixed(name: str) -> tuple[str, ...]:
    """Return the columns of a summary that is not the only one in its row."""
    return tuple(f"{name}_{column}" for column in SUMMARY)


def said(value: Number, *, digits: int = 3) -> str:
    """Return a number for a sentence, or why there is none.

    >>> said(0.12345), said(Undefined("one value only"))
    ('0.123', 'undefined (one value only)')
    """
    if isinstance(value, Undefined):
        return f"undefined ({value.reason})"
    return f"{value:.1e}" if 0 < abs(value) < 0.5 * 10**-digits else f"{value:.{digits}f}"


def said_p(value: Number) -> str:
    """Return a p-value for a sentence: one that is 0 to the computer is only too small for it.

    >>> said_p(0.0), said_p(0.0312), said_p(0.0000012)
    ('< 0.0001', '0.031', '1.2e-06')
    """
    return "< 0.0001" if value == 0.0 else said(value)

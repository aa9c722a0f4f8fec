"""What a column of numbers looks like: how many, how many missing, middle and spread."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from kilter.stats.undefined import Number, Undefined

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.render.page.sub_report import Cell


_NORMAL = 1.959963984540054
"""The 97.5% quantile of the standard normal distribution."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Numbers in short; `deviation` is the sample standard deviation (n - 1)."""

    count: int
    missing: int
    mean: Number
    deviation: Number
    median: Number
    lowest: Number
    highest: Number


def summarise(values: NDArray[np.float64]) -> Summary:
    """Return a summary of values; NaN is missing.

    >>> import numpy as np
    >>> found = summarise(np.array([1.0, 2.0, 6.0, np.nan]))
    >>> found.count, found.missing, found.mean, found.median
    (3, 1, 3.0, 2.0)
    """
    known = values[~np.isnan(values)]
    missing = len(values) - len(known)
    if not len(known):
        nothing = Undefined("there is no value")
        return Summary(
            count=0, missing=missing, mean=nothing, deviation=nothing, median=nothing,
            lowest=nothing, highest=nothing,
        )  # fmt: skip
    return Summary(
        count=len(known),
        missing=missing,
        mean=float(known.mean()),
        deviation=float(known.std(ddof=1)) if len(known) > 1 else Undefined("one value only"),
        median=float(np.median(known)),
        lowest=float(known.min()),
        highest=float(known.max()),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanInterval:
    """A mean from 0 to 1 and the ends of its 95% interval, which do not leave that range."""

    value: float
    low: float
    high: float


def mean_interval(summary: Summary) -> MeanInterval | Undefined:
    """Return a mean of scores with its 95% interval, cut at 0 and 1; a single value has no width.

    No mean of answers lies beyond the ends of their scale, whatever the normal approximation says.

    >>> import numpy as np
    >>> mean_interval(summarise(np.array([0.5])))
    MeanInterval(value=0.5, low=0.5, high=0.5)
    """
    mean, deviation = summary.mean, summary.deviation
    if isinstance(mean, Undefined):
        return mean
    half = 0.0
    if not isinstance(deviation, Undefined):
        half = _NORMAL * deviation / sqrt(summary.count)
    return MeanInterval(value=mean, low=max(0.0, mean - half), high=min(1.0, mean + half))


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

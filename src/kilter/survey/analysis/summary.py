"""What a column of numbers looks like: how many, how many missing, middle and spread."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kilter.structures.undefined import Number


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
    """Return a summary of values; NaN is missing."""
    raise NotImplementedError

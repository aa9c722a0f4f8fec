"""Numbers that are equal but for rounding."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

# Numbers that lie closer together than this share of the largest are equal as far as anybody can tell.
TIE = 2.0**-38


def rounding(values: Floats) -> float:
    """Return how far apart equal numbers may lie: a tiny share of the largest."""
    known = np.abs(values[~np.isnan(values)])
    return TIE * float(known.max(initial=0.0))


def levelled(values: Floats) -> Floats:
    """Return the numbers, those made equal that differ by rounding only; NaN stays.

    >>> import numpy as np
    >>> levelled(np.array([0.1 + 0.2, 0.3, 0.4])).tolist()
    [0.3, 0.3, 0.4]
    """
    known = ~np.isnan(values)
    level = values.copy()
    if known.any():
        rising, which = np.unique(values[known], return_inverse=True)
        new = np.append(True, np.diff(rising) > rounding(values))
        smallest = np.maximum.accumulate(np.where(new, np.arange(len(rising)), 0))
        level[known] = rising[smallest][which.ravel()]
    return level

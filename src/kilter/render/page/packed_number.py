"""Whole numbers as few bytes in base64: seven bits a byte, the lowest first, the eighth where more follow."""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_BITS = 7


def packed(values: ArrayLike) -> str:
    """Return whole numbers from 0 as variable-length bytes in base64.

    >>> packed(np.array([1, 300]))
    'AawC'
    """
    left = np.asarray(values, dtype=np.uint64)
    sizes = np.ones(len(left), dtype=np.int64)
    for step in range(1, 10):
        sizes += left >= np.uint64(1) << np.uint64(_BITS * step)
    ends = np.cumsum(sizes)
    out = np.zeros(int(ends[-1]) if ends.size else 0, dtype=np.uint8)
    for step in range(int(sizes.max(initial=0))):
        own = sizes > step
        more = (sizes[own] > step + 1).astype(np.uint8) << np.uint8(_BITS)
        digits = (left[own] >> np.uint64(_BITS * step)) & np.uint64(0x7F)
        out[(ends - sizes)[own] + step] = digits.astype(np.uint8) | more
    return b64encode(out.tobytes()).decode()


def packed_signed(values: ArrayLike) -> str:
    """Return whole numbers of either sign: 0, -1, 1, -2 are written as 0, 1, 2, 3.

    >>> packed_signed([0, -1, 1]) == packed([0, 1, 2])
    True
    """
    whole = np.asarray(values).astype(np.int64)
    return packed(np.where(whole < 0, -2 * whole - 1, 2 * whole))


def steps(values: NDArray[np.int64], starts: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return how far each value lies from the one before; from 0 where one starts."""
    found = np.diff(values, prepend=0)
    found[starts] = values[starts]
    return found

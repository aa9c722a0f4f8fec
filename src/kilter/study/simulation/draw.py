"""Arrays of random numbers that are the same on every machine, up to the last bit of normal ones."""

from __future__ import annotations

from enum import IntEnum
from math import prod
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


class Stream(IntEnum):
    """What numbers are drawn for; one seed serves all, and no number serves twice."""

    OFFSETS = 0
    SENTENCES = 1
    NOISE = 2
    CARELESS = 3
    RANDOM_ANSWERS = 4
    MISSING = 5
    SECONDS = 6
    DAMAGE = 7
    TOOL = 8

    def of(self, block: int) -> int:
        """Return the number of this stream in a block of repetitions, from 0."""
        return int(self) + len(Stream) * block


def uniforms(seed: int, stream: int, *shape: int) -> Floats:
    """Return numbers from 0 to 1, without 1: the raw bits of Philox, which numpy promises to keep.

    >>> uniforms(1, Stream.NOISE, 2).round(6).tolist()
    [0.309315, 0.356956]
    """
    bits = np.random.Philox(key=np.array([seed, stream], dtype=np.uint64)).random_raw(prod(shape))
    return np.asarray((bits >> np.uint64(11)) * 2.0**-53).reshape(shape)


def normals(seed: int, stream: int, *shape: int) -> Floats:
    """Return numbers of the standard normal distribution, by the method of Box and Muller."""
    first, second = uniforms(seed, stream, 2, *shape)
    return np.asarray(np.sqrt(-2.0 * np.log1p(-first)) * np.cos(2.0 * np.pi * second))

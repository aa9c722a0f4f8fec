"""Permutations to measure on, all from one seed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.int32]


def identity(length: int, _: np.random.Generator) -> Values:
    """Return 0, 1, 2, ..."""
    return np.arange(length, dtype=np.int32)


def shuffled(length: int, random: np.random.Generator) -> Values:
    """Return a uniformly random permutation: mostly one prime node."""
    return random.permutation(length).astype(np.int32)


def block_moves(length: int, random: np.random.Generator) -> Values:
    """Return the identity after three moves of a random block: what translations look like."""
    values = list(range(length))
    for _ in range(3):
        start, middle, end = sorted(random.integers(0, length + 1, 3).tolist())
        values[start:end] = values[middle:end] + values[start:middle]
    return np.array(values, dtype=np.int32)


def separable(length: int, random: np.random.Generator) -> Values:
    """Return a permutation of binary nodes only, split at random places."""
    values = np.empty(length, dtype=np.int32)
    tasks = [(0, length, 0)]
    while tasks:
        start, end, low = tasks.pop()
        if end - start == 1:
            values[start] = low
            continue
        cut = int(random.integers(start + 1, end))
        inverted = bool(random.integers(2))
        tasks.append((start, cut, low + (end - cut) * inverted))
        tasks.append((cut, end, low + (cut - start) * (not inverted)))
    return values


def interleaved(length: int, _: np.random.Generator) -> Values:
    """Return the odd values, then the even ones: the worst case of simple algorithms."""
    return np.concatenate([np.arange(1, length, 2), np.arange(0, length, 2)]).astype(np.int32)


SHAPES = {
    "identity": identity,
    "random": shuffled,
    "separable": separable,
    "interleaved": interleaved,
}

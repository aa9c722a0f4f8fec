"""Long permutations of shapes that are hard on parsers, zero-based."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.int32]


def identity(length: int) -> Values:
    """Return 0 1 2 ...: one node of any width."""
    return np.arange(length, dtype=np.int32)


def reversal(length: int) -> Values:
    """Return ... 2 1 0."""
    return identity(length)[::-1].copy()


def odds_before_evens(length: int) -> Values:
    """Return 1 3 5 ... 0 2 4 ...: simple, and quadratic for a parser that walks its stack."""
    values = identity(length)
    return np.concatenate([values[1::2], values[::2]])


def zipped_halves(length: int) -> Values:
    """Return the inverse of odds before evens."""
    values = np.empty(length, dtype=np.int32)
    values[odds_before_evens(length)] = identity(length)
    return values


def wedge(length: int) -> Values:
    """Return elements that go alternately above and below all before: as deep as trees get."""
    steps = np.arange(length)
    raw = np.where(steps % 2 == 0, steps, -steps)
    return np.argsort(np.argsort(raw)).astype(np.int32)


def outside_in(length: int) -> Values:
    """Return the last, the first, the second to last, ...: the wedge backwards."""
    return wedge(length)[::-1].copy()


def swapped_pairs(length: int) -> Values:
    """Return 1 0 3 2 5 4 ...: one wide node whose children are all nodes."""
    values = identity(length)
    paired = length // 2 * 2
    values[:paired] = values[:paired].reshape(-1, 2)[:, ::-1].reshape(-1)
    return values


def nested_primes(length: int) -> Values:
    """Return 2413 whose last part is 2413 whose last part is ...: deep, without any linear node."""
    values = np.empty(length, dtype=np.int32)
    place, low, high = 0, 0, length  # positions still to fill, values still free: low to high
    while high - low >= 4:
        # The parts are 2, 4, 1 and, inside, everything between.
        values[place : place + 3] = (low + 1, high - 1, low)
        place, low, high = place + 3, low + 2, high - 1
    values[place:] = np.arange(low, high)
    return values


def shuffled(length: int, seed: int = 1) -> Values:
    """Return a uniform shuffle: nearly simple."""
    return np.random.default_rng(seed).permutation(length).astype(np.int32)


def shuffled_blocks(length: int, seed: int = 2) -> Values:
    """Return blocks of a few words, shuffled as wholes and each turned or not."""
    rng = np.random.default_rng(seed)
    borders = np.unique(rng.integers(0, length, length // 5))
    blocks = np.split(identity(length), borders)
    order = rng.permutation(len(blocks))
    turned = rng.random(len(blocks)) < 0.5
    return np.concatenate([blocks[b][::-1] if turned[b] else blocks[b] for b in order])


SHAPES: dict[str, Callable[[int], Values]] = {
    shape.__name__: shape
    for shape in (
        identity,
        reversal,
        odds_before_evens,
        zipped_halves,
        wedge,
        outside_in,
        swapped_pairs,
        nested_primes,
        shuffled,
        shuffled_blocks,
    )
}

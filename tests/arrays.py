"""Permutations as the arrays that the kernels take."""

from collections.abc import Iterable, Sequence
from itertools import accumulate, chain
from itertools import permutations as arrangements

import numpy as np
from numpy.typing import NDArray

from kilter.core.permutation_batch import PermutationBatch

OneBased = tuple[int, ...]


def flat(permutations: Iterable[Sequence[int]]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return values and offsets of zero-based permutations."""
    listed = list(permutations)
    offsets = np.array([0, *accumulate(map(len, listed))], dtype=np.int64)
    return np.fromiter(chain.from_iterable(listed), dtype=np.int32), offsets


def batch(permutations: Iterable[Sequence[int]]) -> PermutationBatch:
    """Return a batch of zero-based permutations."""
    return PermutationBatch(*flat(permutations))


def one_based(permutation: Iterable[int]) -> OneBased:
    """Return the permutation as the oracles and the papers write it."""
    return tuple(int(value) + 1 for value in permutation)


def zero_based(permutation: Iterable[int]) -> list[int]:
    """Return the permutation as the library keeps it."""
    return [value - 1 for value in permutation]


def all_up_to(length: int, *, start: int = 1) -> list[OneBased]:
    """Return every permutation of `start` to `length` elements, one-based."""
    return [pi for n in range(start, length + 1) for pi in arrangements(range(1, n + 1))]

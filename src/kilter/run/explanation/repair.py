"""Orders of words after some of their errors were put right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.corpus import ragged_rows, row_offsets
from kilter.core.permutation_batch import PermutationBatch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

STAYS = -1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Repairs:
    """Permutations, and which error of its permutation moves each word.

    Words that no error moves are in the right order among themselves. A word that is put right goes before the
    first of them that follows it in the right order, so that it does not matter which other errors
    are left: the word that follows it may be out of place itself.

    >>> from kilter.core.permutation_input import as_batch
    >>> repairs = Repairs.of(as_batch([[2, 3, 1, 0]]), [[(2,), (3,)]])
    >>> repairs.orders(np.array([0, 0, 0]), np.array([0, 1, 0]), np.array([1, 2, 2])).values.reshape(3, 4)
    array([[1, 2, 3, 0],
           [0, 2, 3, 1],
           [0, 1, 2, 3]], dtype=int32)
    """

    permutations: PermutationBatch
    errors: NDArray[np.int64]
    """The number of the error, among those of the permutation, that moves the word of each slot; else `STAYS`."""
    targets: NDArray[np.int64]
    """The slot of the permutation before which each word belongs; its length: the end."""

    @classmethod
    def of(
        cls, permutations: PermutationBatch, moved: Sequence[Sequence[Sequence[int]]]
    ) -> Repairs:
        """Return the repairs of errors that are given as the slots of the words that each of them moves."""
        starts = permutations.offsets.tolist()
        slots, numbers = [], []
        for start, own in zip(starts, moved, strict=False):
            for number, error in enumerate(own):
                slots += [start + slot for slot in error]
                numbers += len(error) * [number]
        errors = np.full(len(permutations.values), STAYS, dtype=np.int64)
        errors[slots] = numbers
        targets = _targets(permutations, errors == STAYS)
        return cls(permutations=permutations, errors=errors, targets=targets)

    def orders(
        self, segments: NDArray[np.int64], first: NDArray[np.int64], last: NDArray[np.int64]
    ) -> PermutationBatch:
        """Return for each row a permutation whose errors number `first` to `last - 1` are put right."""
        rows, offsets = ragged_rows(self.permutations.offsets, segments)
        lengths = np.diff(offsets)
        errors = self.errors[rows]
        goes = (errors >= np.repeat(first, lengths)) & (errors < np.repeat(last, lengths))
        return self._ordered(rows, offsets, goes & (errors != STAYS))

    def subsets(self, segment: int) -> PermutationBatch:
        """Return a permutation with each set of its errors put right; bits of the row say which."""
        begin, end = self.permutations.offsets[segment : segment + 2].tolist()
        errors = self.errors[begin:end]
        sets = np.arange(1 << int(errors.max(initial=STAYS) + 1))
        goes = (sets[:, None] >> np.maximum(errors, 0) & 1 == 1) & (errors != STAYS)
        rows = np.tile(np.arange(begin, end), len(sets))
        return self._ordered(rows, row_offsets(np.full(len(sets), end - begin)), goes.ravel())

    def _ordered(
        self, rows: NDArray[np.int64], offsets: NDArray[np.int64], goes: NDArray[np.bool_]
    ) -> PermutationBatch:
        lengths = np.diff(offsets)
        starts = np.repeat(offsets[:-1], lengths)
        values = self.permutations.values[rows]
        # A row has two places for each slot, one before it, and two for the end: rows never touch.
        bases = 2 * (starts + np.repeat(np.arange(len(lengths)), lengths))
        places = np.where(goes, 2 * self.targets[rows] - 1, 2 * (np.arange(len(rows)) - starts))
        keys = (bases + places) * (int(lengths.max(initial=0)) + 1) + values
        # Most of it is in order already, which this sort makes use of.
        put = np.argsort(keys, kind="stable")
        return PermutationBatch.trusted(values[put], offsets, jobs=self.permutations.jobs)


def _targets(permutations: PermutationBatch, stays: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return for each word the slot of the first word at or after it in the right order that stays."""
    offsets, lengths = permutations.offsets, permutations.lengths
    starts = np.repeat(offsets[:-1], lengths)
    ends = np.repeat(offsets[1:], lengths)
    by_rank = np.empty(len(starts), dtype=np.int64)
    ranks = starts + permutations.values
    by_rank[ranks] = np.arange(len(starts))
    following = np.where(stays[by_rank], np.arange(len(starts)), len(starts))
    following = np.minimum.accumulate(following[::-1])[::-1][ranks]
    inside = following < ends
    targets: NDArray[np.int64] = lengths.repeat(lengths)
    targets[inside] = by_rank[following[inside]] - starts[inside]
    return targets

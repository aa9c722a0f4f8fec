"""Pairs of segments of earlier runs, from which an aligner learns what words stand for one another."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.corpus import ragged_rows, row_offsets
from kilter.core.links import LinkBatch

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

COLUMNS = 3
"""Of a row: the place that a word of the first segment is linked to, and two halves of the word's digest."""
_FREE, _SECOND = -1, -2
_HALF = 32


def word_digests(forms: Iterable[str]) -> NDArray[np.int64]:
    """Return a number for each word form, the same in every run; no two words share one but by accident.

    >>> one, other, again = word_digests(["a", "b", "a"]).tolist()
    >>> one == again, one == other
    (True, False)
    """
    raw = b"".join(
        blake2b(form.encode("utf-8", "surrogatepass"), digest_size=8).digest() for form in forms
    )
    return np.frombuffer(raw, dtype="<i8").astype(np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class TaughtPairs:
    """Words by digest, of segments one after another on both sides, and links between them."""

    first: NDArray[np.int64]
    first_offsets: NDArray[np.int64]
    second: NDArray[np.int64]
    second_offsets: NDArray[np.int64]
    links: LinkBatch

    def __len__(self) -> int:
        return len(self.links)

    def chosen(self, places: NDArray[np.int64]) -> TaughtPairs:
        """Return some pairs, in the order of places."""
        first, first_offsets = ragged_rows(self.first_offsets, places)
        second, second_offsets = ragged_rows(self.second_offsets, places)
        rows, offsets = ragged_rows(self.links.offsets, places)
        links = LinkBatch(np.ascontiguousarray(self.links.links[rows]), offsets)
        return TaughtPairs(
            self.first[first], first_offsets, self.second[second], second_offsets, links
        )

    def rows(self) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Return what a cache keeps: rows of the first segment's words, then of the second's, and offsets.

        >>> links = LinkBatch.of([[(1, 0)]])
        >>> taught = TaughtPairs(np.array([7, 8]), np.array([0, 2]), np.array([8]), np.array([0, 1]), links)
        >>> [part.tolist() for part in taught.rows()]
        [[[-1, 7, 0], [0, 8, 0], [-2, 8, 0]], [0, 3]]
        """
        linked = np.full(len(self.first), _FREE, dtype=np.int32)
        linked[self.first_offsets[self.links.segments()] + self.links.links[:, 0]] = (
            self.links.links[:, 1]
        )
        words = np.concatenate([self.first, self.second])
        marks = np.concatenate([linked, np.full(len(self.second), _SECOND, dtype=np.int32)])
        sizes = np.diff(self.first_offsets), np.diff(self.second_offsets)
        owner = np.concatenate([np.repeat(np.arange(len(self)), each) for each in sizes])
        order = np.argsort(owner, kind="stable")
        halves = words.view(np.uint64)
        low = (halves & np.uint64(2**_HALF - 1)).astype(np.uint32).view(np.int32)
        high = (halves >> np.uint64(_HALF)).astype(np.uint32).view(np.int32)
        return np.column_stack([marks, low, high])[order], row_offsets(sizes[0] + sizes[1])

    @classmethod
    def of_rows(cls, values: NDArray[np.int32], offsets: NDArray[np.int64]) -> TaughtPairs:
        """Return the pairs of rows, as `rows` has made them."""
        low, high = (values[:, k].astype(np.uint32).astype(np.uint64) for k in (1, 2))
        words = (high << np.uint64(_HALF) | low).view(np.int64)
        owner = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
        mine = values[:, 0] != _SECOND
        first_offsets, second_offsets = (
            row_offsets(np.bincount(owner[side], minlength=len(offsets) - 1).astype(np.int64))
            for side in (mine, ~mine)
        )
        places, own = values[mine, 0], owner[mine]
        within = np.arange(len(own)) - first_offsets[own]
        linked = places >= 0
        links = np.column_stack([within[linked], places[linked]]).astype(np.int32)
        counts = np.bincount(own[linked], minlength=len(offsets) - 1).astype(np.int64)
        batch = LinkBatch(np.ascontiguousarray(links), row_offsets(counts))
        return cls(words[mine], first_offsets, words[~mine], second_offsets, batch)

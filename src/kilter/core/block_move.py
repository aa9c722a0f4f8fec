"""Block moves: exchanges of two neighbouring blocks, and the smallest sets of them that sort permutations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kilter import _core
from kilter.core.permutation import Permutation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from kilter.core.permutation_batch import PermutationBatch

EFFORT = 2_000
"""Moves that are followed up for one permutation before its moves are found greedily."""


@dataclass(frozen=True, slots=True, order=True)
class BlockMove:
    """Elements start to middle and middle to end change places; zero-based, half-open.

    >>> BlockMove(0, 2, 3).apply(Permutation.from_one_based([2, 3, 1]))
    Permutation.from_one_based([1, 2, 3])
    """

    start: int
    middle: int
    end: int

    def apply(self, permutation: Permutation) -> Permutation:
        """Return the permutation after the move."""
        values = permutation.values
        parts = (
            values[: self.start],
            values[self.middle : self.end],
            values[self.start : self.middle],
            values[self.end :],
        )
        return Permutation(np.concatenate(parts))


class BlockMoveBatch:
    """For each permutation of a batch the smallest set of block moves that sorts it.

    The moves of segment s are rows `offsets[s]` to `offsets[s + 1]` of `moves` (start, middle, end), in the
    order in which they are made: positions are those that the moves before have left. `lower[s]` is the
    least number of moves that is proved to be needed; where it is the number of moves, the set is a smallest
    one (`exact`). Neighbours that stay neighbours are never torn apart, which takes no more moves. Of several
    smallest sets the one is taken that moves the fewest words (of two blocks the smaller moves), over
    the shortest way, then from the left; beyond the effort, the first that was found.

    >>> from kilter.core.permutation_input import as_batch
    >>> moves = BlockMoveBatch.of(as_batch([[1, 3, 4, 5, 0, 2], [0, 1]]))
    >>> moves.segment(0)
    (BlockMove(start=0, middle=4, end=5), BlockMove(start=2, middle=5, end=6))
    >>> [permutation.one_based() for permutation in moves.replay(0)]
    [(2, 4, 5, 6, 1, 3), (1, 2, 4, 5, 6, 3), (1, 2, 3, 4, 5, 6)]
    """

    def __init__(
        self,
        permutations: PermutationBatch,
        moves: NDArray[np.int32],
        offsets: NDArray[np.int64],
        lower: NDArray[np.int32],
    ) -> None:
        self.permutations = permutations
        self.moves = moves
        self.offsets = offsets
        self.lower = lower

    @classmethod
    def of(cls, permutations: PermutationBatch, *, effort: int = EFFORT) -> BlockMoveBatch:
        """Return the moves of all permutations; `effort` bounds the search for each of them."""
        found = _core.block_moves(
            permutations.values, permutations.offsets, effort, permutations.jobs
        )
        return cls(permutations, *found)

    def __len__(self) -> int:
        return len(self.lower)

    @property
    def counts(self) -> NDArray[np.int64]:
        """The number of moves of each permutation."""
        return np.diff(self.offsets)

    @property
    def exact(self) -> NDArray[np.bool_]:
        """Whether the moves of each permutation are proved to be as few as possible."""
        proved: NDArray[np.bool_] = self.counts == self.lower
        return proved

    def segment(self, segment: int) -> tuple[BlockMove, ...]:
        """Return the moves of a permutation."""
        rows = self.moves[self.offsets[segment] : self.offsets[segment + 1]].tolist()
        return tuple(BlockMove(*row) for row in rows)

    def replay(self, segment: int) -> Iterator[Permutation]:
        """Yield the permutation as it is, and after each of its moves; the last is the identity."""
        permutation = Permutation(self.permutations[segment])
        yield permutation
        for move in self.segment(segment):
            permutation = move.apply(permutation)
            yield permutation

    def steps(self) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """Yield the first moves of all segments that have any, the second moves, and so on.

        Each step is the rows of its moves, and, before they are made, an array that is as long as all
        permutations together and holds for each place the place in the batch where its element stood at first.
        The next step changes the array.
        """
        places = np.arange(len(self.permutations.values))
        counts = self.counts
        for step in range(int(counts.max(initial=0))):
            segments = np.flatnonzero(counts > step)
            rows = self.offsets[segments] + step
            yield rows, places
            starts = self.permutations.offsets[segments]
            begin, middle, end = (self.moves[rows].T + starts).astype(np.int64)
            borders = np.zeros(len(rows) + 1, dtype=np.int64)
            np.cumsum(end - begin, out=borders[1:])
            inside = np.arange(borders[-1]) - np.repeat(borders[:-1], end - begin)
            size, left = np.repeat(end - begin, end - begin), np.repeat(middle - begin, end - begin)
            first = np.repeat(begin, end - begin)
            places[first + inside] = places[first + (inside + left) % size]

    def __repr__(self) -> str:
        return f"BlockMoveBatch({len(self)} permutations, {len(self.moves)} moves)"

"""The two blocks of every move: which of them is misplaced, where it belongs, and what kind of error that is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kilter import _core
from kilter.structures.permutation.permutation_tree import Kind
from kilter.structures.result.order_error import Direction, ErrorKind
from kilter.structures.text.token_column import ragged_ranges, row_offsets

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.pipeline.explanation.ordered_word import OrderedWords
    from kilter.structures.permutation.block_move import BlockMoveBatch


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class MisplacedBlocks:
    """The two blocks of every move, in the rows of the moves; which of them is misplaced, and where it goes."""

    slots: NDArray[np.int64]
    """Slots of left and right blocks, one move after another."""
    left_begins: NDArray[np.int64]
    left_sizes: NDArray[np.int64]
    right_sizes: NDArray[np.int64]
    begins: NDArray[np.int64]
    sizes: NDArray[np.int64]
    directions: NDArray[np.int8]
    distances: NDArray[np.int32]
    anchors: NDArray[np.int64]
    """Twice the slot before which the block goes, less one; or twice the slot behind which it goes, and one."""
    belongs_before: NDArray[np.int32]

    @classmethod
    def of(cls, words: OrderedWords, moves: BlockMoveBatch) -> MisplacedBlocks:
        """Return the blocks of all moves, as the replay comes upon them."""
        segments = np.repeat(np.arange(len(moves)), moves.counts)
        starts = moves.permutations.offsets[segments]
        begin, middle, end = (moves.moves.T + starts).astype(np.int64)
        borders = row_offsets(end - begin)
        slots = np.empty(borders[-1], dtype=np.int64)
        ends = np.full(
            (2, len(begin)), -1, dtype=np.int64
        )  # slots before the left, behind the right
        last = moves.permutations.offsets[segments + 1]
        for rows, places in moves.steps():
            sizes = end[rows] - begin[rows]
            slots[ragged_ranges(borders[rows], sizes)] = places[ragged_ranges(begin[rows], sizes)]
            inner = rows[begin[rows] > starts[rows]]
            ends[0, inner] = places[begin[inner] - 1]
            inner = rows[end[rows] < last[rows]]
            ends[1, inner] = places[end[inner]]
        left, right = middle - begin, end - middle
        begins = borders[:-1]
        goes_left = _right_moves(words, slots, begins, left, right, segments)
        sizes = np.where(goes_left, right, left)
        own = np.where(goes_left, begins + left, begins)
        stays = np.ones(len(words.positions), dtype=bool)
        stays[slots[ragged_ranges(own, sizes)]] = False
        passed = np.where(goes_left, begins, begins + left)
        nearest = _nearest(slots, passed, left + right - sizes, goes_left, stays)
        outer = np.where(goes_left, ends[0], ends[1])
        # A place is named by a word that stays: what the block then stands beside, inside or outside of what
        # it passes over, or else the nearest word that it passes over.
        edge = slots[np.where(goes_left, begins, begins + left + right - 1)]
        outside = ~stays[edge] & (outer >= 0) & stays[outer]
        beside = np.where(stays[edge], edge, np.where(outside, outer, nearest))
        behind = goes_left == outside
        anchors = np.where(behind, 2 * beside + 1, 2 * beside - 1)
        place = words.positions[beside] + behind
        at_end = ~goes_left & (outer < 0)
        return cls(
            slots=slots,
            left_begins=begins,
            left_sizes=left,
            right_sizes=right,
            begins=own,
            sizes=sizes,
            directions=np.where(goes_left, Direction.LEFT, Direction.RIGHT).astype(np.int8),
            distances=np.where(goes_left, left, right).astype(np.int32),
            anchors=anchors,
            belongs_before=np.where(at_end, words.hypothesis_lengths[segments], place).astype(
                np.int32
            ),
        )


def _nearest(
    slots: NDArray[np.int64],
    begins: NDArray[np.int64],
    sizes: NDArray[np.int64],
    first: NDArray[np.bool_],
    stays: NDArray[np.bool_],
) -> NDArray[np.int64]:
    """Return the first or the last word of each block that stays where it is; if none does, of all."""
    if not len(begins):
        return np.zeros(0, dtype=np.int64)
    rows = ragged_ranges(begins, sizes)
    borders = row_offsets(sizes)[:-1]
    low = np.minimum.reduceat(np.where(stays[slots[rows]], rows, len(slots)), borders)
    high = np.maximum.reduceat(np.where(stays[slots[rows]], rows, -1), borders)
    low = np.where(low == len(slots), begins, low)
    high = np.where(high < 0, begins + sizes - 1, high)
    return slots[np.where(first, low, high)]


def _right_moves(
    words: OrderedWords,
    slots: NDArray[np.int64],
    begins: NDArray[np.int64],
    left: NDArray[np.int64],
    right: NDArray[np.int64],
    segments: NDArray[np.int64],
) -> NDArray[np.bool_]:
    """Return whether the right block is the misplaced one.

    It is the block of fewer words. Of equally many words: with trees the one that is a whole
    subtree, if the other is none; else the one of fewer letters; else the left one.
    """
    sums = np.zeros(len(slots) + 1, dtype=np.int64)
    np.cumsum(words.letters[slots], out=sums[1:])
    middles = begins + left
    left_letters = sums[middles] - sums[begins]
    right_letters = sums[middles + right] - sums[middles]
    chosen: NDArray[np.bool_] = (right < left) | ((right == left) & (right_letters < left_letters))
    if words.heads is not None:
        for row in np.flatnonzero((left == right) & (left > 1)).tolist():
            one = _is_subtree(words, slots[begins[row] : middles[row]], int(segments[row]))
            other = _is_subtree(
                words, slots[middles[row] : middles[row] + right[row]], int(segments[row])
            )
            if one != other:
                chosen[row] = other
    return chosen


def _is_subtree(words: OrderedWords, slots: NDArray[np.int64], segment: int) -> bool:
    """Return whether the words from the first to the last of a block are all that hangs on one of them."""
    if words.heads is None:
        return False
    begin, end = words.hypothesis_offsets[segment : segment + 2].tolist()
    heads = words.heads[begin:end]
    places = words.positions[slots]
    low, high = int(places.min()), int(places.max()) + 1
    inside = np.zeros(end - begin, dtype=bool)
    inside[low:high] = True
    hangs_inside = (heads >= low) & (heads < high)
    tops = int((inside & ~hangs_inside).sum())
    return tops == 1 and not bool((~inside & hangs_inside).any())


def error_kinds(
    words: OrderedWords, moves: BlockMoveBatch, found: MisplacedBlocks
) -> NDArray[np.int8]:
    """Return what kind of error each move is."""
    small = np.minimum(found.left_sizes, found.right_sizes)
    large = np.maximum(found.left_sizes, found.right_sizes)
    kinds = np.where(small == 1, ErrorKind.WORD, ErrorKind.PHRASE)
    kinds[large == 1] = ErrorKind.SWAP
    alike = (small > 1) & (2 * large < 3 * small)
    if words.heads is not None:
        segments = np.repeat(np.arange(len(moves)), moves.counts)
        for row in np.flatnonzero(alike).tolist():
            begin, left = int(found.left_begins[row]), int(found.left_sizes[row])
            blocks = np.split(
                found.slots[begin : begin + left + int(found.right_sizes[row])], [left]
            )
            one, other = (_is_subtree(words, block, int(segments[row])) for block in blocks)
            alike[row] = one == other
    kinds[alike] = ErrorKind.INVERSION
    apart, again = _entangled(found)
    rows = np.flatnonzero(again & ~apart)
    apart[rows[_stem_from_prime(moves, found, rows)]] = True
    kinds[apart] = ErrorKind.COMPLEX
    return kinds.astype(np.int8)


def _entangled(found: MisplacedBlocks) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return whether a misplaced block stood apart at first, and whether one of its words moves again."""
    if not len(found.sizes):
        return np.zeros(0, dtype=bool), np.zeros(0, dtype=bool)
    moved = found.slots[ragged_ranges(found.begins, found.sizes)]
    borders = row_offsets(found.sizes)[:-1]
    low, high = np.minimum.reduceat(moved, borders), np.maximum.reduceat(moved, borders)
    times = np.bincount(moved)[moved]
    return high - low + 1 != found.sizes, np.maximum.reduceat(times, borders) > 1


def _stem_from_prime(
    moves: BlockMoveBatch, found: MisplacedBlocks, rows: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Return whether the least node of the permutation tree over both blocks has four or more children."""
    prime = np.zeros(len(rows), dtype=bool)
    if not len(rows):
        return prime
    sizes = (found.left_sizes + found.right_sizes)[rows]
    slots = found.slots[ragged_ranges(found.left_begins[rows], sizes)]
    borders = row_offsets(sizes)[:-1]
    segments = np.searchsorted(moves.offsets, rows, side="right") - 1
    starts = moves.permutations.offsets[segments]
    low = np.minimum.reduceat(slots, borders) - starts
    high = np.maximum.reduceat(slots, borders) + 1 - starts
    cuts = np.flatnonzero(np.diff(segments)) + 1
    for part in np.split(np.arange(len(rows)), cuts):
        kind, start, end, *_ = _core.tree(moves.permutations[int(segments[part[0]])])
        # In preorder the last node that covers something is the least one.
        covers = (start <= low[part, None]) & (end >= high[part, None])
        least = covers.shape[1] - 1 - np.argmax(covers[:, ::-1], axis=1)
        prime[part] = kind[least] == Kind.PRIME
    return prime

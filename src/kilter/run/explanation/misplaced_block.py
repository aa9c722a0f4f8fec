"""The two blocks of every move, and which of them is misplaced."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kilter.core.corpus import ragged_ranges, row_offsets
from kilter.run.explanation.located_error import Block, Move

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.core.block_move import BlockMoveBatch
    from kilter.run.explanation.ordered_word import OrderedWords


def segment_moves(words: OrderedWords, moves: BlockMoveBatch) -> list[list[Move]]:
    """Return for each segment the blocks of its moves, as the replay comes upon them, in its own slots."""
    segments = np.repeat(np.arange(len(moves)), moves.counts)
    starts = moves.permutations.offsets[segments]
    begin, middle, end = (moves.moves.T + starts).astype(np.int64)
    borders = row_offsets(end - begin)
    slots = np.empty(borders[-1], dtype=np.int64)
    for rows, places in moves.steps():
        sizes = end[rows] - begin[rows]
        slots[ragged_ranges(borders[rows], sizes)] = places[ragged_ranges(begin[rows], sizes)]
    left, right = middle - begin, end - middle
    begins = borders[:-1]
    subtrees = _subtrees(words, slots, begins, left, right, segments)
    goes_left = _right_moves(words, moves, slots, begins, left, right, segments, subtrees)
    small, large = np.minimum(left, right), np.maximum(left, right)
    alike = (small > 1) & (2 * large < 3 * small) & (subtrees[0] == subtrees[1])
    every = (slots - np.repeat(starts, end - begin)).tolist()
    found: list[list[Move]] = [[] for _ in range(len(moves))]
    columns = (segments, begins, begins + left, borders[1:], goes_left, alike)
    for segment, at, cut, last, leftwards, like in zip(
        *(column.tolist() for column in columns), strict=True
    ):
        first, second = tuple(every[at:cut]), tuple(every[cut:last])
        moved, passed = (second, first) if leftwards else (first, second)
        found[segment].append(Move(moved, passed, like))
    return found


def _subtrees(
    words: OrderedWords,
    slots: NDArray[np.int64],
    begins: NDArray[np.int64],
    left: NDArray[np.int64],
    right: NDArray[np.int64],
    segments: NDArray[np.int64],
) -> NDArray[np.bool_]:
    """Return in two rows whether the left and the right block are whole subtrees, where their sizes are alike."""
    found = np.zeros((2, len(left)), dtype=bool)
    if words.heads is not None:
        small, large = np.minimum(left, right), np.maximum(left, right)
        for row in np.flatnonzero((small > 1) & (2 * large < 3 * small)).tolist():
            cut = begins[row] + left[row]
            found[0, row] = _is_subtree(words, slots[begins[row] : cut], int(segments[row]))
            found[1, row] = _is_subtree(words, slots[cut : cut + right[row]], int(segments[row]))
    return found


def _right_moves(
    words: OrderedWords,
    moves: BlockMoveBatch,
    slots: NDArray[np.int64],
    begins: NDArray[np.int64],
    left: NDArray[np.int64],
    right: NDArray[np.int64],
    segments: NDArray[np.int64],
    subtrees: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Return whether the right block is the misplaced one.

    It is the block of fewer words. Of equally many words: with trees the one that is a whole
    subtree, if the other is none; else the one that has the shorter way to its place in the right order; else
    the one of fewer letters; else the left one.
    """
    sums = np.zeros(len(slots) + 1, dtype=np.int64)
    np.cumsum(words.letters[slots], out=sums[1:])
    middles = begins + left
    left_letters = sums[middles] - sums[begins]
    right_letters = sums[middles + right] - sums[middles]
    chosen: NDArray[np.bool_] = (right < left) | ((right == left) & (right_letters < left_letters))
    # Where there is one move only, both blocks have the same way.
    rows = np.flatnonzero((left == right) & (moves.counts[segments] > 1))
    orders: dict[int, tuple[list[int], list[int]]] = {}
    starts = moves.permutations.offsets[segments[rows]]
    ends = middles[rows] + right[rows]
    columns = (rows, segments[rows], starts, begins[rows], middles[rows], ends)
    for row, segment, start, begin, middle, end in zip(
        *(column.tolist() for column in columns), strict=True
    ):
        if segment not in orders:
            values = moves.permutations[segment]
            orders[segment] = values.tolist(), [*np.argsort(values).tolist(), len(values)]
        order, places = orders[segment]
        both = slots[begin:end].tolist()
        blocks = [
            Block.of(order, [slot - start for slot in part])
            for part in (both[: middle - begin], both[middle - begin :])
        ]
        ways = [abs(block.way(places, places[block.goes_before])) for block in blocks]
        if ways[0] != ways[1]:
            chosen[row] = ways[1] < ways[0]
    differ = (left == right) & (subtrees[0] != subtrees[1])
    chosen[differ] = subtrees[1, differ]
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

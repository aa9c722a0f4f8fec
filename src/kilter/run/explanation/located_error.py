"""Errors of one segment: misplaced blocks that go to their place in the right order, each word in one error alone."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kilter.core.corpus import ragged_ranges, row_offsets
from kilter.results.explanation import ErrorKind

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from numpy.typing import NDArray

    from kilter.core.block_move import BlockMoveBatch
    from kilter.run.explanation.ordered_word import OrderedWords


class Block(NamedTuple):
    """Words that move together, as their places in the right order, rising; they go before the next place."""

    ranks: tuple[int, ...]

    @classmethod
    def of(cls, order: Sequence[int], slots: Sequence[int]) -> Block:
        """Return the block of the words in these slots; `order` has the place of each in the right order."""
        return cls(tuple(sorted([order[slot] for slot in slots])))

    @property
    def goes_before(self) -> int:
        """The place in the right order that follows the block."""
        return self.ranks[-1] + 1

    def way(self, slots: Sequence[int], target: int) -> int:
        """Return how many other words the block passes over to stand before `target`; less than 0: to the left.

        `slots` says where the word of each place of the right order stands. Where words of the block stand
        apart it is the longest of their ways.

        >>> Block((0,)).way([2, 0, 1], 0), Block((1, 2)).way([2, 0, 1], 3)
        (-2, 1)
        """
        if len(self.ranks) == 1:
            slot = slots[self.ranks[0]]
            return target - slot - (slot < target)
        own = sorted([slots[rank] for rank in self.ranks])
        before = target - bisect_left(own, target)
        ways = [before - (slot - count) for count, slot in enumerate(own)]
        return max(ways, key=abs)


class WordSlots(NamedTuple):
    """Where the word of each place of the right order stands, and where words go: before the next that stays."""

    order: Sequence[int]
    slots: list[int]
    targets: list[int]

    @classmethod
    def of(cls, order: Sequence[int], moved: Collection[int]) -> WordSlots:
        """Return them for an order of which the words in the slots `moved` are misplaced.

        >>> WordSlots.of([2, 0, 3, 1], {3})
        WordSlots(order=[2, 0, 3, 1], slots=[1, 3, 0, 2], targets=[1, 0, 0, 2, 4])
        """
        slots = [0] * len(order)
        for slot, rank in enumerate(order):
            slots[rank] = slot
        targets = [*slots, len(order)]
        for rank in range(len(order) - 1, -1, -1):
            if slots[rank] in moved:
                targets[rank] = targets[rank + 1]
        return cls(order, slots, targets)

    def way(self, block: Block) -> int:
        """Return how many words the block passes over to its place among those that stay.

        One that is there already is in disorder with other misplaced words: then to the word that follows it.
        """
        way = block.way(self.slots, self.targets[block.goes_before])
        if way or block.goes_before == len(self.order):
            return way
        return block.way(self.slots, self.slots[block.goes_before])

    def stays_before(self, place: int) -> int:
        """Return the first place of the right order from this one on whose word no error moves; the end if there is none.

        >>> WordSlots.of([2, 0, 3, 1], {3}).stays_before(1)
        2
        """
        while place < len(self.order) and self.slots[place] != self.targets[place]:
            place += 1
        return place

    def righted(self, block: Block, way: int) -> int:
        """Return the words among those passed over on the way that the block is in the wrong order with.

        Others may be passed over that are misplaced themselves, and stand on the right side of the block.
        """
        own = [self.slots[rank] for rank in block.ranks]
        if way > 0:
            end = max(own) + 1
            return sum(rank < block.ranks[0] for rank in self.order[end : end + way])
        start = min(own)
        return -sum(rank > block.ranks[-1] for rank in self.order[start + way : start])


class LocatedError(NamedTuple):
    """One error: what moves, the words that are out of place, and how far the longest way is."""

    kind: ErrorKind
    words: tuple[int, ...]
    """Slots, rising; the words of a swap or an inversion that stay are among them."""
    moved: tuple[int, ...]
    goes_before: int
    """The place in the right order that follows the last of the words that move."""
    stays: int
    """The first place from there on whose word no error moves."""
    way: int
    """Words that are passed over, to their place before the next word that no error moves; less than 0: to the left."""


class Move(NamedTuple):
    """A move as it is found: the slots of the block that is misplaced, and of the one it passes over."""

    moved: tuple[int, ...]
    passed: tuple[int, ...]
    alike: bool
    """Whether neither block can be called the one that moved."""


def located(order: Sequence[int], moves: Sequence[Move]) -> list[LocatedError]:
    """Return the errors that moves are, in the order of the moves; those that share words are one error."""
    if len(moves) == 1:  # as in most segments: the block passes over the other, and all is in order
        (move,) = moves
        return [_single(move, Block.of(order, move.moved), _passed_way(move))]
    slots = WordSlots.of(order, {slot for move in moves for slot in move.moved})
    errors = []
    for group in _groups(moves):
        if len(group) == 1:
            block = Block.of(order, group[0].moved)
            (move,) = group
            error = _single(move, block, slots.way(block) or _passed_way(move))
            if error.kind is not ErrorKind.COMPLEX:
                error = error._replace(way=slots.righted(block, error.way) or error.way)
            errors.append(error)
        else:
            errors.append(_joined(order, slots, group))
    errors = [error._replace(stays=slots.stays_before(error.goes_before)) for error in errors]
    named = [slot for error in errors for slot in error.words]
    if len({*named}) == len(named):
        return errors
    times = Counter(named)
    return [
        _alone(error) if any(times[slot] > 1 for slot in error.words) else error for error in errors
    ]


def _passed_way(move: Move) -> int:
    """Return how many words a move passes over; less than 0: to the left."""
    return len(move.passed) if move.moved[0] < move.passed[0] else -len(move.passed)


def _groups(moves: Sequence[Move]) -> list[list[Move]]:
    """Return moves together with those that move some of the same words, directly or by others."""
    if len({slot for move in moves for slot in move.moved}) == sum(len(m.moved) for m in moves):
        return [[move] for move in moves]
    groups: list[tuple[set[int], list[int]]] = []
    for number, move in enumerate(moves):
        words, members = {*move.moved}, [number]
        apart = []
        for group in groups:
            if words.isdisjoint(group[0]):
                apart.append(group)
            else:
                words |= group[0]
                members += group[1]
        groups = [*apart, (words, sorted(members))]
    groups.sort(key=lambda group: group[1][0])
    return [[moves[number] for number in members] for _, members in groups]


def _single(move: Move, block: Block, way: int) -> LocatedError:
    """Return the error that one move is."""
    moved = tuple(sorted(move.moved)) if len(move.moved) > 1 else move.moved
    first, last = moved[0], moved[-1]
    words, kind = moved, ErrorKind.WORD if len(moved) == 1 else ErrorKind.PHRASE
    if last - first + 1 != len(moved):
        kind = ErrorKind.COMPLEX
    elif move.alike or len(moved) == abs(way) == 1:
        around = tuple(range(first, last + 1 + way) if way > 0 else range(first + way, last + 1))
        if len(moved) == 1:
            words, kind = around, ErrorKind.SWAP
        elif {*around} - {*moved} == {*move.passed}:
            words, kind = around, ErrorKind.INVERSION
    return LocatedError(kind, words, moved, block.goes_before, block.goes_before, way)


def _joined(order: Sequence[int], slots: WordSlots, moves: Sequence[Move]) -> LocatedError:
    """Return one error for moves that share words: each run of words goes to its own place."""
    moved = tuple(sorted({slot for move in moves for slot in move.moved}))
    ranks = sorted(order[slot] for slot in moved)
    cuts = [0, *(at + 1 for at, (one, two) in enumerate(pairwise(ranks)) if two != one + 1)]
    blocks = [Block(tuple(ranks[start:end])) for start, end in pairwise((*cuts, len(ranks)))]
    ways = [slots.way(block) for block in blocks]
    # Words of a run may be in another order: then some go further than it does.
    way = max(*ways, *(order[slot] - slot for slot in moved), key=abs)
    return LocatedError(ErrorKind.COMPLEX, moved, moved, ranks[-1] + 1, ranks[-1] + 1, way)


def _alone(error: LocatedError) -> LocatedError:
    """Return an error without the words it passes over: they are out of place themselves."""
    if error.words == error.moved:
        return error
    kind = ErrorKind.WORD if len(error.moved) == 1 else ErrorKind.PHRASE
    return error._replace(kind=kind, words=error.moved)


SHORT_WAY = 3
"""Linked words that a block must pass over to be far from its place."""
LOOSE_DOUBT, NEAR_DOUBT = 5.0, 2.0
"""How much faster doubt grows for words that are short or repeated, and for a short way."""


def error_certainty(
    words: OrderedWords,
    starts: NDArray[np.int64],
    errors: Sequence[LocatedError],
    segments: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Return a number from 0 to 1 for each error: how far to trust that it is one.

    It is the certainty of the least certain link of the words that move, times 1 - d (1 + 5 loose + 2 near), at least
    0. d is the share of words without a link in the sentence; `loose` is 1 where every moved word has fewer than four
    letters or occurs twice in a sentence, and `near` where they pass over fewer than three linked words. So all is
    certain where every word is linked, but for errors of punctuation alone, which have 0. Chosen on outputs of WMT 2012
    that were read.
    """
    missing = 1.0 - words.linked_shares[segments]
    links, loose = np.ones(len(errors)), np.zeros(len(errors))
    for row, error in enumerate(errors):
        slots = starts[row] + np.array(error.moved, dtype=np.int64)
        links[row] = 0.0 if words.marks[slots].all() else words.trust[slots].min()
        loose[row] = bool(words.loose[slots].all())
    near = np.array([abs(error.way) < SHORT_WAY for error in errors], dtype=np.float64)
    certainty: NDArray[np.float64] = links * np.maximum(
        1.0 - missing * (1.0 + LOOSE_DOUBT * loose + NEAR_DOUBT * near), 0.0
    )
    return certainty


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

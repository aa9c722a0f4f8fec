"""Errors of one segment: blocks that go to their place in the right order, each word in one error alone."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from kilter.structures.result.order_error import ErrorKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@dataclass(frozen=True, slots=True)
class Block:
    """Words that move together, as their places in the right order, rising; they go before the next place.

    >>> Block((0,)).way([1, 2, 0], [2, 0, 1]), Block((1, 2)).way([1, 2, 0], [2, 0, 1])
    (-2, 1)
    """

    ranks: tuple[int, ...]

    @property
    def goes_before(self) -> int:
        """The place in the right order that follows the block."""
        return self.ranks[-1] + 1

    def way(self, order: Sequence[int], slots: Sequence[int]) -> int:
        """Return how many other words the block passes over to the right; less than 0: to the left.

        `order` has the place of each word in the right order, `slots` where the word of each place stands.
        Where words of the block stand apart it is the longest of their ways.
        """
        target = slots[self.goes_before] if self.goes_before < len(order) else len(order)
        own = sorted(slots[rank] for rank in self.ranks)
        before = target - sum(slot < target for slot in own)
        return max((before - (slot - count) for count, slot in enumerate(own)), key=abs)


@dataclass(frozen=True, slots=True, kw_only=True)
class LocatedError:
    """One error: what moves, the words that are out of place, and how far the longest way is."""

    kind: ErrorKind
    blocks: tuple[Block, ...]
    words: tuple[int, ...]
    """Slots, rising; the words of a swap or an inversion that stay are among them."""
    moved: tuple[int, ...]
    way: int

    @property
    def goes_before(self) -> int:
        """The place in the right order that follows the last of the words that move."""
        return max(block.goes_before for block in self.blocks)


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """A move as it is found: the slots of the block that is misplaced, and of the one it passes over."""

    moved: tuple[int, ...]
    passed: tuple[int, ...]
    alike: bool
    """Whether neither block can be called the one that moved."""


def repaired(order: Sequence[int], blocks: Iterable[Block]) -> list[int]:
    """Return the places of words in the right order after blocks went where they belong.

    Where the word that a block goes before is itself in one of the blocks, the block goes there along with it.

    >>> repaired([5, 6, 7, 4, 0, 1, 2, 3], [Block((4,))])
    [4, 5, 6, 7, 0, 1, 2, 3]
    >>> repaired([5, 6, 7, 4, 0, 1, 2, 3], [Block((4,)), Block((5, 6, 7))])
    [0, 1, 2, 3, 4, 5, 6, 7]
    """
    before = {block.goes_before: block.ranks for block in blocks}
    moved = {rank for ranks in before.values() for rank in ranks}
    found: list[int] = []
    for stays in (*(rank for rank in order if rank not in moved), len(order)):
        # Of the words on the pile each is looked at twice: first for what goes before it.
        pile = [(stays, False)]
        while pile:
            rank, ready = pile.pop()
            if ready or rank not in before:
                found.append(rank)
            else:
                pile.append((rank, True))
                pile += [(each, False) for each in reversed(before[rank])]
    found.pop()
    return found


def located(order: Sequence[int], moves: Sequence[Move]) -> list[LocatedError]:
    """Return the errors that moves are, in the order of the moves; those that share words are one error."""
    slots = [0] * len(order)
    for slot, rank in enumerate(order):
        slots[rank] = slot
    errors = []
    for group in _groups(moves):
        if len(group) == 1:
            errors.append(_single(order, slots, group[0]))
        else:
            errors.append(_joined(order, slots, group))
    times: dict[int, int] = {}
    for error in errors:
        for slot in error.words:
            times[slot] = times.get(slot, 0) + 1
    return [
        _alone(error) if any(times[slot] > 1 for slot in error.words) else error for error in errors
    ]


def _groups(moves: Sequence[Move]) -> list[list[Move]]:
    """Return moves together with those that move some of the same words, directly or by others."""
    groups: list[tuple[set[int], list[int]]] = []
    for number, move in enumerate(moves):
        words, members = {*move.moved}, [number]
        apart = []
        for group in groups:
            if group[0] & words:
                words |= group[0]
                members += group[1]
            else:
                apart.append(group)
        groups = [*apart, (words, sorted(members))]
    groups.sort(key=lambda group: group[1][0])
    return [[moves[number] for number in members] for _, members in groups]


def _single(order: Sequence[int], slots: Sequence[int], move: Move) -> LocatedError:
    moved = tuple(sorted(move.moved))
    block = Block(tuple(sorted(order[slot] for slot in moved)))
    way = block.way(order, slots)
    whole = moved[-1] - moved[0] + 1 == len(moved)
    over = range(moved[-1] + 1, moved[-1] + way + 1) if way > 0 else range(moved[0] + way, moved[0])
    words, kind = moved, ErrorKind.COMPLEX
    if whole and len(moved) == abs(way) == 1:
        words, kind = tuple(sorted((*moved, *over))), ErrorKind.SWAP
    elif whole and move.alike and [*over] == sorted(move.passed):
        words, kind = tuple(sorted((*moved, *over))), ErrorKind.INVERSION
    elif whole:
        kind = ErrorKind.WORD if len(moved) == 1 else ErrorKind.PHRASE
    return LocatedError(kind=kind, blocks=(block,), words=words, moved=moved, way=way)


def _joined(order: Sequence[int], slots: Sequence[int], moves: Sequence[Move]) -> LocatedError:
    """Return one error for moves that share words: each run of words goes to its own place."""
    moved = tuple(sorted({slot for move in moves for slot in move.moved}))
    ranks = sorted(order[slot] for slot in moved)
    cuts = [0, *(at + 1 for at, (one, two) in enumerate(pairwise(ranks)) if two != one + 1)]
    blocks = tuple(Block(tuple(ranks[start:end])) for start, end in pairwise((*cuts, len(ranks))))
    ways = [block.way(order, slots) for block in blocks]
    # Words of a run may be in another order: then some go further than it does.
    way = max(*ways, *(order[slot] - slot for slot in moved), key=abs)
    return LocatedError(kind=ErrorKind.COMPLEX, blocks=blocks, words=moved, moved=moved, way=way)


def _alone(error: LocatedError) -> LocatedError:
    """Return an error without the words it passes over: they are out of place themselves."""
    if error.words == error.moved:
        return error
    kind = ErrorKind.WORD if len(error.moved) == 1 else ErrorKind.PHRASE
    return LocatedError(
        kind=kind, blocks=error.blocks, words=error.moved, moved=error.moved, way=error.way
    )

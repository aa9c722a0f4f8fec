"""Errors of one segment: blocks, their ways, and what putting them right does."""

from itertools import permutations as all_orders

import numpy as np

from kilter.core.block_move import BlockMoveBatch
from kilter.core.permutation_input import as_batch
from kilter.results.explanation import ErrorKind
from kilter.run.explanation.located_error import Block, LocatedError, Move, located
from kilter.run.explanation.repair import Repairs

ORDERS = [[*order] for size in range(1, 7) for order in all_orders(range(size))]


def errors_of(number: int, batch: BlockMoveBatch) -> list[LocatedError]:
    """Return the errors of a permutation, of whose blocks the smaller moves."""
    order, moves = ORDERS[number], []
    slots = [*range(len(order))]
    for move in batch.segment(number):
        left, right = slots[move.start : move.middle], slots[move.middle : move.end]
        moved, passed = (right, left) if len(right) < len(left) else (left, right)
        moves.append(Move(moved=tuple(moved), passed=tuple(passed), alike=False))
        slots[move.start : move.end] = right + left
    return located(order, moves)


def test_all_errors_together_restore_every_order_and_share_no_word() -> None:
    batch = BlockMoveBatch.of(as_batch(ORDERS))
    found = [errors_of(number, batch) for number in range(len(ORDERS))]
    moved = [[error.moved for error in errors] for errors in found]
    every = np.arange(len(ORDERS))
    counts = np.array([len(errors) for errors in found])
    put = Repairs.of(as_batch(ORDERS), moved).orders(every, np.zeros_like(every), counts)
    for number, errors in enumerate(found):
        assert put[number].tolist() == sorted(ORDERS[number])
        words = [slot for error in errors for slot in error.words]
        assert len(words) == len(set(words))
        assert all(error.way for error in errors)


def test_the_way_of_words_that_stand_apart_is_the_longest_of_theirs() -> None:
    order = [1, 0, 4, 2, 3]
    slots = [order.index(rank) for rank in range(5)]
    assert Block((1, 4)).way(slots, 5) == 3
    assert Block((4,)).way(slots, 5) == 2


def test_neighbours_that_changed_places_are_a_swap_unless_the_other_moves_too() -> None:
    swap = Move(moved=(1,), passed=(0,), alike=False)
    (error,) = located([1, 0, 2], [swap])
    assert (error.kind, error.words, error.moved, error.way) == (ErrorKind.SWAP, (0, 1), (1,), -1)
    other = Move(moved=(2,), passed=(0, 1), alike=False)
    errors = located([2, 1, 0], [swap, other])
    assert [(error.kind, error.way) for error in errors] == [
        (ErrorKind.SWAP, -1),
        (ErrorKind.WORD, -2),
    ]
    # The second word passes over the first, which moves itself: no swap of the two.
    both = [
        Move(moved=(0,), passed=(1, 2), alike=False),
        Move(moved=(1,), passed=(2,), alike=False),
    ]
    errors = located([2, 1, 0, 3], both)
    assert [(error.kind, error.way) for error in errors] == [
        (ErrorKind.WORD, 2),
        (ErrorKind.SWAP, 1),
    ]


def test_blocks_of_like_size_are_inverted_if_one_passes_over_the_other_alone() -> None:
    move = Move(moved=(0, 1), passed=(2, 3), alike=True)
    (error,) = located([2, 3, 0, 1], [move])
    assert (error.kind, error.words) == (ErrorKind.INVERSION, (0, 1, 2, 3))
    further = located([3, 4, 1, 2, 0], [move, Move(moved=(4,), passed=(2, 3, 0, 1), alike=False)])
    assert [error.kind for error in further] == [ErrorKind.PHRASE, ErrorKind.WORD]


def test_shuffled_words_of_any_number_have_errors_that_restore_their_order() -> None:
    """Where every word moves, no place is left before which words could belong."""
    chance = np.random.default_rng(5)
    orders = [chance.permutation(size).tolist() for size in range(2, 46) for _ in range(6)]
    batch = BlockMoveBatch.of(as_batch(orders))
    found = []
    for number, order in enumerate(orders):
        moves, slots = [], [*range(len(order))]
        for move in batch.segment(number):
            left, right = slots[move.start : move.middle], slots[move.middle : move.end]
            moved, passed = (right, left) if len(right) < len(left) else (left, right)
            moves.append(Move(moved=tuple(moved), passed=tuple(passed), alike=False))
            slots[move.start : move.end] = right + left
        errors = located(order, moves)
        found.append([error.moved for error in errors])
        moved_words = {slot for error in errors for slot in error.moved}
        for error in errors:
            assert error.way
            assert error.stays == len(order) or order.index(error.stays) not in moved_words
            assert error.stays >= error.goes_before
    every = np.arange(len(orders))
    counts = np.array([len(moved) for moved in found])
    put = Repairs.of(as_batch(orders), found).orders(every, np.zeros_like(every), counts)
    for number, order in enumerate(orders):
        assert put[number].tolist() == [*range(len(order))]

"""Block moves of permutations."""

import numpy as np

from kilter.core.block_move import BlockMove, BlockMoveBatch
from kilter.core.permutation import Permutation
from kilter.core.permutation_input import as_batch


def test_a_move_exchanges_two_neighbouring_blocks() -> None:
    moved = BlockMove(1, 2, 4).apply(Permutation([0, 3, 1, 2, 4]))
    assert moved == Permutation.identity(5)


def test_a_replay_begins_as_it_is_and_ends_in_order() -> None:
    moves = BlockMoveBatch.of(as_batch([[], [0], [3, 2, 1, 0]]))
    assert [len(list(moves.replay(segment))) for segment in range(3)] == [1, 1, 4]
    first, *_, last = moves.replay(2)
    assert first == Permutation.reversal(4)
    assert last == Permutation.identity(4)
    assert moves.exact.tolist() == [True, True, True]


def test_steps_say_where_every_word_stood_at_first() -> None:
    batch = as_batch([[1, 0], [0, 1], [2, 1, 0]])
    moves = BlockMoveBatch.of(batch)
    seen = []
    for rows, places in moves.steps():
        seen.append(rows.tolist())
        segments = np.searchsorted(moves.offsets, rows, side="right") - 1
        for row, segment in zip(rows.tolist(), segments.tolist(), strict=True):
            before = list(moves.replay(segment))[row - int(moves.offsets[segment])]
            own = slice(*batch.offsets[segment : segment + 2].tolist())
            assert batch.values[places[own]].tolist() == list(before)
    assert seen == [[0, 1], [2]]


def test_a_batch_says_how_much_it_holds() -> None:
    assert repr(BlockMoveBatch.of(as_batch([[1, 0]]))) == "BlockMoveBatch(1 permutations, 1 moves)"

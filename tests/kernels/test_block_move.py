"""The smallest sets of block moves: against exhaustive search, at all sizes, within bounds."""

from itertools import permutations as all_permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter import _core
from kilter.core.block_move import EFFORT, BlockMoveBatch
from kilter.core.permutation import Permutation
from kilter.core.permutation_input import as_batch
from tests.oracles.block_move import cheapest, distances
from tests.strategies import permutations
from tests.thorough import tried

MUCH = 10**6


def _replayed(values: np.ndarray, moves: np.ndarray) -> list[int]:
    state: list[int] = values.tolist()
    for start, middle, end in moves.tolist():
        assert 0 <= start < middle < end <= len(state)
        state[start:end] = state[middle:end] + state[start:middle]
    return state


@pytest.mark.parametrize("size", range(8))
def test_no_set_of_moves_is_smaller_for_any_permutation_up_to_seven_words(size: int) -> None:
    expected = distances(size)
    batch = as_batch([list(each) for each in expected])
    moves = BlockMoveBatch.of(batch, effort=MUCH)
    assert moves.counts.tolist() == list(expected.values())
    assert moves.exact.all()
    for segment in range(len(batch)):
        rows = moves.moves[moves.offsets[segment] : moves.offsets[segment + 1]]
        assert _replayed(batch[segment], rows) == list(range(size))


@pytest.mark.parametrize("size", range(8))
def test_the_usual_effort_suffices_for_seven_words(size: int) -> None:
    expected = distances(size)
    moves = BlockMoveBatch.of(as_batch([list(each) for each in expected]), effort=EFFORT)
    assert moves.counts.tolist() == list(expected.values())


@pytest.mark.parametrize("size", range(7))
def test_of_smallest_sets_the_one_of_fewest_words_and_shortest_ways_is_taken(size: int) -> None:
    expected = cheapest(size)
    moves = BlockMoveBatch.of(as_batch([list(each) for each in expected]), effort=MUCH)
    for segment, (permutation, cost) in enumerate(expected.items()):
        blocks = [(m.middle - m.start, m.end - m.middle) for m in moves.segment(segment)]
        found = (len(blocks), sum(map(min, blocks)), sum(map(max, blocks)))
        assert found == cost, permutation


def test_distances_of_parts_do_not_add_up_and_are_not_added() -> None:
    part, both = as_batch([[2, 1, 0]]), as_batch([[2, 1, 0, 5, 4, 3]])
    assert BlockMoveBatch.of(part).counts.tolist() == [2]
    assert BlockMoveBatch.of(both).counts.tolist() == [3]


@given(st.lists(permutations(max_size=60), max_size=4), st.sampled_from([0, 3, EFFORT]))
def test_moves_sort_whatever_effort_is_made(batch: list[list[int]], effort: int) -> None:
    given_batch = as_batch(batch)
    moves = BlockMoveBatch.of(given_batch, effort=effort)
    assert (moves.lower <= moves.counts).all()
    for segment, values in enumerate(batch):
        *_, last = moves.replay(segment)
        assert last == Permutation.identity(len(values))
        assert (moves.lower[segment] == 0) == (values == sorted(values))


@given(permutations(max_size=7))
def test_the_lower_bound_is_one_whatever_effort_is_made(values: list[int]) -> None:
    exact = BlockMoveBatch.of(as_batch([values]), effort=MUCH)
    assert exact.exact.all()
    for effort in (0, 1, 5, 50):
        some = BlockMoveBatch.of(as_batch([values]), effort=effort)
        assert some.lower[0] <= exact.counts[0] <= some.counts[0]


@pytest.mark.parametrize("size", [3000, tried(100_000, quick=20_000)])
def test_long_permutations_are_sorted_greedily_and_say_so(size: int) -> None:
    values = np.random.default_rng(size).permutation(size).astype(np.int32)
    moves, offsets, lower = _core.block_moves(
        values, np.array([0, size], dtype=np.int64), effort=EFFORT, jobs=1
    )
    assert size / 3 <= lower[0] < offsets[1] < size
    if size < 10_000:
        assert _replayed(values, moves) == list(range(size))
    else:
        _check_positions(values, moves)


def _check_positions(values: np.ndarray, moves: np.ndarray) -> None:
    """Replay the moves of a long permutation: of two blocks one is a single run each time."""
    state = values.copy()
    for start, middle, end in moves.tolist():
        left = state[start:middle].copy()
        state[start : start + end - middle] = state[middle:end].copy()
        state[start + end - middle : end] = left
    assert np.array_equal(state, np.arange(len(values)))


def test_results_do_not_depend_on_the_number_of_threads() -> None:
    batch = as_batch([list(each) for size in range(6) for each in all_permutations(range(size))])
    one = _core.block_moves(batch.values, batch.offsets, 100, 1)
    several = _core.block_moves(batch.values, batch.offsets, 100, 3)
    assert [each.tolist() for each in one] == [each.tolist() for each in several]


def test_a_negative_effort_is_refused() -> None:
    with pytest.raises(ValueError, match="effort is -1; it is at least 0"):
        _core.block_moves(np.zeros(1, np.int32), np.array([0, 1]), -1, 1)

"""The check that a batch holds permutations."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter import _core
from tests.arrays import flat


def first_fault(rows: list[list[int]]) -> tuple[int, int, int]:
    for segment, row in enumerate(rows):
        for place, value in enumerate(row):
            if not 0 <= value < len(row):
                return segment, place, -1
            if value in row[:place]:
                return segment, place, row.index(value)
    return -1, 0, -1


@given(st.lists(st.lists(st.integers(-2, 5), max_size=5), max_size=5))
def test_the_first_fault_is_found_where_it_is(rows: list[list[int]]) -> None:
    assert _core.find_fault(*flat(rows)) == first_fault(rows)


@pytest.mark.parametrize("length", [63, 64, 65, 200])
@pytest.mark.parametrize("value", [-(2**31), -1, 0, 31, 2**31 - 1])
def test_a_fault_at_the_end_of_a_long_row_is_found(length: int, value: int) -> None:
    row = list(range(length))
    row[-1] = value
    rows = [list(range(3)), row, [0]]
    assert _core.find_fault(*flat(rows)) == first_fault(rows)
    assert first_fault(rows)[:2] == (1, length - 1)


def test_a_row_without_fault_is_found_without() -> None:
    values, offsets = flat([np.random.default_rng(1).permutation(n).tolist() for n in range(70)])
    assert _core.find_fault(values, offsets) == (-1, 0, -1)


@pytest.mark.parametrize("length", range(1, 6))
def test_what_is_scored_is_a_permutation_even_where_a_run_turns_round(length: int) -> None:
    for row in product(range(length), repeat=length):
        values, offsets = flat([list(row)])
        if len(set(row)) == length:
            _core.score(values, offsets, 0.6, 0.0, right_branching=False, empty=0.0, jobs=1)
            continue
        with pytest.raises(ValueError, match="segment 0 is no permutation"):
            _core.score(values, offsets, 0.6, 0.0, right_branching=False, empty=0.0, jobs=1)
        with pytest.raises(ValueError, match="segment 0 is no permutation"):
            _core.score_trees(values, offsets, 0.6, 0.0, right_branching=False, empty=0.0, jobs=1)


@pytest.mark.parametrize("right", [False, True])
@pytest.mark.parametrize("value", [-(2**31), -1, 0, 24, 63, 64, 256, 2**31 - 1])
def test_what_is_no_permutation_is_found_wherever_it_stands(
    value: int,
    right: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    for place in (0, 1, 39, 40, 41, 99):
        rows = [list(range(24)) for _ in range(100)]
        rows[place][7] = value
        for score in (_core.score, _core.score_trees):
            with pytest.raises(ValueError, match=f"segment {place} is no permutation: {value} "):
                score(*flat(rows), 0.6, 0.0, right_branching=right, empty=0.0, jobs=1)

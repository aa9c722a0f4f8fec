"""Whole numbers as few bytes."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kilter.render.page.report_data import packed, packed_signed, steps
from tests.render.page.packed import unpacked, unpacked_signed


@given(st.lists(st.integers(0, 2**31 - 1) | st.integers(0, 300)))
def test_numbers_are_read_back_as_they_were(values: list[int]) -> None:
    assert unpacked(packed(np.array(values, dtype=np.int64))) == values


@given(st.lists(st.integers(-(2**30), 2**30) | st.integers(-70, 70)))
def test_numbers_of_either_sign_are_read_back_as_they_were(values: list[int]) -> None:
    assert unpacked_signed(packed_signed(np.array(values, dtype=np.int64))) == values


def test_small_numbers_take_one_byte() -> None:
    assert len(packed(np.arange(126))) == 126 * 4 // 3


def test_steps_begin_anew_where_something_starts() -> None:
    starts = np.array([True, False, True, False])
    assert steps(np.array([3, 5, 4, 4]), starts).tolist() == [3, 2, 4, 0]

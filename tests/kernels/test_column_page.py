"""Values once each, and bits one after another, as Parquet stores columns."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kilter import _core

KEYS = st.lists(st.one_of(st.integers(0, 5), st.integers(0, 2**64 - 1)), max_size=2000)


@given(KEYS)
def test_different_values_stand_in_the_order_of_their_first(keys: list[int]) -> None:
    found = _core.distinct_values(np.array(keys, dtype=np.uint64), len(keys))
    expected = list(dict.fromkeys(keys))
    assert found is not None
    values, places = found
    assert values.tolist() == expected
    assert [expected[place] for place in places.tolist()] == keys
    if keys:
        assert _core.distinct_values(np.array(keys, dtype=np.uint64), len(expected) - 1) is None


def test_tables_of_values_grow() -> None:
    keys = np.arange(40_000, dtype=np.uint64) * np.uint64(1 << 40)
    found = _core.distinct_values(np.concatenate([keys, keys[::-1]]), len(keys))
    assert found is not None
    assert np.array_equal(found[0], keys)
    assert np.array_equal(found[1], [*range(40_000), *reversed(range(40_000))])


@given(st.integers(1, 32), st.lists(st.integers(-(2**31), 2**31 - 1), max_size=70))
def test_bits_of_numbers_follow_one_another_from_the_lowest(width: int, numbers: list[int]) -> None:
    packed = _core.pack_bits(np.array(numbers, dtype=np.int32), width)
    expected = sum((number % 2**width) << place * width for place, number in enumerate(numbers))
    assert len(packed) == (len(numbers) + 7) // 8 * width
    assert int.from_bytes(packed.tobytes(), "little") == expected

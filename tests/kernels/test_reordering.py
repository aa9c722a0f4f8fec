"""Bindings of reorderings and tree orders: what does not fit is refused, long input is no problem."""

import numpy as np
import pytest

from kilter import _core
from tests.oracles.reordering import wrong_pairs


def ints(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.int32)


def offsets(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.int64)


@pytest.mark.parametrize("groups", [ints(0, 2), ints(0, -1), ints(5, 0)])
def test_groups_outside_their_segment_are_refused(groups: np.ndarray) -> None:
    with pytest.raises(ValueError, match="groups"):
        _core.reordering_counts(groups, offsets(0, 2), False, False, 1)  # noqa: FBT003
    with pytest.raises(ValueError, match="groups"):
        _core.reordering_words(groups, offsets(0, 2), False, 1)  # noqa: FBT003


@pytest.mark.parametrize("borders", [offsets(0, 3), offsets(0, 2, 1, 2), offsets(1, 2), offsets()])
def test_offsets_must_fit(borders: np.ndarray) -> None:
    with pytest.raises(ValueError, match="offsets"):
        _core.reordering_counts(ints(0, 1), borders, False, False, 1)  # noqa: FBT003


def test_gaps_between_groups_are_no_problem() -> None:
    counts = _core.reordering_counts(ints(3, 0, 0, 2), offsets(0, 4), False, True, 1)  # noqa: FBT003
    assert counts.tolist() == [[1, 3]]


@pytest.mark.parametrize("size", [1000, 20_000])
def test_long_sentences(size: int) -> None:
    random = np.random.default_rng(size)
    groups = random.integers(0, size // 3, size).astype(np.int32)
    counts = _core.reordering_counts(groups, offsets(0, size), False, False, 1)  # noqa: FBT003
    starts, pairs = _core.reordering_words(groups, offsets(0, size), False, 1)  # noqa: FBT003
    assert size - int(starts.sum()) == counts[0, 0]
    assert int(pairs.sum(dtype=np.int64)) == 2 * counts[0, 1]
    if size == 1000:
        listed = [[k for k in range(size) if groups[k] == g] for g in range(int(groups.max()) + 1)]
        assert counts[0, 1] == wrong_pairs(range(size), listed)


def test_words_that_hang_from_no_root_are_refused() -> None:
    for heads in (ints(1, 0), ints(-1, 2, 1)):
        size = len(heads)
        nothing = np.zeros(size, dtype=np.int32)
        with pytest.raises(ValueError, match="cycle"):
            _core.tree_orders(
                heads, offsets(0, size), nothing, np.zeros(size, dtype=np.uint8), nothing, 1
            )


def test_slots_must_be_as_many_as_words() -> None:
    with pytest.raises(ValueError, match="each word has its slots"):
        _core.tree_orders(
            ints(-1, 0), offsets(0, 2), ints(0), np.zeros(2, dtype=np.uint8), ints(0, 0), 1
        )

"""Pairs of permutations: Kendall, Hamming, Spearman and footrule similarity."""

import numpy as np
import pytest
from hypothesis import given

from kilter import _core
from tests import shapes, strategies
from tests.arrays import flat, one_based
from tests.oracles import permutation as oracle
from tests.thorough import examples
from tests.tolerance import close


def found(first: list[int], second: list[int]) -> list[float]:
    row: list[float] = _core.score_pairs(*flat([first]), *flat([second]), 0.0, 1)[0].tolist()
    return row


def expected(first: list[int], second: list[int]) -> list[object]:
    sides = one_based(first), one_based(second)
    return [
        oracle.kendall_between(*sides),
        oracle.hamming_between(*sides),
        oracle.spearman_between(*sides),
        oracle.footrule_between(*sides),
    ]


@given(strategies.permutation_pairs(0, 30))
def test_pairs_score_what_the_oracle_says(pair: tuple[list[int], list[int]]) -> None:
    assert found(*pair) == close(expected(*pair))


@examples(20)
@given(strategies.permutation_pairs(60, 140))
def test_long_pairs_score_what_the_oracle_says(pair: tuple[list[int], list[int]]) -> None:
    assert found(*pair) == close(expected(*pair))


@pytest.mark.parametrize("length", [63, 64, 65, 128, 129, 4096, 5000])
def test_inversions_are_counted_across_word_borders(length: int) -> None:
    values = shapes.shuffled(length)
    inversions = sum(int((values[:i] > values[i]).sum()) for i in range(length))
    pairs = length * (length - 1) // 2
    assert found(values.tolist(), list(range(length)))[0] == close(1 - inversions / pairs)


def test_sides_of_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="same lengths"):
        _core.score_pairs(*flat([[0, 1]]), *flat([[0], [0]]), 0.0, 1)


def test_offsets_that_do_not_fit_the_values_are_refused() -> None:
    values = np.zeros(2, dtype=np.int32)
    for offsets in ([], [1, 2], [0, 1], [0, 3]):
        with pytest.raises(ValueError, match="offsets"):
            _core.find_fault(values, np.array(offsets, dtype=np.int64))

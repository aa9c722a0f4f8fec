"""Exact numbers of trees, however many digits they have."""

import math
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.permutation_tree import tree_count, tree_count_digits


def naive(widths: list[int]) -> int:
    return math.prod(math.comb(2 * w - 2, w - 1) // w for w in widths)


@given(st.lists(st.integers(1, 60), max_size=6))
def test_the_count_is_the_product_of_catalan_numbers(widths: list[int]) -> None:
    assert tree_count(widths) == naive(widths)
    assert tree_count_digits(widths) == str(naive(widths))


@pytest.mark.parametrize(
    "widths", [[2047], [2048], [2049], [3000, 2, 2500, 2500], [5000] * 2, [6999], [7000], [7001]]
)
def test_prime_factors_give_the_same_count(widths: list[int]) -> None:
    assert tree_count(widths) == naive(widths)


@pytest.mark.parametrize(
    "widths", [[7000], [7001], [4000, 4000, 3], [20000], [2] * 8000, [3] * 9000]
)
def test_digits_go_beyond_what_python_prints(widths: list[int]) -> None:
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        assert tree_count_digits(widths) == str(naive(widths))
    finally:
        sys.set_int_max_str_digits(limit)


def test_no_widths_leave_one_tree() -> None:
    assert (tree_count([]), tree_count_digits([])) == (1, "1")


def test_a_hundred_thousand_words_have_a_number_with_sixty_thousand_digits() -> None:
    digits = tree_count_digits([100_000])
    assert digits.isdigit()
    assert digits[0] != "0"
    # log10 of Catalan(n - 1) by log-gamma
    n = 99_999
    size = (math.lgamma(2 * n + 1) - math.lgamma(n + 1) - math.lgamma(n + 2)) / math.log(10)
    assert len(digits) == math.floor(size) + 1
    assert pow(10, size % 1) == pytest.approx(float(f"{digits[0]}.{digits[1:8]}"), rel=1e-5)

"""Products of rows: what adding up exactly gives, and the same whatever stands beside them."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter import _core

SIZES = st.integers(0, 9)


@given(SIZES, SIZES, st.integers(0, 50), st.integers(0, 2**32 - 1))
def test_products_are_exact_up_to_rounding(rows: int, others: int, columns: int, seed: int) -> None:
    draw = np.random.default_rng(seed)
    left, right = (draw.normal(size=(n, columns)).astype(np.float32) for n in (rows, others))
    found = _core.row_products(left, right)
    assert found.shape == (rows, others)
    for i in range(rows):
        for j in range(others):
            terms = [
                Fraction(float(a)) * Fraction(float(b))
                for a, b in zip(left[i], right[j], strict=True)
            ]
            bound = 60 * 2.0**-24 * float(sum(map(abs, terms), Fraction(0))) + 1e-30
            assert abs(float(found[i, j]) - float(sum(terms, Fraction(0)))) <= bound


@given(st.integers(1, 9), st.integers(1, 9), st.integers(1, 50), st.integers(0, 2**32 - 1))
def test_a_product_depends_on_its_two_rows_alone(
    rows: int, others: int, columns: int, seed: int
) -> None:
    draw = np.random.default_rng(seed)
    left, right = (draw.normal(size=(n, columns)).astype(np.float32) for n in (rows, others))
    found = _core.row_products(left, right)
    for i in range(rows):
        for j in range(others):
            alone = _core.row_products(left[i : i + 1], right[j : j + 1])
            turned = _core.row_products(right[j : j + 1], left[i : i + 1])
            assert found[i, j].tobytes() == alone.tobytes() == turned.tobytes()


def test_rows_of_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="3 and 4 columns"):
        _core.row_products(np.zeros((2, 3), np.float32), np.zeros((2, 4), np.float32))

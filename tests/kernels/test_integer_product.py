"""Products of bytes with small integers: exact, in every way that this machine has."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from kilter import _core

WAYS = range(_core.testing.product_ways())
LARGEST = 64


def exact(rows: NDArray[np.uint8], weights: NDArray[np.int8]) -> NDArray[np.int64]:
    product: NDArray[np.int64] = rows.astype(np.int64) @ weights.astype(np.int64)
    return product


def made(
    seed: int, count: int, inputs: int, outputs: int
) -> tuple[NDArray[np.uint8], NDArray[np.int8]]:
    draw = np.random.default_rng(seed)
    rows = draw.integers(0, 256, (count, inputs), dtype=np.uint8)
    weights = draw.integers(-LARGEST, LARGEST + 1, (inputs, outputs), dtype=np.int8)
    return rows, weights


@given(
    st.integers(0, 2**32 - 1), st.integers(0, 70), st.integers(1, 4), st.integers(1, 70)
)  # fmt: skip
def test_every_way_is_exact(seed: int, count: int, inputs: int, outputs: int) -> None:
    rows, weights = made(seed, count, 64 * inputs, outputs)
    for way in WAYS:
        found = _core.testing.integer_products(rows, weights, way)
        assert found.dtype == np.int32
        assert np.array_equal(found, exact(rows, weights))


# Numbers of rows and outputs on both sides of what each way computes at once.
@pytest.mark.parametrize("count", [1, 3, 5, 6, 7, 31, 32, 33, 64, 65])
@pytest.mark.parametrize("outputs", [1, 15, 16, 17, 33, 64, 79, 129])
def test_rows_and_outputs_that_are_left_over_are_not_forgotten(count: int, outputs: int) -> None:
    rows, weights = made(count * 1000 + outputs, count, 128, outputs)
    for way in WAYS:
        assert np.array_equal(
            _core.testing.integer_products(rows, weights, way), exact(rows, weights)
        )


@pytest.mark.parametrize("weight", [-LARGEST, LARGEST])
def test_the_largest_products_do_not_overflow(weight: int) -> None:
    rows = np.full((33, 1536), 255, dtype=np.uint8)
    weights = np.full((1536, 33), weight, dtype=np.int8)
    for way in WAYS:
        found = _core.testing.integer_products(rows, weights, way)
        assert (found == 255 * weight * 1536).all()


def test_the_largest_sums_do_not_overflow() -> None:
    most = 1 << 17
    rows, weights = np.full((1, most), 255, dtype=np.uint8), np.full((most, 1), 64, dtype=np.int8)
    for way in WAYS:
        assert _core.testing.integer_products(rows, weights, way).item() == 255 * 64 * most
    with pytest.raises(
        ValueError, match="131136 rows of 1; there must be a multiple of 64, at most 131072"
    ):
        _core.testing.integer_products(
            np.zeros((1, most + 64), np.uint8), np.zeros((most + 64, 1), np.int8), 0
        )


@pytest.mark.parametrize(
    ("inputs", "taken", "outputs", "fault"),
    [
        (63, 63, 4, "weights have 63 rows of 4; there must be a multiple of 64"),
        (0, 0, 4, "weights have 0 rows of 4"),
        (64, 64, 0, "of at least one weight"),
        (64, 128, 4, "rows have 128 columns; the weights take 64"),
    ],
)
def test_wrong_shapes_are_refused(inputs: int, taken: int, outputs: int, fault: str) -> None:
    rows, weights = np.zeros((2, taken), np.uint8), np.zeros((inputs, outputs), np.int8)
    with pytest.raises(ValueError, match=fault):
        _core.testing.integer_products(rows, weights, 0)


@pytest.mark.parametrize("weight", [-65, 65, -128, 127])
def test_larger_weights_are_refused(weight: int) -> None:
    weights = np.zeros((64, 2), np.int8)
    weights[5, 1] = weight
    with pytest.raises(
        ValueError, match=rf"weights\[11\] is {weight}; it must lie between -64 and 64"
    ):
        _core.testing.integer_products(np.zeros((1, 64), np.uint8), weights, 0)


@pytest.mark.parametrize("way", [-1, len(WAYS)])
def test_ways_of_other_machines_are_refused(way: int) -> None:
    with pytest.raises(ValueError, match=f"this machine has ways 0 to {len(WAYS) - 1}"):
        _core.testing.integer_products(np.zeros((1, 64), np.uint8), np.zeros((64, 1), np.int8), way)

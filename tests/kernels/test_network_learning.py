"""What learning a network needs: recurrent layers as their definition has them, sums of rows, steps of Adam."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter import _core

LENGTHS = st.lists(st.integers(0, 5), min_size=1, max_size=4)
SEEDS = st.integers(0, 2**32 - 1)


def plain_layer(sums: np.ndarray, offsets: list[int], half: int) -> np.ndarray:
    """Return the outputs, word by word and unit by unit."""
    found = np.zeros((len(sums), 2 * half))
    for begin, end in pairwise(offsets):
        for side, rows in enumerate((range(begin, end), reversed(range(begin, end)))):
            states = [0.0] * half
            for row in rows:
                for k in range(half):
                    new, keep, show = (
                        float(sums[row, (3 * side + p) * half + k]) for p in (0, 1, 2)
                    )
                    kept = 1 / (1 + math.exp(-keep))
                    states[k] = kept * states[k] + (1 - kept) * new
                    found[row, side * half + k] = states[k] / (1 + math.exp(-show))
    return found


def offsets_of(lengths: list[int]) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


@given(LENGTHS, st.integers(1, 20), SEEDS)
def test_a_recurrent_layer_is_its_definition(lengths: list[int], half: int, seed: int) -> None:
    draw, offsets = np.random.default_rng(seed), offsets_of(lengths)
    sums = draw.normal(0, 3, (offsets[-1], 6 * half)).astype(np.float32)
    _, _, outputs = _core.recurrent_layer(sums, offsets)
    assert outputs == pytest.approx(plain_layer(sums, offsets.tolist(), half), abs=1e-5)


@given(LENGTHS, st.integers(1, 3), SEEDS)
def test_its_gradient_is_the_slope_of_its_definition(
    lengths: list[int], half: int, seed: int
) -> None:
    draw, offsets = np.random.default_rng(seed), offsets_of(lengths)
    sums = draw.normal(0, 1, (offsets[-1], 6 * half)).astype(np.float32)
    slopes = draw.normal(0, 1, (offsets[-1], 2 * half)).astype(np.float32)
    gates, states, _ = _core.recurrent_layer(sums, offsets)
    found = _core.recurrent_gradient(gates, states, slopes, offsets)
    way, step = draw.normal(0, 1, sums.shape), 1e-4
    ahead, behind = (
        float((plain_layer(sums + sign * step * way, offsets.tolist(), half) * slopes).sum())
        for sign in (1, -1)
    )
    assert float((found * way).sum()) == pytest.approx((ahead - behind) / (2 * step), abs=1e-4)


def test_gates_of_huge_sums_are_open_or_closed() -> None:
    sums = np.array([[2, 1e30, -np.inf, 3, -1e30, np.inf]], dtype=np.float32)
    _, states, outputs = _core.recurrent_layer(sums, offsets_of([1]))
    assert states[0] == pytest.approx([0, 3], abs=1e-6)
    assert outputs[0] == pytest.approx([0, 3], abs=1e-6)


@given(st.lists(st.integers(0, 4), max_size=12), st.integers(1, 20), SEEDS)
def test_sums_of_rows_are_those_of_numpy(places: list[int], columns: int, seed: int) -> None:
    rows = np.random.default_rng(seed).normal(size=(len(places), columns)).astype(np.float32)
    expected = np.zeros((5, columns), np.float32)
    np.add.at(expected, np.array(places, np.int64), rows)
    assert (_core.row_sums(rows, np.array(places, np.int64), 5) == expected).all()


def test_a_place_outside_the_table_is_refused() -> None:
    with pytest.raises(ValueError, match=r"places\[0\] is 5"):
        _core.row_sums(np.ones((1, 2), np.float32), np.array([5]), 5)


def test_steps_are_those_of_adam() -> None:
    draw = np.random.default_rng(3)
    weights = draw.normal(size=5)
    learner = _core.AdamLearner(weights.astype(np.float32))
    mean, square = np.zeros(5), np.zeros(5)
    for number, rate in enumerate((0.1, 0.05, 0.2), start=1):
        gradient = draw.normal(size=5).astype(np.float32)
        found = learner.step(gradient, 0.5, rate, 0.01)
        mean = 0.9 * mean + 0.1 * 0.5 * gradient
        square = 0.99 * square + 0.01 * (0.5 * gradient) ** 2
        moved = (mean / (1 - 0.9**number)) / (np.sqrt(square / (1 - 0.99**number)) + 1e-8)
        weights = weights - rate * 0.01 * weights - rate * moved
        assert found == pytest.approx(weights, abs=1e-5)


def test_a_gradient_of_other_weights_is_refused() -> None:
    with pytest.raises(ValueError, match="4 numbers for 3 weights"):
        _core.AdamLearner(np.ones(3, np.float32)).step(np.ones(4, np.float32), 1.0, 0.1, 0.0)

"""The transformer: what plain loops in double precision say, and a sentence whatever stands beside it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter import _core
from tests.kernels.hostile import linear_arguments

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Doubles = NDArray[np.float64]

WIDTH, INSIDE, HEAD = 64, 128, 32
PIECES, PLACES, SHAPES, LAYERS = 40, 150, 5, 2
# A byte is about this much; a number beside the middle between two may become either of them.
STEP = 1 / 40


def gelu(values: Doubles) -> Doubles:
    return np.array([x * 0.5 * math.erfc(-x / math.sqrt(2)) for x in values.ravel()]).reshape(
        values.shape
    )


def rounded(values: Doubles, inverse: float, zero: float) -> Doubles:
    return np.clip(np.rint(values * inverse + zero), 0, 255)


@dataclass(frozen=True)
class NaiveLinear:
    """The definition of a product with rounded numbers, in double precision."""

    arguments: dict[str, Any]

    def __call__(self, values: Doubles) -> Doubles:
        """Return what numbers become that are rounded first."""
        given = self.arguments
        return self.of_bytes(rounded(values, given["inverse"], given["zero"]))

    def of_bytes(self, rows: Doubles) -> Doubles:
        given = self.arguments
        sums = rows.astype(np.float64) @ given["weights"].astype(np.float64)
        found: Doubles = (sums - given["shift"]) * given["unit"].astype(np.float64) + given["bias"]
        return found


def norm(values: Doubles, weight: NDArray[np.float32], bias: NDArray[np.float32]) -> Doubles:
    apart = values - values.mean(axis=-1, keepdims=True)
    spread = np.sqrt((apart**2).mean(axis=-1, keepdims=True) + 1e-12)
    found: Doubles = apart / spread * weight + bias
    return found


def attention(values: Doubles, product: NaiveLinear) -> Doubles:
    """Return what the words of one sentence see with all heads."""
    query, key, value = np.split(product(values), 3, axis=1)
    found = np.empty_like(query)
    for begin in range(0, WIDTH, HEAD):
        part = slice(begin, begin + HEAD)
        weights = query[:, part] @ key[:, part].T / math.sqrt(HEAD)
        shares = np.exp(weights - weights.max(axis=1, keepdims=True))
        found[:, part] = shares / shares.sum(axis=1, keepdims=True) @ value[:, part]
    return found


@dataclass(frozen=True)
class NaiveLayer:
    """The definition of a layer."""

    products: Sequence[NaiveLinear]
    norms: Sequence[tuple[NDArray[np.float32], NDArray[np.float32]]]

    def __call__(self, values: Doubles) -> Doubles:
        attended, output, inner, outer = self.products
        first = norm(values + output(attention(values, attended)), *self.norms[0])
        return norm(first + outer(gelu(inner(first))), *self.norms[1])

    def made(self) -> _core.TransformerLayer:
        attended, output, inner, outer = (_core.Linear(**each.arguments) for each in self.products)
        return _core.TransformerLayer(
            attended, output, *self.norms[0], inner, outer, *self.norms[1]
        )


@dataclass(frozen=True)
class NaiveNetwork:
    """The definition of a transformer, one sentence at a time."""

    embedding: dict[str, Any]
    layers: Sequence[NaiveLayer]

    def first(self, pieces: Sequence[int], shapes: Sequence[int]) -> Doubles:
        """Return the rows before the first layer."""
        given = self.embedding
        values = given["pieces"].astype(np.float64)[pieces] * given["piece_units"][pieces][:, None]
        values += given["places"][: len(pieces)] + given["shapes"][shapes].astype(np.float64)
        return norm(values, given["weight"], given["bias"])

    def made(self) -> _core.Transformer:
        return _core.Transformer(**self.embedding, layers=[layer.made() for layer in self.layers])


def made_linear(draw: np.random.Generator, inputs: int, outputs: int) -> NaiveLinear:
    weights = draw.integers(-64, 65, (inputs, outputs), dtype=np.int8)
    zero = 120
    return NaiveLinear(
        {
            "weights": weights,
            "shift": (weights.sum(axis=0, dtype=np.int64) * zero).astype(np.int32),
            "unit": (draw.uniform(0.5, 1.5, outputs) * STEP / 37 / math.sqrt(inputs)).astype(
                np.float32
            ),
            "bias": draw.normal(0, 0.3, outputs).astype(np.float32),
            "inverse": 1 / STEP,
            "zero": float(zero),
        }
    )


def made_norm(draw: np.random.Generator) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    weight, bias = draw.uniform(0.5, 1.2, WIDTH), draw.normal(0, 0.1, WIDTH)
    return weight.astype(np.float32), bias.astype(np.float32)


@pytest.fixture(scope="module")
def naive() -> NaiveNetwork:
    draw = np.random.default_rng(1)
    layers = [
        NaiveLayer(
            [
                made_linear(draw, WIDTH, 3 * WIDTH),
                made_linear(draw, WIDTH, WIDTH),
                made_linear(draw, WIDTH, INSIDE),
                made_linear(draw, INSIDE, WIDTH),
            ],
            [made_norm(draw), made_norm(draw)],
        )
        for _ in range(LAYERS)
    ]
    weight, bias = made_norm(draw)
    embedding = {
        "pieces": draw.integers(-127, 128, (PIECES, WIDTH), dtype=np.int8),
        "piece_units": draw.uniform(0.005, 0.01, PIECES).astype(np.float32),
        "places": draw.normal(0, 0.2, (PLACES, WIDTH)).astype(np.float32),
        "shapes": draw.normal(0, 0.2, (SHAPES, WIDTH)).astype(np.float32),
        "weight": weight,
        "bias": bias,
    }
    return NaiveNetwork(embedding, layers)


@pytest.fixture(scope="module")
def network(naive: NaiveNetwork) -> _core.Transformer:
    return naive.made()


def sentences(
    count: int, length: int, seed: int = 2
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    draw = np.random.default_rng(seed)
    return draw.integers(0, PIECES, (count, length)), draw.integers(0, SHAPES, (count, length))


NONE = np.zeros(0, dtype=np.float32)
SHARES = np.array([0.25, -0.5, 1.5], dtype=np.float32)


@given(st.integers(0, 2**32 - 1), st.integers(0, 5), st.integers(1, 40))
def test_numbers_are_scaled_sums(seed: int, count: int, outputs: int) -> None:
    draw = np.random.default_rng(seed)
    naive = made_linear(draw, 64, outputs)
    rows = draw.integers(0, 256, (count, 64), dtype=np.uint8)
    linear = _core.Linear(**naive.arguments)
    wanted = naive.of_bytes(rows.astype(np.float64))
    # Sums are exact: what is left is the rounding of one product and one sum.
    assert np.allclose(linear.numbers(rows, gelu=False), wanted, rtol=2e-7, atol=2e-7)
    assert np.allclose(linear.numbers(rows, gelu=True), gelu(wanted), rtol=0, atol=1e-6)
    bytes_ = linear.gelu_bytes(rows, 31.0, 12.0)
    exact = np.clip(gelu(wanted) * 31.0 + 12.0, 0, 255)
    assert (abs(bytes_ - exact) <= 0.5 + 1e-4).all()


def one_column(unit: float) -> _core.Linear:
    """Return a product that takes 64 times the first byte, less 128, plus the second one, in units."""
    weights = np.zeros((64, 1), np.int8)
    weights[:2, 0] = [64, 1]
    return _core.Linear(
        weights,
        np.array([64 * 128], dtype=np.int32),
        np.array([unit], dtype=np.float32),
        np.zeros(1, dtype=np.float32),
        1.0,
        0.0,
    )


def test_gelu_is_x_times_the_normal_distribution_below_x() -> None:
    high, low = np.meshgrid(np.arange(256), np.arange(64), indexing="ij")
    rows = np.zeros((high.size, 64), dtype=np.uint8)
    rows[:, 0], rows[:, 1] = high.ravel(), low.ravel()
    linear = one_column(1 / 1000)
    values = linear.numbers(rows, gelu=False).astype(np.float64)
    assert values.min() < -8
    assert values.max() > 8
    found = linear.numbers(rows, gelu=True)
    assert (abs(found - gelu(values)) / np.maximum(1, abs(values))).max() < 2e-7
    near = abs(values) < 0.01
    assert near.any()
    assert abs(found - gelu(values))[near].max() < 1e-9


def test_numbers_are_rounded_to_even_and_kept_between_0_and_255() -> None:
    linear = _core.Linear(**{**linear_arguments(64, 1), "inverse": 2.0, "zero": 100.0})
    numbers = np.array([[0.25, 0.75, -0.25, 0.3, -50.1, 77.4, 78.0, 1e9, -1e9]], dtype=np.float32)
    assert linear.rounded(numbers).tolist() == [[100, 102, 100, 101, 0, 255, 255, 255, 0]]


@pytest.mark.parametrize("length", [1, 2, 5, 16, 17, 33, 95, 97, PLACES])
def test_a_network_is_what_plain_loops_say(
    naive: NaiveNetwork, network: _core.Transformer, length: int
) -> None:
    pieces, shapes = sentences(2, length)
    found = [network.encode(pieces, shapes, NONE, level)[1] for level in range(LAYERS + 1)]
    mixed, none = network.encode(pieces, shapes, SHARES, -1)
    assert none.shape == (0, WIDTH)
    for sentence in range(2):
        rows = slice(sentence * length, (sentence + 1) * length)
        first = naive.first(pieces[sentence].tolist(), shapes[sentence].tolist())
        assert np.allclose(found[0][rows], first, rtol=0, atol=1e-5)
        for level, layer in enumerate(naive.layers):
            apart = abs(found[level + 1][rows] - layer(found[level][rows].astype(np.float64)))
            # A few numbers fall to the other side of a rounding, and move what they are added to.
            assert np.median(apart) < 2e-7
            assert (apart > 2e-6).mean() < 0.1
            assert apart.max() < 2 * STEP
        wanted = sum(share * level[rows] for share, level in zip(SHARES, found, strict=True))
        assert np.allclose(mixed[rows], wanted, rtol=0, atol=1e-5)


@pytest.mark.parametrize("length", [1, 3, 31, 33, 64, 97])
def test_a_sentence_is_the_same_alone_and_in_company(
    network: _core.Transformer, length: int
) -> None:
    count = 9
    pieces, shapes = sentences(count, length)
    mixed, kept = network.encode(pieces, shapes, SHARES, 1)
    for sentence in range(count):
        own = slice(sentence, sentence + 1)
        rows = slice(sentence * length, (sentence + 1) * length)
        alone, alone_kept = network.encode(pieces[own], shapes[own], SHARES, 1)
        assert alone.tobytes() == mixed[rows].tobytes()
        assert alone_kept.tobytes() == kept[rows].tobytes()


def test_what_is_asked_beside_it_changes_nothing(network: _core.Transformer) -> None:
    pieces, shapes = sentences(3, 7)
    mixed, kept = network.encode(pieces, shapes, SHARES, 2)
    assert network.encode(pieces, shapes, SHARES, -1)[0].tobytes() == mixed.tobytes()
    assert network.encode(pieces, shapes, NONE, 2)[1].tobytes() == kept.tobytes()
    assert network.encode(pieces, shapes, NONE, -1)[0].shape == (0, WIDTH)


def test_a_place_and_a_shape_count(network: _core.Transformer) -> None:
    pieces = np.full((1, 4), 3)
    plain = np.zeros((1, 4), dtype=np.int64)
    _, first = network.encode(pieces, plain, NONE, 0)
    assert len({row.tobytes() for row in first}) == 4
    _, second = network.encode(pieces, plain + 1, NONE, 0)
    assert not np.allclose(first, second)


def test_no_sentences_are_no_rows(network: _core.Transformer) -> None:
    pieces, shapes = sentences(0, 5)
    mixed, kept = network.encode(pieces, shapes, SHARES, 1)
    assert mixed.shape == kept.shape == (0, WIDTH)


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"weights": np.zeros((32, 4), np.int8)}, "weights have 32 rows of 4"),
        ({"shift": np.zeros(3, np.int32)}, "shift has 3 entries; it needs 4"),
        ({"unit": np.zeros(5, np.float32)}, "unit has 5 entries; it needs 4"),
        ({"bias": np.zeros(0, np.float32)}, "bias has 0 entries; it needs 4"),
        ({"bias": np.full(4, np.nan, np.float32)}, r"bias\[0\] is nan"),
        ({"inverse": -1.0}, "inverse is -1"),
        ({"zero": 256.0}, "zero is 256"),
    ],
)
def test_a_product_of_wrong_parts_is_refused(changed: dict[str, Any], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        _core.Linear(**{**linear_arguments(64, 4), **changed})


def test_rows_of_another_width_are_refused() -> None:
    linear = _core.Linear(**linear_arguments(64, 4))
    rows = np.zeros((2, 128), np.uint8)
    for call in (
        lambda: linear.numbers(rows, gelu=False),
        lambda: linear.gelu_bytes(rows, 1.0, 0.0),
    ):
        with pytest.raises(ValueError, match="rows have 128 columns; the weights take 64"):
            call()


@pytest.mark.parametrize(
    ("place", "inputs", "outputs", "fault"),
    [
        (0, 64, 128, "attention takes 64 columns and makes 128; it must take 64 and make 192"),
        (1, 64, 128, "output takes 64 columns and makes 128; it must take 64 and make 64"),
        (2, 128, 128, "inner takes 128 columns and makes 128; it must take 64"),
        (3, 64, 64, "outer takes 64 columns and makes 64; it must take 128 and make 64"),
    ],
)
def test_a_layer_whose_parts_do_not_fit_is_refused(
    naive: NaiveNetwork, place: int, inputs: int, outputs: int, fault: str
) -> None:
    layer = naive.layers[0]
    products = list(layer.products)
    products[place] = NaiveLinear(linear_arguments(inputs, outputs))
    with pytest.raises(ValueError, match=fault):
        NaiveLayer(products, layer.norms).made()


def test_a_norm_of_another_width_is_refused(naive: NaiveNetwork) -> None:
    layer = naive.layers[0]
    short = tuple(each[:-1].copy() for each in layer.norms[1])
    with pytest.raises(ValueError, match="the weight of a norm has 63 entries; it needs 64"):
        NaiveLayer(layer.products, [layer.norms[0], short]).made()  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"piece_units": np.zeros(3, np.float32)}, "piece_units has 3 entries; it needs 40"),
        ({"places": np.zeros((4, 32), np.float32)}, "have 64, 32 and 64 columns"),
        ({"shapes": np.zeros((4, 96), np.float32)}, "have 64, 64 and 96 columns"),
        ({"bias": np.zeros(32, np.float32)}, "the bias of a norm has 32 entries"),
    ],
)
def test_an_embedding_whose_parts_do_not_fit_is_refused(
    naive: NaiveNetwork, changed: dict[str, Any], fault: str
) -> None:
    with pytest.raises(ValueError, match=fault):
        NaiveNetwork({**naive.embedding, **changed}, naive.layers).made()


def test_layers_of_another_width_are_refused(naive: NaiveNetwork) -> None:
    narrow = {
        name: each[..., :32].copy() if name != "piece_units" else each
        for name, each in naive.embedding.items()
    }
    with pytest.raises(ValueError, match="a layer takes 64 columns and makes 64; it must take 32"):
        NaiveNetwork(narrow, naive.layers).made()
    assert NaiveNetwork(narrow, []).made().encode(*sentences(1, 3), NONE, 0)[1].shape == (3, 32)


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"pieces": np.full((2, 3), PIECES)}, r"pieces\[0\] is 40; it must lie between 0 and 39"),
        ({"shapes": np.full((2, 3), -1)}, r"shapes\[0\] is -1; it must lie between 0 and 4"),
        ({"shapes": np.zeros((3, 2), np.int64)}, "equally many rows and columns"),
        ({"shares": np.ones(4, np.float32)}, "there are 4 shares, and level 1; at most 3"),
        ({"level": 3}, "level 3; at most 3, and -1 to 2"),
        ({"level": -2}, "level -2; at most 3, and -1 to 2"),
    ],
)
def test_questions_that_a_network_cannot_answer_are_refused(
    network: _core.Transformer, changed: dict[str, Any], fault: str
) -> None:
    pieces, shapes = sentences(2, 3)
    asked = {"pieces": pieces, "shapes": shapes, "shares": SHARES, "level": 1, **changed}
    with pytest.raises(ValueError, match=fault):
        network.encode(**asked)


@pytest.mark.parametrize("length", [0, PLACES + 1])
def test_sentences_longer_than_all_places_and_of_no_pieces_are_refused(
    network: _core.Transformer, length: int
) -> None:
    with pytest.raises(ValueError, match=rf"have {length} pieces; it must lie between 1 and 150"):
        network.encode(*sentences(1, length), SHARES, 1)

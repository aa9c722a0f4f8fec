"""A part of the network says what the whole one says, and holds no more than it needs."""

import numpy as np
import onnxruntime
import pytest

from kilter.encoder.encoder import load_encoder
from kilter.encoder.network_part import network_part

PIECES = np.array([[101, 1996, 4937, 102]], dtype=np.int64)
GIVEN = {
    "pieces": PIECES,
    "shapes": np.zeros_like(PIECES),
    "first": np.array([1, 2], dtype=np.int64),
    "last": np.array([1, 2], dtype=np.int64),
}


@pytest.fixture(scope="module")
def model() -> bytes:
    return load_encoder().folder.read("model.onnx")


def said(model: bytes, outputs: list[str]) -> dict[str, bytes]:
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    found = session.run(outputs, GIVEN)
    return {name: array.tobytes() for name, array in zip(outputs, found, strict=True)}


@pytest.mark.parametrize("outputs", [["vector"], ["upos", "xpos"], ["dependent", "vector"]])
def test_a_part_says_bit_by_bit_what_the_whole_says(model: bytes, outputs: list[str]) -> None:
    assert said(network_part(model, outputs), outputs) == said(model, outputs)


def test_a_part_has_the_asked_outputs_alone_and_layers_below_them_alone(model: bytes) -> None:
    part = network_part(model, ["vector"])
    session = onnxruntime.InferenceSession(part, providers=["CPUExecutionProvider"])
    assert [out.name for out in session.get_outputs()] == ["vector"]
    # Three of six layers: each has 1.77 million weights of one byte.
    assert len(model) - len(part) > 3 * 1_770_000


def test_the_part_of_a_part_is_the_part(model: bytes) -> None:
    part = network_part(model, ["vector"])
    assert network_part(part, ["vector"]) == part


def test_an_unknown_output_is_named(model: bytes) -> None:
    with pytest.raises(ValueError, match="no output depth"):
        network_part(model, ["vector", "depth"])


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"\x3a\x05\x01", "cut off"),
        (b"\x3a", "cut off"),
        (b"\xff" * 12, "too long"),
        (b"\x0b\x00", "kind 3"),
    ],
)
def test_what_is_no_model_is_refused(content: bytes, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        network_part(content, ["vector"])

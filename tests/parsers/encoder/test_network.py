"""The embedded network says what its file says, by the word of another runtime, and refuses other graphs."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from kilter.core.corpus import Vocabulary
from kilter.parsers.encoder.encoder import load_encoder
from kilter.parsers.encoder.network import HEAD_OUTPUTS, NetworkFile, Node, network, read_network
from tests.docs.pages import ROOT
from tests.parsers.encoder import onnx_writer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from kilter.parsers.encoder.network import Network

    Integers = NDArray[np.int64]
    Question = tuple[Integers, Integers, Integers, Integers]

OUTPUTS = ["dependent", "head", *HEAD_OUTPUTS, "vector"]
LINES = (ROOT / "examples" / "reference.en").read_text(encoding="utf-8").splitlines()


@pytest.fixture(scope="module")
def model() -> bytes:
    return load_encoder().folder.read("model.onnx")


@pytest.fixture(scope="module")
def file(model: bytes) -> NetworkFile:
    return read_network(model)


@pytest.fixture(scope="module")
def loaded(file: NetworkFile) -> Network:
    return network(file)


def questions() -> Iterator[Question]:
    """Yield pieces, shapes, and first and last places of the words of every sample sentence."""
    vocabulary = Vocabulary()
    words = vocabulary.column([re.findall(r"[\w'-]+|[^\w\s]", line) for line in LINES])
    for window in load_encoder()._windows(words, vocabulary):
        yield (
            np.array([window.pieces]),
            np.array([window.shapes]),
            np.array(window.first),
            np.array(window.last),
        )


def test_another_runtime_says_the_same_up_to_rounding(model: bytes, loaded: Network) -> None:
    onnxruntime = pytest.importorskip("onnxruntime", reason="it is only the oracle")
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    equal = 0
    for asked in questions():
        given = dict(zip(("pieces", "shapes", "first", "last"), asked, strict=True))
        wanted = dict(zip(OUTPUTS, session.run(OUTPUTS, given), strict=True))
        found = loaded.answer(*asked, OUTPUTS)
        for name in OUTPUTS:
            assert found[name].shape == wanted[name].shape
            assert np.corrcoef(found[name].ravel(), wanted[name].ravel())[0, 1] > 0.99
        for name in ("upos", "xpos"):
            second, best = np.sort(wanted[name])[:, -2:].T
            clear = best - second > 0.5
            assert np.array_equal(found[name].argmax(1)[clear], wanted[name].argmax(1)[clear])
        equal += all(np.allclose(found[name], wanted[name], rtol=0, atol=1e-4) for name in OUTPUTS)
    # One byte that is rounded to the other side in a sentence moves all numbers of the layers above it.
    assert equal > len(LINES) / 4


def test_outputs_do_not_depend_on_what_else_is_asked(loaded: Network) -> None:
    asked = next(questions())
    whole = loaded.answer(*asked, OUTPUTS)
    assert list(whole) == OUTPUTS
    for name in OUTPUTS:
        (alone,) = loaded.answer(*asked, [name]).values()
        assert alone.tobytes() == whole[name].tobytes()
        assert alone.shape == (len(asked[2]) + (name != "vector"), loaded.sizes[name])


def test_a_network_written_anew_is_the_same(file: NetworkFile, loaded: Network) -> None:
    again = network(read_network(onnx_writer.model(file)))
    asked = next(questions())
    for name, array in loaded.answer(*asked, OUTPUTS).items():
        assert again.answer(*asked, [name])[name].tobytes() == array.tobytes()


def changed(file: NetworkFile, place: int, node: Node) -> NetworkFile:
    return replace(file, nodes=(*file.nodes[:place], node, *file.nodes[place + 1 :]))


def with_constant(file: NetworkFile, place: int, position: int, array: Any) -> NetworkFile:
    """Return a file whose node at a place has another constant."""
    name = file.nodes[place].inputs[position]
    old = file.constants[name]
    return replace(file, constants={**file.constants, name: array(old)})


def place_of(file: NetworkFile, kind: str) -> int:
    return [node.kind for node in file.nodes].index(kind)


def test_other_operations_are_refused(file: NetworkFile) -> None:
    first = file.nodes[0]
    for other in (
        changed(file, 0, replace(first, kind="GatherND")),
        replace(file, nodes=file.nodes[:-1]),
        replace(file, nodes=file.nodes[1:]),
        NetworkFile((), {}),
        onnx_writer.SMALL,
    ):
        with pytest.raises(ValueError, match="its operations are not those of a network"):
            network(other)


PRODUCT = "MatMulIntegerToFloat"


@pytest.mark.parametrize(
    ("kind", "position", "array", "fault"),
    [
        (PRODUCT, 1, lambda old: old.astype(np.uint8), f"an operation {PRODUCT} lacks a constant"),
        (PRODUCT, 1, lambda old: old[0], f"an operation {PRODUCT} lacks a constant"),
        (PRODUCT, 1, lambda old: old[:, 1:], "unit has 1152 entries; it needs 1151"),
        (PRODUCT, 1, lambda old: old * 0 + 65, r"weights\[0\] is 65; it must lie between -64 and"),
        (PRODUCT, 2, lambda old: old * 0, "a scale that is not above 0"),
        (PRODUCT, 2, lambda old: old * np.nan, "a scale that is not above 0"),
        (PRODUCT, 2, lambda old: old.repeat(2), "has 2 numbers in place of one"),
        (PRODUCT, 3, lambda old: old[1:], "unit has 1151 entries; it needs 1152"),
        (PRODUCT, 5, lambda old: old + 1, "or weights around a number"),
        (
            PRODUCT,
            6,
            lambda old: old.astype(np.float16),
            f"an operation {PRODUCT} lacks a constant",
        ),
        (PRODUCT, 6, lambda old: old * np.inf, r"bias\[0\] is"),
        ("Gather", 0, lambda old: old[1:], "piece_units has 30522 entries; it needs 30521"),
        ("Concat", 1, lambda old: old[:, 1:], "its outputs are not those of a network"),
    ],
)
def test_constants_that_do_not_fit_are_refused(
    file: NetworkFile, kind: str, position: int, array: Any, fault: str
) -> None:
    with pytest.raises(ValueError, match=fault), np.errstate(invalid="ignore"):
        network(with_constant(file, place_of(file, kind), position, array))


def test_another_number_beside_variances_is_refused(file: NetworkFile) -> None:
    place = place_of(file, "Sqrt") - 1
    with pytest.raises(ValueError, match="a norm adds another number to variances than 1e-12"):
        network(with_constant(file, place, 1, lambda old: old * 2))


def test_heads_of_another_width_are_refused(file: NetworkFile) -> None:
    place = place_of(file, "MultiHeadAttention")
    for integers in ({"num_heads": 6}, {}):
        other = changed(file, place, replace(file.nodes[place], integers=integers))
        with pytest.raises(ValueError, match="its attention has heads of another width than 32"):
            network(other)


@pytest.mark.parametrize("sizes", [[1474], [737] * 2, [0] * 7 + [1474], [1] * 8])
def test_other_outputs_are_refused(file: NetworkFile, sizes: list[int]) -> None:
    places = [place for place, node in enumerate(file.nodes) if node.kind == "Split"]
    other = with_constant(file, places[-1], 1, lambda _: np.array(sizes, dtype=np.int64))
    with pytest.raises(ValueError, match="its outputs are not those of a network"):
        network(other)


def test_vectors_of_no_layer_are_refused(file: NetworkFile) -> None:
    places = [place for place, node in enumerate(file.nodes) if node.kind == "Reshape"]
    reshape = file.nodes[places[-1]]
    for inputs in (("n1_0", *reshape.inputs[1:]), ()):
        other = changed(file, places[-1], replace(reshape, inputs=inputs))
        with pytest.raises(ValueError, match="its outputs are not those of a network"):
            network(other)

"""ONNX files: nodes and constants are read as they were written, and what is none is refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.parsers.encoder.network import read_network
from tests.parsers.encoder import onnx_writer
from tests.parsers.encoder.onnx_writer import SMALL, field

WRITTEN = onnx_writer.model(SMALL)


def test_nodes_and_constants_are_read_as_written() -> None:
    found = read_network(WRITTEN)
    assert found.nodes == SMALL.nodes
    assert found.constants.keys() == SMALL.constants.keys()
    for name, array in SMALL.constants.items():
        read = found.constants[name]
        assert (read.dtype, read.shape) == (array.dtype, array.shape)
        assert np.array_equal(read, array)


def test_sizes_may_be_written_together() -> None:
    array = SMALL.constants["whole"]
    graph = field(5, onnx_writer.constant("whole", array, packed=True))
    assert np.array_equal(read_network(field(7, graph)).constants["whole"], array)


def test_an_empty_file_has_no_nodes() -> None:
    assert read_network(b"").nodes == ()


@pytest.mark.parametrize("size", range(2, len(WRITTEN), 7))
def test_a_file_that_is_cut_off_is_refused(size: int) -> None:
    whole = read_network(WRITTEN)
    try:
        found = read_network(WRITTEN[:size])
    except ValueError as error:
        assert "cut off" in str(error)  # noqa: PT017 - it may also end between two fields
    else:
        assert (found.nodes, len(found.constants)) != (whole.nodes, len(whole.constants))


def constant(sizes: list[int], content: bytes, kind: int = 1) -> bytes:
    axes = b"".join(field(1, size) for size in sizes)
    return field(7, field(5, axes + field(2, kind) + field(8, "c") + field(9, content)))


@pytest.mark.parametrize(
    ("model", "fault"),
    [
        (constant([2], b"1234"), "does not have its size"),
        (constant([1], b"12345678"), "does not have its size"),
        (constant([2**64 - 1], b"1234"), "does not have its size"),
        (constant([0, 2**64 - 1], b""), "does not have its size"),
        (constant([1], b"1234", kind=11), "a constant of type 11 is none of a model"),
        (field(7, field(1, field(4, b"\xff"))), "invalid start byte"),
        (b"no network", "kind 6"),
    ],
)
def test_what_is_no_model_is_refused(model: bytes, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        read_network(model)


@given(st.integers(0, len(WRITTEN) - 1), st.integers(0, 255))
def test_a_changed_byte_is_read_or_refused(place: int, byte: int) -> None:
    changed = bytearray(WRITTEN)
    changed[place] = byte
    try:
        found = read_network(bytes(changed))
    except ValueError:
        return
    assert len(found.nodes) <= len(SMALL.nodes)

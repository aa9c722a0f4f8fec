"""Writes the wire format of protocol buffers and small ONNX files, for tests of what reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from kilter.parsers.encoder.network import NetworkFile, Node

if TYPE_CHECKING:
    from numpy.typing import NDArray

TYPES = {"float32": 1, "uint8": 2, "int8": 3, "int64": 7, "float16": 10}


def number(value: int) -> bytes:
    """Return a number, seven bits a byte, the lowest first."""
    found = bytearray()
    while value >= 0x80:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*found, value])


def field(place: int, content: bytes | str | int) -> bytes:
    """Return a field of a message with its content: bytes, a text or a number."""
    if isinstance(content, int):
        return number(place << 3) + number(content)
    content = content.encode() if isinstance(content, str) else content
    return number(place << 3 | 2) + number(len(content)) + content


def constant(name: str, array: NDArray[Any], *, packed: bool = False) -> bytes:
    """Return a constant of a graph; sizes of axes are written together or one by one."""
    sizes = (
        field(1, b"".join(map(number, array.shape)))
        if packed
        else b"".join(field(1, size) for size in array.shape)
    )
    content = array.astype(array.dtype.newbyteorder("<")).tobytes()
    return sizes + field(2, TYPES[array.dtype.name]) + field(8, name) + field(9, content)


def node(content: Node) -> bytes:
    """Return an operation of a graph."""
    return b"".join(
        [
            *(field(1, name) for name in content.inputs),
            *(field(2, name) for name in content.outputs),
            field(4, content.kind),
            *(
                field(5, field(1, name) + field(3, value))
                for name, value in content.integers.items()
            ),
        ]
    )


def model(file: NetworkFile) -> bytes:
    """Return an ONNX file."""
    graph = [
        *(field(1, node(each)) for each in file.nodes),
        *(field(5, constant(name, array)) for name, array in file.constants.items()),
    ]
    return field(1, 8) + field(2, "tests") + field(7, b"".join(graph))


SMALL = NetworkFile(
    (
        Node("Mul", ("x", "half"), ("y",), {}),
        Node("MultiHeadAttention", ("y", "y", "y"), ("z",), {"num_heads": 12, "unidirectional": 0}),
    ),
    {
        "half": np.array([0.5], dtype=np.float32),
        "whole": np.arange(-6, 6, dtype=np.int8).reshape(3, 4),
        "bytes": np.array([[255]], dtype=np.uint8),
        "long": np.array([-1, 2**40], dtype=np.int64),
        "short": np.array([1.5, -2], dtype=np.float16),
        "alone": np.array(7, dtype=np.int64),
        "none": np.zeros(0, dtype=np.float32),
    },
)

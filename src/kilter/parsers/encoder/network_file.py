"""The nodes and constants of an ONNX file."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from kilter.parsers.encoder.wire_format import fields, numbers

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from numpy.typing import NDArray

    from kilter.parsers.encoder.wire_format import WireField

_GRAPH, _NODE, _CONSTANT = 7, 1, 5
_NODE_INPUT, _NODE_OUTPUT, _NODE_KIND, _NODE_ATTRIBUTE = 1, 2, 4, 5
_ATTRIBUTE_NAME, _ATTRIBUTE_INTEGER = 1, 3
_SIZES, _TYPE, _NAME, _CONTENT = 1, 2, 8, 9
"""The fields of a constant."""
_TYPES = {1: "float32", 2: "uint8", 3: "int8", 7: "int64", 10: "float16"}


@dataclass(frozen=True)
class Node:
    """One operation of a graph: the names of what it takes and makes, and its settings that are integers."""

    kind: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    integers: dict[str, int]


@dataclass(frozen=True, eq=False)
class NetworkFile:
    """A graph: its operations in their order, and its constants by name."""

    nodes: tuple[Node, ...]
    constants: dict[str, NDArray[Any]]


def read_network(model: bytes) -> NetworkFile:
    """Return what an ONNX file holds; a `ValueError` says that it is none."""
    nodes: list[Node] = []
    constants: dict[str, NDArray[Any]] = {}
    for graph in _within(memoryview(model), _GRAPH):
        for field in fields(graph.content):
            if field.number == _NODE:
                nodes.append(_node(field))
            elif field.number == _CONSTANT:
                name, array = _constant(field)
                constants[name] = array
    return NetworkFile(tuple(nodes), constants)


def _within(message: memoryview, number: int) -> Iterator[WireField]:
    return (field for field in fields(message) if field.number == number)


def _texts(field: WireField, number: int) -> tuple[str, ...]:
    return tuple(str(inner.content, "utf-8") for inner in _within(field.content, number))


def _node(field: WireField) -> Node:
    kind = "".join(_texts(field, _NODE_KIND))
    integers = {}
    for attribute in _within(field.content, _NODE_ATTRIBUTE):
        for integer in _within(attribute.content, _ATTRIBUTE_INTEGER):
            (integers["".join(_texts(attribute, _ATTRIBUTE_NAME))],) = numbers(integer.content)
    return Node(kind, _texts(field, _NODE_INPUT), _texts(field, _NODE_OUTPUT), integers)


def _constant(field: WireField) -> tuple[str, NDArray[Any]]:
    sizes: list[int] = []
    kind, content = 0, memoryview(b"")
    for inner in fields(field.content):
        if inner.number == _SIZES:
            sizes += numbers(inner.content)
        elif inner.number == _TYPE:
            (kind,) = numbers(inner.content)
        elif inner.number == _CONTENT:
            content = inner.content
    if kind not in _TYPES:
        raise ValueError(f"a constant of type {kind} is none of a model")
    stored = np.dtype(_TYPES[kind]).newbyteorder("<")
    # An axis that is longer than the content cannot even be asked for.
    if max(sizes, default=0) > len(content) or prod(sizes) * stored.itemsize != len(content):
        raise ValueError("a constant does not have its size")
    array = np.frombuffer(content, dtype=stored).reshape(sizes)
    return "".join(_texts(field, _NAME)), array.astype(_TYPES[kind])

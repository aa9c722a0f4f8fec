"""The part of a network that some of its outputs need: an ONNX file in, a smaller one out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

_GRAPH = 7
"""The field of an ONNX model that holds its graph."""
_NODE, _CONSTANT, _OUTPUT = 1, 5, 12
"""The fields of a graph that are chosen from."""
_NODE_INPUT, _NODE_OUTPUT, _CONSTANT_NAME, _OUTPUT_NAME = 1, 2, 8, 1
_NUMBER, _EIGHT_BYTES, _BYTES, _FOUR_BYTES = 0, 1, 2, 5
"""Kinds of fields in the wire format of protocol buffers."""
_MORE = 0x80
_LONGEST_NUMBER = 10


class _Field(NamedTuple):
    """A field of a message: its number, itself with its key, and its content."""

    number: int
    whole: memoryview
    content: memoryview


def network_part(model: bytes, outputs: Collection[str]) -> bytes:
    """Return a model that computes these outputs and nothing else, from the same constants.

    The runtime runs all of a graph, whatever is asked of it: the vectors of a middle layer would cost
    as much as everything. A `ValueError` says that this is no model, or none with these outputs.
    """
    parts: list[bytes | memoryview] = []
    for field in _fields(memoryview(model)):
        if field.number == _GRAPH:
            graph = _graph_part(list(_fields(field.content)), outputs)
            parts += [_key(_GRAPH), _as_number(len(graph)), graph]
        else:
            parts.append(field.whole)
    return b"".join(parts)


def _graph_part(fields: list[_Field], outputs: Collection[str]) -> bytes:
    known = {_name(field, _OUTPUT_NAME) for field in fields if field.number == _OUTPUT}
    if not set(outputs) <= known:
        raise ValueError(f"the network has no output {min(set(outputs) - known)}")
    makers: dict[str, _Field] = {}
    for field in fields:
        if field.number == _NODE:
            makers.update(dict.fromkeys(_names(field, _NODE_OUTPUT), field))
    needed: set[str] = set()
    nodes: set[int] = set()
    waiting = list(outputs)
    while waiting:
        name = waiting.pop()
        maker = None if name in needed else makers.get(name)
        needed.add(name)
        if maker is not None:
            nodes.add(id(maker))
            waiting += _names(maker, _NODE_INPUT)
    return b"".join(
        field.whole
        for field in fields
        if (field.number != _NODE or id(field) in nodes)
        and (field.number != _CONSTANT or _name(field, _CONSTANT_NAME) in needed)
        and (field.number != _OUTPUT or _name(field, _OUTPUT_NAME) in outputs)
    )


def _names(field: _Field, number: int) -> list[str]:
    return [
        str(inner.content, "utf-8") for inner in _fields(field.content) if inner.number == number
    ]


def _name(field: _Field, number: int) -> str:
    return next(iter(_names(field, number)), "")


def _fields(message: memoryview) -> Iterator[_Field]:
    """Yield the fields of a message in their order."""
    at = 0
    while at < len(message):
        start = at
        key, at = _number(message, at)
        kind = key & 7
        if kind == _BYTES:
            size, at = _number(message, at)
        elif kind == _NUMBER:
            size = _number(message, at)[1] - at
        elif kind in {_EIGHT_BYTES, _FOUR_BYTES}:
            size = 8 if kind == _EIGHT_BYTES else 4
        else:
            raise ValueError(f"a field of kind {kind} is none of a model")
        if at + size > len(message):
            raise ValueError("the model is cut off")
        yield _Field(key >> 3, message[start : at + size], message[at : at + size])
        at += size


def _number(message: memoryview, at: int) -> tuple[int, int]:
    """Return the number that begins at a place, seven bits a byte, and the place after it."""
    value = 0
    for place in range(_LONGEST_NUMBER):
        if at + place >= len(message):
            raise ValueError("the model is cut off")
        byte = message[at + place]
        value |= (byte & 0x7F) << (7 * place)
        if byte < _MORE:
            return value, at + place + 1
    raise ValueError("a number of the model is too long")


def _key(number: int) -> bytes:
    return _as_number(number << 3 | _BYTES)


def _as_number(value: int) -> bytes:
    """Return a number in the wire format.

    >>> _as_number(300).hex()
    'ac02'
    """
    found = bytearray()
    while value >= _MORE:
        found.append(value & 0x7F | _MORE)
        value >>= 7
    found.append(value)
    return bytes(found)

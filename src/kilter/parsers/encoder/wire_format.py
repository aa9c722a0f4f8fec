"""The wire format of protocol buffers, in which ONNX files are written."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_NUMBER, _EIGHT_BYTES, _BYTES, _FOUR_BYTES = 0, 1, 2, 5
_MORE = 0x80
_LONGEST_NUMBER = 10


class WireField(NamedTuple):
    """A field of a message: its number and its content, of a number its bytes."""

    number: int
    content: memoryview


def fields(message: memoryview) -> Iterator[WireField]:
    """Yield the fields of a message in their order; a `ValueError` says that it is none."""
    at = 0
    while at < len(message):
        key, at = number_at(message, at)
        kind = key & 7
        if kind == _BYTES:
            size, at = number_at(message, at)
        elif kind == _NUMBER:
            size = number_at(message, at)[1] - at
        elif kind in {_EIGHT_BYTES, _FOUR_BYTES}:
            size = 8 if kind == _EIGHT_BYTES else 4
        else:
            raise ValueError(f"a field of kind {kind} is none of a model")
        if at + size > len(message):
            raise ValueError("the model is cut off")
        yield WireField(key >> 3, message[at : at + size])
        at += size


def numbers(content: memoryview) -> list[int]:
    r"""Return the numbers of a field: one, or several that were written together.

    >>> numbers(memoryview(b"\xac\x02\x07"))
    [300, 7]
    """
    found, at = [], 0
    while at < len(content):
        value, at = number_at(content, at)
        found.append(value)
    return found


def number_at(message: memoryview, at: int) -> tuple[int, int]:
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

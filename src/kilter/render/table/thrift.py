"""Structures of Thrift's compact protocol, which Parquet describes its files with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_INTEGER, _LONG, _BINARY, _LIST, _STRUCT = 5, 6, 8, 9, 12
_SHORT = 15


@dataclass(frozen=True, slots=True)
class Value:
    """A value: the number of its type, and its bytes."""

    kind: int
    content: bytes


Field = tuple[int, Value]
"""A value with the number of its field."""


def varint(number: int) -> bytes:
    """Return a whole number from 0 on, seven bits a byte, the lowest first.

    >>> varint(300).hex()
    'ac02'
    """
    found = bytearray()
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    found.append(number)
    return bytes(found)


def integer(number: int) -> Value:
    """Return a number of 32 bits, from 0 on."""
    return Value(_INTEGER, varint(number << 1))


def long(number: int) -> Value:
    """Return a number of 64 bits, from 0 on."""
    return Value(_LONG, varint(number << 1))


def text(content: str) -> Value:
    """Return a text."""
    encoded = content.encode()
    return Value(_BINARY, varint(len(encoded)) + encoded)


def listed(values: Sequence[Value], *, of: Value | None = None) -> Value:
    """Return values of one type as a list; where there may be none, `of` is one of the type."""
    kind = (of or values[0]).kind
    count = len(values)
    head = bytes([count << 4 | kind]) if count < _SHORT else bytes([0xF0 | kind]) + varint(count)
    return Value(_LIST, head + b"".join(value.content for value in values))


def struct(*fields: Field) -> Value:
    """Return fields, whose numbers grow by no more than 15, as a structure.

    >>> struct((1, integer(3)), (4, text("a"))).content.hex()
    '150638016100'
    """
    parts = []
    last = 0
    for number, value in fields:
        parts += [bytes([(number - last) << 4 | value.kind]), value.content]
        last = number
    return Value(_STRUCT, b"".join(parts) + b"\x00")

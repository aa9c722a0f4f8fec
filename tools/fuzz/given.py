"""Numbers and choices made of a fuzzer's bytes: the same bytes always make the same things."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T")


class Given:
    """Bytes that are taken from the front; where they run out, everything is 0."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.place = 0

    def left(self) -> int:
        """Return how many bytes have not been taken."""
        return len(self.data) - self.place

    def take(self, size: int) -> bytes:
        """Return the next bytes, fewer at the end."""
        found = self.data[self.place : self.place + size]
        self.place += len(found)
        return found

    def number(self, low: int, high: int) -> int:
        """Return a whole number from low to high."""
        size = max(1, ((high - low).bit_length() + 7) // 8)
        return low + int.from_bytes(self.take(size), "little") % (high - low + 1)

    def chance(self) -> bool:
        """Return either."""
        return bool(self.number(0, 1))

    def choice(self, things: Sequence[T]) -> T:
        """Return one of some things."""
        return things[self.number(0, len(things) - 1)]

    def real(self) -> float:
        """Return any number of 64 bits, also infinite ones and NaN."""
        return float(struct.unpack("<d", self.take(8).ljust(8, b"\0"))[0])

    def text(self, size: int) -> str:
        """Return a text of any characters, also lone surrogates."""
        return self.take(size).decode("utf-8", "surrogateescape")

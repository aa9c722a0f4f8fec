"""Bytes through the reader of permutations, compared with the naive one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.core.errors import InputError
from kilter.io.permutation import read_permutations
from kilter.io.stream import ByteSource
from tests import naive_reader

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

PIECES = [
    b"1", b"2", b"3", b"0", b"12", b"2147483648", b"99999999999999999999", b" ", b"  ", b"\t", b"\r",
    b"\r\n", b"\n", b"\n\n", b",", b", ", b"[", b"]", b"(", b")", b"<", b">", b"[]", b"|", b"|||",
    b" ||| ", b"\x00", b"\xff", b"\xc3", b"\xe2\x82", b"\xf0\x9f\x98\x80", b"\xef\xbb\xbf", b"-", b"+",
    b".", b"e", b"x", b"\xd9\xa2", b"\xef\xbc\x92", b"\xc2\xa0", b"\x0b", b"\x0c", b"#",
]  # fmt: skip


class Pieces(ByteSource):
    """Bytes that come in the pieces given."""

    def __init__(self, pieces: list[bytes]) -> None:
        super().__init__("fuzz")
        self.pieces = pieces

    def raw_chunks(self, *, again: bool = False) -> Iterator[bytes]:
        """Yield them, as often as asked."""
        del again
        yield from filter(None, self.pieces)


def good_line(chance: Random, *, pairs: bool) -> bytes:
    """Return a line that can be read."""
    length = chance.choice([0, 1, 2, 3, 5, 9, 64, 65, 300])

    def one() -> bytes:
        values = [str(value) for value in chance.sample(range(1, length + 1), length)]
        brackets = ["[]", "()", "<>"] if not values else ["", "[]", "()", "<>"]
        opening = chance.choice(brackets)[:1]
        closing = {"[": "]", "(": ")", "<": ">"}.get(opening, "")
        return (opening + chance.choice([" ", ",", ", ", "  "]).join(values) + closing).encode()

    return one() + chance.choice([b" ||| ", b"\t", b"|||"]) + one() if pairs else one()


def mutated(line: bytes, chance: Random) -> bytes:
    """Return a line with a few bytes changed, removed or put in."""
    data = bytearray(line)
    for _ in range(chance.randrange(4)):
        place = chance.randrange(len(data) + 1)
        match chance.randrange(3):
            case 0:
                data[place:place] = chance.choice(PIECES)
            case 1:
                del data[place : place + chance.randrange(1, 4)]
            case _:
                data[place : place + 1] = bytes([chance.randrange(256)])
    return bytes(data)


def some_bytes(chance: Random, *, pairs: bool) -> bytes:
    """Return lines: mutated ones, soups of pieces, and noise."""
    lines = []
    for _ in range(chance.randrange(1, 8)):
        match chance.randrange(4):
            case 0:
                lines.append(b"".join(chance.choices(PIECES, k=chance.randrange(12))))
            case 1:
                lines.append(chance.randbytes(chance.randrange(20)))
            case _:
                lines.append(mutated(good_line(chance, pairs=pairs), chance))
    return chance.choice([b"\n", b"\n", b"\r\n"]).join(lines)


def cut(data: bytes, chance: Random) -> list[bytes]:
    """Return the data in chunks, wherever they end."""
    pieces: list[bytes] = []
    place = 0
    size = chance.choice([1, 2, 5, 40, 1000])
    while place < len(data):
        step = chance.randrange(1, size + 1)
        pieces.append(data[place : place + step])
        place += step
    return pieces


def check(chance: Random) -> None:
    """Read some bytes in some chunks and compare with the naive reader."""
    pairs, zero_based = chance.random() < 0.4, chance.random() < 0.2
    data = some_bytes(chance, pairs=pairs)
    pieces = cut(data, chance)
    expected = naive_reader.read(data, pairs=pairs, zero_based=zero_based)
    good: dict[int, list[list[int]]] = {}
    bad: list[int] = []
    step = 2 if pairs else 1
    try:
        for block in read_permutations(Pieces(pieces), pairs=pairs, zero_based=zero_based):
            rows = [block.batch[s].tolist() for s in range(len(block.batch))]
            for k, line in enumerate(block.lines.tolist()):
                good[line] = rows[k * step : (k + 1) * step]
            for problem in block.bad:
                bad.append(problem.line)
                assert problem.reason
                assert "\n" not in problem.reason
    except InputError:
        assert not data.removeprefix(b"\xef\xbb\xbf"), pieces
    assert good == expected.good, pieces
    assert bad == expected.bad, pieces

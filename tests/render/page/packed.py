"""Reads what pages carry as packed numbers, byte by byte."""

from base64 import b64decode


def unpacked(text: str) -> list[int]:
    """Return whole numbers of seven bits a byte, the lowest first; the eighth says that more follow."""
    found, value, shift = [], 0, 0
    for byte in b64decode(text):
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            found.append(value)
            value, shift = 0, 0
    assert shift == 0
    return found


def unpacked_signed(text: str) -> list[int]:
    """Return whole numbers of either sign: 0, 1, 2, 3 stand for 0, -1, 1, -2."""
    return [-(value + 1) // 2 if value % 2 else value // 2 for value in unpacked(text)]


def unpacked_positions(given: dict[str, str]) -> list[list[int]]:
    """Return lists of positions, each written as steps from the one before."""
    steps = iter(unpacked_signed(given["places"]))
    found = []
    for count in unpacked(given["counts"]):
        at, places = 0, []
        for _ in range(count):
            at += next(steps)
            places.append(at)
        found.append(places)
    assert [*steps] == []
    return found

"""How much room texts take in a picture: widths in the widest of the common fonts without serifs."""

from __future__ import annotations

import re
from functools import lru_cache
from unicodedata import category, east_asian_width, normalize

# Advance widths in thousandths of the font size, at most; those of Vera and DejaVu Sans, which are wider than
# Arial, Helvetica, Liberation and Roboto.
_WIDTHS = {
    character: width
    for width, characters in {
        300: "'ijlIJ",
        340: " ,./:;\\|",
        420: "f-()[]t!r\u00ad",
        535: '"*_`sz?',
        620: "cLFkvxyPTYoae",
        640: "EhnuSbdgpq$0123456789{}",
        700: "KAVXZBRC",
        790: "UNHDG&OQ",
        865: "w#+<=>^~M",
        1000: "%mW@",
    }.items()
    for character in characters
}
_BOLD = 1.15
# Of other scripts: the widest letter of DejaVu Sans in these ranges, without the ones that are named.
_RANGES = ((0x410, 0x44F, 800), (0x5D0, 0x5EA, 720), (0x620, 0x6FF, 1230))
_WIDE = frozenset("ЖМФШЩЪЫЮжфшщю")
_WITHOUT_WIDTH = frozenset({"Mn", "Me", "Cf"})
# Names may break at blanks, and behind the signs that metrics and files are named with.
_PIECE = re.compile(r"[^ ,:;=_/|+\-]*(?:[,:;=_/|+\-]+| +|\Z)")


def text_length(text: str, size: float, *, bold: bool = False) -> float:
    """Return how long a line of text is at most, in the unit of its font size.

    >>> text_length("ill", 10) < text_length("www", 10)
    True
    """
    return _thousandths(text) / 1000 * size * (_BOLD if bold else 1.0)


# What is drawn is measured first, and the same names stand in many figures.
@lru_cache(maxsize=4096)
def _thousandths(text: str) -> int:
    return sum(map(_width, text))


def _width(character: str) -> int:
    known = _WIDTHS.get(character)
    if known is not None:
        return known
    if category(character) in _WITHOUT_WIDTH:
        return 0
    if east_asian_width(character) in "WF":
        return 1000
    letter = normalize("NFD", character)[0]
    for first, last, width in _RANGES:
        if first <= ord(letter) <= last and letter not in _WIDE:
            return width
    return max(_WIDTHS.get(letter, 1100), 420)


def broken_lines(text: str, size: float, room: float, *, bold: bool = False) -> list[str]:
    """Return a text in lines that fit into a room; only what is wider than all of it breaks anywhere.

    >>> broken_lines("dted:variant=co,flat=true", 10, 100)
    ['dted:variant=co,', 'flat=true']
    """
    lines = [""]
    for piece in _PIECE.findall(text):
        joined = lines[-1] + piece
        if text_length(joined.rstrip(" "), size, bold=bold) <= room:
            lines[-1] = joined
            continue
        lines.append("")
        for character in piece:
            if lines[-1] and text_length(lines[-1] + character, size, bold=bold) > room:
                lines.append("")
            lines[-1] += character
    return [line.strip(" ") for line in lines if line.strip(" ")] or [""]

"""Words as pieces of a fixed vocabulary: the longest match from the left [WordPiece]."""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

PADDING, UNKNOWN, START, END = "[PAD]", "[UNK]", "[CLS]", "[SEP]"
LONGEST_PART = 100
"""Characters; a longer run without punctuation is one unknown piece."""
MOST_PIECES = 8
"""Pieces of one word; of a longer one the beginning and the last piece stay."""

_IDEOGRAPHS = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


class WordPieces:
    """Splits words, whatever their script, into numbers of pieces; never into none."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self._numbers = {piece: number for number, piece in enumerate(vocabulary)}
        self.unknown = self._numbers[UNKNOWN]
        self.start = self._numbers[START]
        self.end = self._numbers[END]

    def split(self, word: str) -> list[int]:
        """Return the numbers of the pieces of a word, one to `MOST_PIECES` of them."""
        pieces = [number for part in _parts(word) for number in self._longest_matches(part)]
        if not pieces:
            return [self.unknown]
        if len(pieces) > MOST_PIECES:
            return [*pieces[: MOST_PIECES - 1], pieces[-1]]
        return pieces

    def _longest_matches(self, part: str) -> list[int]:
        if len(part) > LONGEST_PART:
            return [self.unknown]
        pieces: list[int] = []
        start = 0
        while start < len(part):
            for end in range(len(part), start, -1):
                piece = part[start:end] if start == 0 else "##" + part[start:end]
                number = self._numbers.get(piece)
                if number is not None:
                    break
            else:
                return [self.unknown]
            pieces.append(number)
            start = end
        return pieces


def _parts(word: str) -> list[str]:
    """Return a word in lower case without accents, cut around punctuation and ideographs."""
    plain = unicodedata.normalize("NFD", word).lower()
    parts = [""]
    for character in plain:
        kind = _kind(character)
        if kind == "alone":
            parts.extend((character, ""))
        elif kind == "gap":
            parts.append("")
        elif kind == "part":
            parts[-1] += character
    return [part for part in parts if part]


@cache
def _kind(character: str) -> str:
    """Return what a character does to its word: part, alone, gap or nothing."""
    code = ord(character)
    category = unicodedata.category(character)
    if character in "\t\n\r" or category == "Zs":
        return "gap"
    if code in (0, 0xFFFD) or category[0] == "C" or category == "Mn":
        return "nothing"
    # Every ASCII sign counts as punctuation, also those that Unicode calls symbols ($, +, ^).
    if category[0] == "P" or (code < 0x7F and not character.isalnum()):
        return "alone"
    if any(low <= code <= high for low, high in _IDEOGRAPHS):
        return "alone"
    return "part"

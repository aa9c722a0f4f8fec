"""What the capital letters of a word look like: the encoder's pieces are all in lower case."""

from __future__ import annotations

from enum import IntEnum


class WordShape(IntEnum):
    """The kinds of words by their capital letters; the model has one vector for each."""

    PLAIN = 0
    CAPITALISED = 1
    CAPITALS = 2
    MIXED = 3
    LETTER = 4


def word_shape(word: str) -> WordShape:
    """Return the shape of a word.

    >>> [word_shape(word).name for word in ("word", "Word", "WORD", "iPhone", "I", "2nd")]
    ['PLAIN', 'CAPITALISED', 'CAPITALS', 'MIXED', 'LETTER', 'PLAIN']
    """
    capitals = [character.isupper() for character in word]
    count = sum(capitals)
    if count == 0:
        return WordShape.PLAIN
    letters = sum(map(str.isalpha, word))
    if count == letters:
        return WordShape.LETTER if letters == 1 else WordShape.CAPITALS
    return WordShape.CAPITALISED if capitals[0] and count == 1 else WordShape.MIXED

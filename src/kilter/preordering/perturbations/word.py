"""A word and the punctuation around it. [TH] section 6.2"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

OPENING = "('`\""
CLOSING = ".?!:,;)'`\""


class Word(NamedTuple):
    """The core of a word, with the punctuation before and behind it.

    `place` is where the core stood in the sentence that was perturbed, counted from 0; a core that was
    put in for another one has the place of the word it replaced.
    """

    opening: str
    core: str
    closing: str
    place: int = -1

    @property
    def text(self) -> str:
        """The word as it is written."""
        return self.opening + self.core + self.closing

    def with_core_of(self, other: Word) -> Word:
        """Return the other word's core in this word's punctuation."""
        return Word(self.opening, other.core, self.closing, other.place)


def split_word(text: str, *, place: int = -1) -> Word:
    """Return a word in its parts; a word made of punctuation only is all core.

    >>> split_word('("word",').text
    '("word",'
    >>> tuple(split_word("(word),"))[:3]
    ('(', 'word', '),')
    """
    inner = text.lstrip(OPENING)
    core = inner.rstrip(CLOSING)
    if not core:
        return Word("", text, "", place)
    return Word(text[: len(text) - len(inner)], core, inner[len(core) :], place)


def split_sentence(text: str) -> tuple[Word, ...]:
    """Return the words of a sentence, which blanks separate."""
    return tuple(split_word(word, place=place) for place, word in enumerate(text.split()))


def ends_in_punctuation(text: str) -> bool:
    """Return whether the last word of a sentence is punctuation by itself, which moves as any other word does.

    >>> ends_in_punctuation("I saw a cat ."), ends_in_punctuation("I saw a cat.")
    (True, False)
    """
    words = text.split()
    return len(words) > 1 and not words[-1].strip(OPENING + CLOSING)


def join_words(words: Iterable[Word]) -> str:
    """Return the sentence that words make."""
    return " ".join(word.text for word in words)

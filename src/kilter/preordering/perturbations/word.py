"""A word and the punctuation around it. [TH] section 6.2"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from kilter.core.errors import KilterError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Protocol

    class Step(Protocol):
        """One deterministic step; its fields are what a result lists."""

        def apply(self, words: Sequence[Word]) -> tuple[Word, ...]:
            """Return the words after the step."""


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


T = TypeVar("T")


class Chance:
    """Draws from a seed made of several parts.

    Everything is made of `Random.random`, whose sequence Python promises to keep; the draws for one
    sentence therefore never depend on another, on the order of work, or on the version of Python.

    >>> Chance(1, "order", 5).below(100)
    2
    """

    def __init__(self, *parts: int | str) -> None:
        # The repr of each part keeps ("1", "23") apart from ("12", "3").
        self._random = Random("\x1f".join(map(repr, parts))).random  # noqa: S311 - no secret

    def below(self, bound: int) -> int:
        """Return a number from 0 to bound - 1; `bound` may be larger than a float can say."""
        if bound <= 1 << 53:
            return int(self._random() * bound)
        digits = 0
        for _ in range(bound.bit_length() // 32 + 2):
            digits = (digits << 32) | int(self._random() * (1 << 32))
        return digits % bound

    def choice(self, options: Sequence[T]) -> T:
        """Return one of the options."""
        return options[self.below(len(options))]

    def shuffled(self, options: Sequence[T]) -> list[T]:
        """Return the options in random order."""
        mixed = list(options)
        for last in range(len(mixed) - 1, 0, -1):
            other = self.below(last + 1)
            mixed[last], mixed[other] = mixed[other], mixed[last]
        return mixed

    def sample(self, options: Sequence[T], size: int) -> list[T]:
        """Return some of the options in random order."""
        return self.shuffled(options)[:size]


class Draw(NamedTuple):
    """The words after all steps, before truecasing, and the steps."""

    words: tuple[Word, ...]
    steps: tuple[Step, ...]


class ImpossibleError(KilterError):
    """A sentence that does not allow what was asked; the message says why."""

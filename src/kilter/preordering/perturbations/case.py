"""Which words start with a capital in the middle of a sentence. [TH] section 6.2"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kilter.core.counted import counted
from kilter.core.errors import InputError
from kilter.preordering.perturbations.word import Word, split_sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kilter.core.dependency_tree import DependencyTree
    from kilter.preordering.perturbations.word import Word


@dataclass(frozen=True, slots=True)
class CaseCounts:
    """How often each word was seen with a capital first letter, and without.

    The key is the core with its first letter in lower case (ambiguity A32): `US` and `us` are two words.
    The first word of a sentence is not counted, nor is a word that does not start with a letter.
    """

    capital: Counter[str] = field(default_factory=Counter)
    plain: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, sentences: Iterable[str]) -> CaseCounts:
        """Return the counts of a corpus.

        >>> CaseCounts.of(["They saw Paris and the paris hotel."]).capital
        Counter({'paris': 1})
        """
        counts = cls()
        for sentence in sentences:
            for word in split_sentence(sentence)[1:]:
                if word.core[0].isalpha():
                    column = counts.capital if word.core[0].isupper() else counts.plain
                    column[lowered(word.core)] += 1
        return counts

    def truecase(self, words: Sequence[Word]) -> tuple[Word, ...]:
        """Return words with the case of the corpus: a capital if it is at least twice as frequent.

        Words that were never counted stay as they are; the first word of the sentence always gets a
        capital. Only first letters change.
        """
        return tuple(
            word._replace(core=raised(word.core) if place == 0 else self._cased(word.core))
            for place, word in enumerate(words)
        )

    def _cased(self, core: str) -> str:
        key = lowered(core)
        capital, plain = self.capital[key], self.plain[key]
        if capital == plain == 0:
            return core
        return raised(core) if capital >= 2 * plain else key


def lowered(core: str) -> str:
    """Return a word with its first letter in lower case, if one letter can say so."""
    first = core[:1].lower()
    return first + core[1:] if len(first) == 1 else core


def raised(core: str) -> str:
    """Return a word with its first letter in upper case, if one letter can say so."""
    first = core[:1].upper()
    return first + core[1:] if len(first) == 1 else core


@dataclass(frozen=True, slots=True)
class Sentence:
    """The reference as blanks split it; its tree over the same words; tagged words of a hypothesis.

    `tree.tags` are the tags. Algorithms that need what is missing say so.
    """

    text: str
    tree: DependencyTree | None = None
    hypothesis: Sequence[tuple[str, str]] | None = None

    def __post_init__(self) -> None:
        size = len(self.text.split())
        if self.tree is not None and len(self.tree) != size:
            raise InputError(
                f"the sentence has {counted(size, 'word')}, but its tree has {len(self.tree)}"
            )

    def words(self) -> tuple[Word, ...]:
        """Return the words of the sentence."""
        return split_sentence(self.text)

    def known_tree(self, purpose: str) -> DependencyTree:
        """Return the tree, or say that it is missing."""
        if self.tree is None:
            raise InputError(f"{purpose} needs the tags or the tree of the sentence; give its tree")
        return self.tree

    def known_hypothesis(self) -> Sequence[tuple[str, str]]:
        """Return cores and tags of the hypothesis, or say that they are missing."""
        if self.hypothesis is None:
            raise InputError("choice takes words from a hypothesis; give one with its tree")
        return self.hypothesis


def tagged_words(text: str, tree: DependencyTree) -> tuple[tuple[str, str], ...]:
    """Return the core and the tag of each word of a hypothesis."""
    words = split_sentence(text)
    if len(words) != len(tree):
        raise InputError(
            f"the hypothesis has {counted(len(words), 'word')}, but its tree has {len(tree)}"
        )
    return tuple((word.core, tag) for word, tag in zip(words, tree.tags, strict=True))

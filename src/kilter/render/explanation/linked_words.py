"""What pictures of a segment show: the words of both sides, their links, and which words are misplaced."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from unicodedata import bidirectional

from kilter.core.counted import counted
from kilter.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kilter.core.link import Link
    from kilter.core.permutation import Permutation


@dataclass(frozen=True, slots=True, init=False)
class LinkedWords:
    """Words of hypothesis and reference, links (hypothesis, reference), misplaced hypothesis words.

    All positions are zero-based. `sides` is what pictures call the two sentences, `called` what they call the
    misplaced words.
    """

    hypothesis: tuple[str, ...]
    reference: tuple[str, ...]
    links: tuple[Link, ...]
    misplaced: frozenset[int]
    sides: tuple[str, str]
    called: str

    def __init__(
        self,
        hypothesis: Iterable[str],
        reference: Iterable[str],
        links: Iterable[Link],
        *,
        misplaced: Iterable[int] = (),
        sides: tuple[str, str] = ("hypothesis", "reference"),
        called: str = "misplaced",
    ) -> None:
        for field, value in (
            ("hypothesis", tuple(hypothesis)),
            ("reference", tuple(reference)),
            ("links", tuple(sorted(set(links)))),
            ("misplaced", frozenset(misplaced)),
            ("sides", sides),
            ("called", called),
        ):
            object.__setattr__(self, field, value)
        self._check()

    def _check(self) -> None:
        above, below = self.sides
        for side, words, places in (
            (above, self.hypothesis, {first for first, _ in self.links} | self.misplaced),
            (below, self.reference, {second for _, second in self.links}),
        ):
            outside = sorted(place for place in places if not 0 <= place < len(words))
            if outside:
                raise InputError(
                    f"there is no word {outside[0]} in a {side} of {counted(len(words), 'word')}; "
                    "they are counted from 0"
                )

    @classmethod
    def of_permutation(
        cls, permutation: Permutation, *, misplaced: Iterable[int] = ()
    ) -> LinkedWords:
        """Return a permutation as words: its values above, 1 to n below.

        >>> from kilter import Permutation
        >>> LinkedWords.of_permutation(Permutation.from_one_based([2, 1])).links
        ((0, 1), (1, 0))
        """
        values = permutation.one_based()
        return cls(
            map(str, values),
            map(str, range(1, len(values) + 1)),
            [(place, value - 1) for place, value in enumerate(values)],
            misplaced=misplaced,
        )

    @property
    def linked_hypothesis(self) -> frozenset[int]:
        """The words of the hypothesis with a link."""
        return frozenset(first for first, _ in self.links)

    @property
    def linked_reference(self) -> frozenset[int]:
        """The words of the reference with a link."""
        return frozenset(second for _, second in self.links)

    @property
    def misplaced_reference(self) -> frozenset[int]:
        """The words of the reference that misplaced words are linked with."""
        return frozenset(second for first, second in self.links if first in self.misplaced)

    def description(self) -> str:
        """Return in words what a picture of the links shows, for people who do not see it.

        >>> words = LinkedWords(["b", "a"], ["a", "b", "c"], [(0, 1), (1, 0)], misplaced=[0])
        >>> words.description()
        'Hypothesis: b a. Reference: a b c. Links: b 1 - b 2, a 2 - a 1. Misplaced: b 1. Without a link: c 3 of the reference.'
        """
        above, below = self.sides
        told = [
            f"{_capital(above)}: {' '.join(self.hypothesis) or 'no words'}.",
            f"{_capital(below)}: {' '.join(self.reference) or 'no words'}.",
        ]
        pairs = [
            f"{_named(self.hypothesis, first)} - {_named(self.reference, second)}"
            for first, second in self.links
        ]
        told.append(f"Links: {', '.join(pairs) or 'none'}.")
        if self.misplaced:
            names = [_named(self.hypothesis, word) for word in sorted(self.misplaced)]
            told.append(f"{_capital(self.called)}: {', '.join(names)}.")
        alone = [
            f"{_named(words, place)} of the {side}"
            for side, words, linked in (
                (above, self.hypothesis, self.linked_hypothesis),
                (below, self.reference, self.linked_reference),
            )
            for place in range(len(words))
            if place not in linked
        ]
        if alone:
            told.append(f"Without a link: {', '.join(alone)}.")
        return " ".join(told)


def _capital(name: str) -> str:
    return name[:1].upper() + name[1:]


def _named(words: Sequence[str], place: int) -> str:
    return f"{words[place]} {place + 1}"


def reads_leftward(words: Sequence[str]) -> bool:
    """Return whether more words begin with a letter that is read from right to left than not.

    >>> reads_leftward(["שלום", "עולם", "!"]), reads_leftward(["peace", "2"])
    (True, False)
    """
    leftward = rightward = 0
    for word in words:
        strong = next((kind for kind in map(bidirectional, word) if kind in {"L", "R", "AL"}), "")
        leftward += strong in {"R", "AL"}
        rightward += strong == "L"
    return leftward > rightward

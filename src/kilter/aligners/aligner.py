"""What an aligner is: two columns of words in, links out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kilter.core.errors import InputError, SegmentPlace
from kilter.core.registry import Configured

if TYPE_CHECKING:
    from collections.abc import Callable

    from kilter.core.corpus import TokenColumn, Vocabulary
    from kilter.core.links import LinkBatch
    from kilter.core.taught_pairs import TaughtPairs

    Progress = Callable[[int, int], None]


@dataclass(frozen=True, kw_only=True)
class Aligner(Configured, ABC):
    """Finds links between two texts. Options are fields and show in the signature."""

    summary: ClassVar[str]
    monolingual: ClassVar[bool]
    """Whether both texts are in one language (hypothesis and reference)."""
    only_language: ClassVar[str | None] = None
    """The language that it knows, if it knows one only."""
    tells_certainty: ClassVar[bool] = False
    """Whether its links say how certain they are."""

    @property
    def lacks_stemmer(self) -> bool:
        """Whether it looks for stems, and words have none but themselves."""
        return False

    @property
    def assumed_language(self) -> str | None:
        """The language that texts are taken to be in; None for an aligner that knows of none."""
        return self.only_language

    @property
    def learns_from_all(self) -> bool:
        """Whether the links of one pair of texts depend on the others, so that it has to see all at once."""
        return False

    @property
    def blocks(self) -> bool:
        """Whether texts may be aligned block by block: the links of a segment depend on no other."""
        return not self.learns_from_all

    @abstractmethod
    def align(
        self,
        first: TokenColumn,
        second: TokenColumn,
        vocabulary: Vocabulary,
        *,
        jobs: int = 1,
        progress: Progress | None = None,
    ) -> LinkBatch:
        """Return the links between the words of each pair of segments.

        `progress` is called with (done, total) by aligners that take their time.
        """

    def align_after(
        self,
        first: TokenColumn,
        second: TokenColumn,
        vocabulary: Vocabulary,
        earlier: TaughtPairs,
        *,
        jobs: int = 1,
    ) -> tuple[LinkBatch, TaughtPairs]:
        """Return the links of an aligner that learns from all, with pairs of earlier runs, and what later runs learn."""
        raise NotImplementedError

    def check_pairs_of_texts(self, count: int) -> None:
        """Raise an `OptionError` if these options cannot serve so many pairs of texts."""

    def one_to_one(self) -> Aligner | None:
        """Return the aligner with options under which no word has two links, if it has such."""
        return None

    def identity(self) -> str | None:
        """Return all that decides the links of a pair beside its words: name, options, versions, checksums.

        What it makes of equal pairs of segments is then made once, and may be kept for other runs. None, where
        other segments or anything that cannot be named play a part, or where it is not worth keeping.
        """
        return None

    def signature(self) -> str:
        """Return the name with every option, such as match(stages:exact+stem,language:en)."""
        listed = ",".join(f"{name}:{value}" for name, value in self.options().items())
        return f"{self.name}({listed})" if listed else self.name


MOST_EQUAL_WORDS = 50_000
"""Of a segment, on either side: time grows with the product of the numbers of words that are equal."""
MOST_WORDS = 5_000
"""The same of aligners that compare every word with every other."""


def check_pairs(
    first: TokenColumn,
    second: TokenColumn,
    *,
    every: bool = False,
    equal: int = MOST_EQUAL_WORDS,
) -> None:
    """Raise an `InputError` unless both texts have equally many segments, and none has too many words.

    An aligner compares equal words, of which it takes so many, or `every` word with every other.
    """
    if len(first) != len(second):
        raise InputError(
            f"the texts have {len(first)} and {len(second)} segments; both need equally many"
        )
    most = MOST_WORDS if every else equal
    for place in np.flatnonzero(first.lengths * second.lengths > most * most).tolist():
        if every or _equal_pairs(first, second, place) > most * most:
            kind = "words" if every else "equal words"
            raise InputError(
                f"has {first.lengths[place]} and {second.lengths[place]} words; this aligner takes at most {most} "
                f"{kind} on either side; split it into sentences",
                where=SegmentPlace(place),
            )


def _equal_pairs(first: TokenColumn, second: TokenColumn, place: int) -> int:
    """Return how many pairs of equal words two segments have."""
    words = [each.ids[each.offsets[place] : each.offsets[place + 1]] for each in (first, second)]
    size = 1 + max(int(each.max(initial=0)) for each in words)
    one, other = (np.bincount(each, minlength=size) for each in words)
    return int(one @ other)

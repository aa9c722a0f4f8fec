"""Orders of a system beside those of a reference with tied groups. [FRS]"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kilter import _core

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.core.token_column import TokenColumn


class TiedSpans(StrEnum):
    """How tied words are scored: in the reading that is best for the system, or pair by pair."""

    BEST = "best"
    LOCAL = "local"


class Mismatch(NamedTuple):
    """A segment whose two sides do not hold the same words: one of them, and how often each side has it."""

    segment: int
    word: int
    here: int
    there: int

    def reason(self, word: str, other: str) -> str:
        """Return what is wrong with this side; `other` is what messages call the other one.

        >>> Mismatch(0, 7, 2, 1).reason("'the'", "source:1")
        "'the' stands 2 times here, but once in source:1"
        """
        if not self.there:
            braces = any(brace in word for brace in ("{{", "}}"))
            hint = "; braces of tied groups stand between blanks" if braces else ""
            return f"{word} is not among the words of {other}{hint}"
        if not self.here:
            return f"{word}, a word of {other}, is missing"
        return f"{word} stands {_times(self.here)} here, but {_times(self.there)} in {other}"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


@dataclass(frozen=True, slots=True, eq=False)
class OrderMatch:
    """For each word, in the order of the system, the number of its group in the reference.

    The words of segment s are entries `offsets[s]` to `offsets[s + 1]`; groups are numbered from 0 in the
    order of the reference.
    """

    groups: NDArray[np.int32]
    offsets: NDArray[np.int64]
    jobs: int = 1

    @classmethod
    def of(
        cls,
        system: TokenColumn,
        reference: TokenColumn,
        group: NDArray[np.int32],
        *,
        jobs: int = 1,
    ) -> OrderMatch:
        """Match every word of the system, left to right, with the first equal one that is still free.

        `group` holds the group of each word of the reference. Both sides must hold the same words, see
        `mismatch`.
        """
        return cls.of_sorted(system, sorted_groups(reference, group), jobs=jobs)

    @classmethod
    def of_sorted(
        cls, system: TokenColumn, groups: NDArray[np.int32], *, jobs: int = 1
    ) -> OrderMatch:
        """Return the same from what `sorted_groups` returns, for a reference that is matched many times."""
        # The k-th instance of a word meets the k-th instance on the other side.
        found = np.empty(len(groups), dtype=np.int32)
        found[_sorted_places(system)] = groups
        return cls(found, system.offsets, jobs)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of words of each segment."""
        return np.diff(self.offsets)

    def joins(self, *, ties: TiedSpans = TiedSpans.BEST, ends: bool = False) -> NDArray[np.int64]:
        """Return how many neighbours of each segment belong together in the reference.

        With `ends`, also whether the sentence begins and ends as the reference does. A segment of M words
        in C chunks has M - C joins.
        """
        return self._counts(ties, ends=ends)[:, 0]

    def wrong_pairs(self) -> NDArray[np.int64]:
        """Return how many pairs of words stand in the wrong order; tied words never do."""
        return self._counts(TiedSpans.LOCAL, ends=False)[:, 1]

    def misordered(
        self, *, ties: TiedSpans = TiedSpans.BEST
    ) -> tuple[NDArray[np.bool_], NDArray[np.int32]]:
        """Return for each word whether it begins a chunk, and in how many wrong pairs it takes part.

        Of several readings that are equally good one is taken, always the same.
        """
        starts, pairs = _core.reordering_words(
            self.groups, self.offsets, ties is TiedSpans.LOCAL, self.jobs
        )
        return starts.astype(np.bool_), pairs

    def _counts(self, ties: TiedSpans, *, ends: bool) -> NDArray[np.int64]:
        return _core.reordering_counts(
            self.groups, self.offsets, ties is TiedSpans.LOCAL, ends, self.jobs
        )


def sorted_groups(reference: TokenColumn, group: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the groups of the words of a reference by segment, word and place."""
    return group[_sorted_places(reference)]


def mismatch(system: TokenColumn, reference: TokenColumn) -> Mismatch | None:
    """Return the first segment whose sides differ in their words, or None.

    Both columns hold equally many segments of one vocabulary. A word that the system has too often is
    named before one that it lacks.
    """
    if np.array_equal(system.offsets, reference.offsets):
        ones = system.ids[_sorted_places(system)]
        others = reference.ids[_sorted_places(reference)]
        differing = np.flatnonzero(ones != others)
        if not differing.size:
            return None
        segment = int(np.searchsorted(system.offsets, differing[0], side="right")) - 1
    else:
        segment = _first_difference(system, reference)
    one, other = Counter(system[segment].tolist()), Counter(reference[segment].tolist())
    word = next(iter([*(one - other), *(other - one)]))
    return Mismatch(segment, word, one[word], other[word])


def _first_difference(system: TokenColumn, reference: TokenColumn) -> int:
    return next(
        segment
        for segment in range(len(system))
        if sorted(system[segment].tolist()) != sorted(reference[segment].tolist())
    )


def _sorted_places(column: TokenColumn) -> NDArray[np.int64]:
    """Return the places of words by segment, word and place."""
    segments = np.repeat(np.arange(len(column)), column.lengths)
    largest = int(column.ids.max(initial=0)) + 1
    return np.argsort(segments * largest + column.ids, kind="stable")

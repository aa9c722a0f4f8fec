"""Source words in the order of their translation, tied words in groups. [FRS]"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kilter import _core
from kilter.core.errors import InputError
from kilter.core.permutation_batch import PermutationBatch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from kilter.core.corpus import TokenColumn


@dataclass(frozen=True, slots=True, eq=False)
class Reordering:
    """The reordered words of segment s are rows `offsets[s]` to `offsets[s + 1]` of each array.

    `order` holds zero-based source positions in target order, `group` the number of the group at each
    place (numbers rise from 0; a word that is not tied has a group of its own), and `places` the place
    of each word, walking the source. Words that a rule dropped appear in none of them.
    """

    order: NDArray[np.int32]
    group: NDArray[np.int32]
    places: NDArray[np.int32]
    offsets: NDArray[np.int64]
    jobs: int = 1

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def ranks(self) -> PermutationBatch:
        """Return the place of each word, walking the source: `ranks` of the specification."""
        return PermutationBatch.trusted(self.places, self.offsets, jobs=self.jobs)

    def orders(self) -> PermutationBatch:
        """Return the inverse of the ranks: which word comes first, second, ... in the target order.

        Words are counted among those that were kept.
        """
        lengths = np.diff(self.offsets)
        starts = np.repeat(self.offsets[:-1], lengths)
        values = np.empty_like(self.places)
        values[starts + self.places] = np.arange(len(values)) - starts
        return PermutationBatch.trusted(values, self.offsets, jobs=self.jobs)

    def groups(self, segment: int) -> list[list[int]]:
        """Return the source positions of a segment in target order, tied ones together."""
        rows = slice(int(self.offsets[segment]), int(self.offsets[segment + 1]))
        listed: list[list[int]] = []
        for word, group in zip(self.order[rows].tolist(), self.group[rows].tolist(), strict=True):
            if group == len(listed):
                listed.append([])
            listed[group].append(word)
        return listed


@dataclass(frozen=True, slots=True, eq=False)
class PrintedOrder:
    """The places of segment s are entries `offsets[s]` to `offsets[s + 1]` of the flat arrays.

    `group` numbers the groups of each segment, rising from 0; a word that is not tied has a group of its
    own. `words` holds the words of each segment in their new order, `order` their zero-based source
    positions; a file that gives only one of them leaves the other None. `sources` holds the words in
    source order, where the file gives both.
    """

    name: str
    group: NDArray[np.int32]
    offsets: NDArray[np.int64]
    words: tuple[tuple[str, ...], ...] | None = None
    order: NDArray[np.int32] | None = None
    sources: tuple[tuple[str, ...], ...] | None = None

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of words of each segment."""
        return np.diff(self.offsets)

    @property
    def is_tied(self) -> bool:
        """Whether any words share a group."""
        starts = np.repeat(self.offsets[:-1], self.lengths)
        return bool((self.group != np.arange(len(self.group)) - starts).any())

    def where(self, segment: int) -> str:
        """Return the place of a segment as messages name it; one segment is one line."""
        return f"{self.name}:{segment + 1}"

    def positions(self, segment: int) -> list[int]:
        """Return the source positions of a segment in their new order."""
        if self.order is None:
            raise InputError("gives words, not their positions in the source", where=self.name)
        listed: list[int] = self.order[self.offsets[segment] : self.offsets[segment + 1]].tolist()
        return listed

    def groups(self, segment: int) -> list[list[int]]:
        """Return the source positions of a segment in groups."""
        rows = slice(int(self.offsets[segment]), int(self.offsets[segment + 1]))
        listed: list[list[int]] = []
        for word, group in zip(self.positions(segment), self.group[rows].tolist(), strict=True):
            if group == len(listed):
                listed.append([])
            listed[group].append(word)
        return listed

    def check_source(self, sentences: Sequence[Sequence[str]], named: Callable[[int], str]) -> None:
        """Raise an `InputError` for the first segment whose source words, where known, are not these.

        `named` says what messages call the place of the sentence with this number.
        """
        for segment, (own, other) in enumerate(zip(self.sources or (), sentences, strict=False)):
            if own != tuple(other):
                raise InputError(
                    f"the source words are not those of {named(segment)}; words are matched by their "
                    "places, so both must be orders of one source",
                    where=self.where(segment),
                )

    def repeated(self, counts: NDArray[np.int64]) -> PrintedOrder:
        """Return each segment as often as `counts` says, one after another."""
        chosen = np.repeat(np.arange(len(self)), counts)
        lengths = self.lengths[chosen]
        offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
        rows = np.arange(offsets[-1]) + np.repeat(self.offsets[chosen] - offsets[:-1], lengths)
        places = chosen.tolist()
        return PrintedOrder(
            self.name,
            self.group[rows],
            offsets,
            None if self.words is None else tuple(self.words[s] for s in places),
            None if self.order is None else self.order[rows],
            None if self.sources is None else tuple(self.sources[s] for s in places),
        )

    @classmethod
    def of(
        cls, name: str, reordering: Reordering, sources: Sequence[Sequence[str]]
    ) -> PrintedOrder:
        """Return the reordering of sentences given by their words."""
        listed = tuple(tuple(words) for words in sources)
        order, offsets = reordering.order, reordering.offsets.tolist()
        words = tuple(
            tuple(listed[s][k] for k in order[offsets[s] : offsets[s + 1]].tolist())
            for s in range(len(listed))
        )
        return cls(name, reordering.group, reordering.offsets, words, order, listed)


def group_numbers(segments: Iterable[Sequence[int]]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return the group number of every place, and offsets, from the sizes of the groups of segments.

    >>> group_numbers([[1, 2], [1]])
    (array([0, 1, 1, 0], dtype=int32), array([0, 3, 4]))
    """
    numbers: list[int] = []
    offsets = [0]
    for sizes in segments:
        for number, size in enumerate(sizes):
            numbers.extend([number] * size)
        offsets.append(len(numbers))
    return np.array(numbers, dtype=np.int32), np.array(offsets, dtype=np.int64)


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

"""Reordered sentences as files give them: words or positions in their new order, tied ones together. [FRS]"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from kilter.core.reordering import Reordering


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

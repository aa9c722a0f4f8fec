"""Segments of words as flat arrays of word numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class TokenColumn:
    """The words of segment s are `ids[offsets[s]:offsets[s + 1]]`, numbers into a `Vocabulary`."""

    ids: NDArray[np.int32]
    offsets: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of words of each segment."""
        return np.diff(self.offsets)

    def __getitem__(self, segment: int) -> NDArray[np.int32]:
        return self.ids[self.offsets[segment] : self.offsets[segment + 1]]


class Vocabulary:
    """Every word once, with a number; the same word has the same number in all columns."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self._numbers: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self.words)

    def number(self, word: str) -> int:
        """Return the number of a word, a new one if it was never seen."""
        found = self._numbers.get(word)
        if found is None:
            found = self._numbers[word] = len(self.words)
            self.words.append(word)
        return found

    def column(self, segments: Iterable[Sequence[str]]) -> TokenColumn:
        """Return segments of words as a column of numbers."""
        numbers: list[int] = []
        lengths: list[int] = []
        numbered = self.number
        for words in segments:
            numbers.extend(map(numbered, words))
            lengths.append(len(words))
        offsets = np.zeros(len(lengths) + 1, dtype=np.int64)
        np.cumsum(lengths, out=offsets[1:])
        return TokenColumn(np.array(numbers, dtype=np.int32), offsets)

    def text(self, column: TokenColumn, segment: int) -> list[str]:
        """Return the words of a segment."""
        return [self.words[number] for number in column[segment].tolist()]

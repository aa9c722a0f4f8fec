"""Vectors of the words of many pairs of sentences, of which memory holds few at a time."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.token_column import distinct_segments, joined_columns
from kilter.parsers.encoder.encoder import load_encoder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from kilter.core.token_column import TokenColumn, Vocabulary

    Floats = NDArray[np.float32]
    Vectors = Callable[[TokenColumn], Floats]

BLOCK = 50_000
"""Words that are encoded at once; the vectors of so many take 77 MB."""
WAITING = 200_000
"""Words whose vectors may wait for another block. Beyond that, sentences are encoded again."""


@dataclass(frozen=True, slots=True, eq=False)
class PairBlock:
    """Some pairs: their places, the numbers of both their sentences, and the vectors of each number.

    `done` is the number of pairs up to the end of this block.
    """

    places: NDArray[np.int64]
    sentences: NDArray[np.int64]
    vectors: dict[int, Floats]
    done: int


class SentencePairs:
    """Pairs of sentences in an order that lets few vectors wait: pairs with one second sentence together."""

    def __init__(self, first: TokenColumn, second: TokenColumn) -> None:
        self._texts = joined_columns([first, second])
        numbers, self._first_place = distinct_segments(self._texts)
        self._sentences = numbers.reshape(2, -1)
        """The numbers of both sentences of each pair; equal ones have the same."""
        self._order = np.lexsort(self._sentences)
        ordered = self._sentences[:, self._order]
        places = np.arange(len(self._order))
        self._first_use = np.full(len(self._first_place), len(self._order))
        self._last_use = np.zeros(len(self._first_place), dtype=np.int64)
        for side in ordered:
            np.minimum.at(self._first_use, side, places)
            np.maximum.at(self._last_use, side, places)
        self._sizes = self._texts.lengths[self._first_place]

    def blocks(self, vectors: Vectors) -> Iterator[PairBlock]:
        """Yield all pairs; `vectors` makes those of a column, once for each sentence unless too many wait."""
        known: dict[int, Floats] = {}
        for begin, end in self._spans():
            places = self._order[begin:end]
            used = self._sentences[:, places]
            self._encode(np.unique(used), known, vectors)
            yield PairBlock(places, used, known, end)
            self._forget(known, end)

    def _spans(self) -> Iterator[tuple[int, int]]:
        """Yield spans of the order with about `BLOCK` words of new sentences each."""
        new = np.bincount(self._first_use, self._sizes, minlength=len(self._order))
        # Known sentences count a little, so that a block of nothing else ends too.
        all_words = self._sizes[self._sentences[:, self._order]].sum(0)
        number = np.cumsum(new + all_words / 16) // BLOCK
        borders = np.flatnonzero(np.diff(number)) + 1
        yield from pairwise([0, *borders.tolist(), len(self._order)] if len(self._order) else [])

    def _encode(
        self, sentences: NDArray[np.int64], known: dict[int, Floats], vectors: Vectors
    ) -> None:
        """Add the vectors of sentences that are not known yet."""
        new = np.array([number for number in sentences.tolist() if number not in known], np.int64)
        column = self._texts.chosen(self._first_place[new])
        found = vectors(column)
        for place, number in enumerate(new.tolist()):
            known[number] = found[column.offsets[place] : column.offsets[place + 1]]

    def _forget(self, known: dict[int, Floats], end: int) -> None:
        """Leave the vectors that pairs from `end` on need; none, if they are too many to wait."""
        for number in list(known):
            if self._last_use[number] < end:
                del known[number]
        if sum(map(len, known.values())) > WAITING:
            known.clear()
        for number, vectors in known.items():
            known[number] = vectors.copy()  # a part would hold all of its block in memory


def word_vectors(
    words: TokenColumn, vocabulary: Vocabulary, *, folder: str = "", jobs: int = 1
) -> Floats:
    """Return one row for each word, as the network of a folder (or the installed one) gives it."""
    encoder = load_encoder(folder)
    vectors = np.zeros((len(words.ids), encoder.width), dtype=np.float32)
    for answer in encoder.answers(words, vocabulary, ("vector",), jobs=jobs):
        for place, window in enumerate(answer.windows):
            start = int(words.offsets[window.segment]) + window.start
            rows = slice(int(answer.offsets[place]), int(answer.offsets[place + 1]))
            vectors[start : start + window.stop - window.start] = answer.arrays["vector"][rows]
    return vectors

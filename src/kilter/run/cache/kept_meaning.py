"""What word vectors say about texts: asked once for all systems, and from the cache where it was asked before."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kilter.core.corpus import joined_columns, pair_key, ragged_ranges, row_offsets, segment_keys
from kilter.core.errors import InputError
from kilter.core.meaning import (
    FIRST_COLUMNS,
    SECOND_COLUMNS,
    TOTAL_COLUMNS,
    MeaningBatch,
    MeaningSource,
)
from kilter.io.cache_rows import CacheRows
from kilter.parsers.encoder.meaning import EncodedMeanings, lowercase, meaning, meaning_identity
from kilter.run.cache.cache_folder import Keep, cache_folder

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.core.corpus import Corpus, TextColumn, TokenColumn, Vocabulary
    from kilter.core.meaning import MeaningOptions

    Batches = dict[tuple[TextColumn, TextColumn], MeaningBatch]

KIND = "meanings"
_TOTALS = 2 * TOTAL_COLUMNS
"""Numbers of 32 bits that the totals of a pair take; they come before those of its words."""


class KeptMeaning:
    """The numbers of each pair are made once; between runs they are kept if there is a cache."""

    def __init__(self, options: MeaningOptions, cache: str | None = None) -> None:
        self._options = options
        folder = cache_folder(cache)
        identity = meaning_identity(options)  # a missing model is an error before anything else
        self._keep = None if folder is None else Keep(KIND, identity, folder, columns=1)

    def meaning(
        self, first: TokenColumn, second: TokenColumn, vocabulary: Vocabulary, *, jobs: int = 1
    ) -> MeaningBatch:
        """Return what the network says about each pair of segments."""
        if self._keep is None:
            return meaning(first, second, vocabulary, options=self._options, jobs=jobs)
        lower, sides = lowercase([first, second], vocabulary)

        def make(places: NDArray[np.int64]) -> CacheRows:
            one, other = (side.chosen(places) for side in sides)
            return _rows(meaning(one, other, lower, options=self._options, jobs=jobs))

        keys = (segment_keys(side, lower) for side in sides)
        found = self._keep.rows([pair_key(*pair) for pair in zip(*keys, strict=True)], make)
        return _batch(found, first.offsets, second.offsets)


def _rows(made: MeaningBatch) -> CacheRows:
    """Return the bits of all numbers, pair by pair: totals, first words, second words."""
    offsets = row_offsets(_sizes(made.first_offsets, made.second_offsets))
    values = np.zeros((int(offsets[-1]), 1), dtype=np.int32)
    places = _places(offsets, made.first_offsets, made.second_offsets)
    for rows, numbers in zip(
        places, (made.totals, made.first_words, made.second_words), strict=True
    ):
        values[rows, 0] = np.ascontiguousarray(numbers).view(np.int32).ravel()
    return CacheRows((), values, offsets)


def _batch(
    kept: CacheRows, first_offsets: NDArray[np.int64], second_offsets: NDArray[np.int64]
) -> MeaningBatch:
    """Return numbers of their bits; `InputError`, if they are those of sentences of other lengths."""
    if not np.array_equal(np.diff(kept.offsets), _sizes(first_offsets, second_offsets)):
        raise InputError("the cache holds meanings of other lengths; clear it")
    totals, first, second = (
        np.ascontiguousarray(kept.values[rows, 0])
        for rows in _places(kept.offsets, first_offsets, second_offsets)
    )
    return MeaningBatch(
        first_offsets,
        second_offsets,
        first.view(np.float32).reshape(-1, FIRST_COLUMNS),
        second.view(np.float32).reshape(-1, SECOND_COLUMNS),
        totals.view(np.float64).reshape(-1, TOTAL_COLUMNS),
    )


def _sizes(
    first_offsets: NDArray[np.int64], second_offsets: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return how many rows each pair takes."""
    words = FIRST_COLUMNS * np.diff(first_offsets) + SECOND_COLUMNS * np.diff(second_offsets)
    sizes: NDArray[np.int64] = _TOTALS + words
    return sizes


def _places(
    offsets: NDArray[np.int64],
    first_offsets: NDArray[np.int64],
    second_offsets: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the rows of totals, of first words and of second words, of all pairs."""
    begins = offsets[:-1]
    first = FIRST_COLUMNS * np.diff(first_offsets)
    return (
        ragged_ranges(begins, np.full(len(begins), _TOTALS, dtype=np.int64)),
        ragged_ranges(begins + _TOTALS, first),
        ragged_ranges(begins + _TOTALS + first, SECOND_COLUMNS * np.diff(second_offsets)),
    )


class MadeMeanings(MeaningSource):
    """Numbers by system and reference. `cache` is a folder that keeps them for other runs, if there is one.

    The first question about any system is answered for all of them, so that every sentence is encoded
    once, and a reference with all that it is compared with.
    """

    def __init__(self, corpus: Corpus, *, jobs: int, cache: str | None = None) -> None:
        self._corpus = corpus
        self._jobs = jobs
        self._cache = cache
        self._made: dict[MeaningOptions, Batches] = {}

    def meaning(
        self, hypothesis: TextColumn, reference: TextColumn, options: MeaningOptions
    ) -> MeaningBatch:
        """Return what is said about a system and a reference; about other texts, it is made anew."""
        if options not in self._made:
            self._made[options] = self._of_all(options)
        found = self._made[options].get((hypothesis, reference))
        if found is not None:
            return found
        encoded = EncodedMeanings(self._corpus.vocabulary, jobs=self._jobs)
        return encoded.meaning(hypothesis, reference, options)

    def _of_all(self, options: MeaningOptions) -> Batches:
        corpus, size = self._corpus, len(self._corpus)
        pairs = [(system, each) for system in corpus.systems for each in corpus.references]
        made = KeptMeaning(options, self._cache).meaning(
            joined_columns([system.tokens for system, _ in pairs]),
            joined_columns([reference.tokens for _, reference in pairs]),
            corpus.vocabulary,
            jobs=self._jobs,
        )
        return {
            pair: made.part(size * place, size * (place + 1)) for place, pair in enumerate(pairs)
        }

"""What the network says about pairs of sentences: words met, and the order of sharp soft links."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from kilter import _core
from kilter.core.corpus import (
    TokenColumn,
    Vocabulary,
    distinct_segments,
    joined_columns,
    ragged_rows,
    row_offsets,
)
from kilter.core.counted import counted
from kilter.core.errors import InputError, SegmentPlace
from kilter.core.meaning import (
    FIRST_COLUMNS,
    SECOND_COLUMNS,
    TOTAL_COLUMNS,
    MeaningBatch,
    MeaningOptions,
    MeaningSource,
)
from kilter.parsers.encoder.encoder import load_encoder, network_identity
from kilter.parsers.encoder.model_folder import model_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from kilter.core.corpus import TextColumn

    Floats = NDArray[np.float32]
    Vectors = Callable[[TokenColumn], Floats]
    Progress = Callable[[int, int], None]

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


def meaning_identity(options: MeaningOptions) -> str:
    """Return options and model: what is said about a pair depends on nothing else but its words."""
    return f"meaning({options.numbers()},{network_identity(options.folder)})"


def meaning_signature(options: MeaningOptions) -> str:
    """Return the options and the version of the model, as signatures write them."""
    folder = options.folder
    return f"meaning({options.numbers()},{model_folder(folder).signature(folder)})"


def meaning(
    first: TokenColumn,
    second: TokenColumn,
    vocabulary: Vocabulary,
    *,
    options: MeaningOptions | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
) -> MeaningBatch:
    """Return what the network says about each pair of segments, whose words it sees in lower case.

    Equal sentences are encoded once, and only what a `MeaningBatch` holds is kept. What is said about a
    pair depends on nothing else. `progress` is called with (done, total) pairs.
    """
    options = options or MeaningOptions()
    if len(first) != len(second):
        raise InputError(
            f"the texts have {len(first)} and {len(second)} segments; both need equally many"
        )
    _check_sizes(first, second)
    lower, sides = lowercase([first, second], vocabulary)
    made = MeaningBatch(
        first.offsets,
        second.offsets,
        np.zeros((len(first.ids), FIRST_COLUMNS), dtype=np.float32),
        np.zeros((len(second.ids), SECOND_COLUMNS), dtype=np.float32),
        np.zeros((len(first), TOTAL_COLUMNS)),
    )

    def vectors(column: TokenColumn) -> Floats:
        return word_vectors(column, lower, folder=options.folder, jobs=jobs)

    for block in SentencePairs(*sides).blocks(vectors):
        _add(block, made, options, jobs=jobs)
        if progress is not None:
            progress(block.done, len(first))
    return made


def lowercase(
    columns: Sequence[TokenColumn], vocabulary: Vocabulary
) -> tuple[Vocabulary, list[TokenColumn]]:
    """Return columns with their words in lower case, and the vocabulary of these."""
    lower = Vocabulary()
    numbers = lower.numbers(word.lower() for word in vocabulary.words)
    return lower, [TokenColumn(numbers[column.ids], column.offsets) for column in columns]


class EncodedMeanings(MeaningSource):
    """What the network says, as often as it is asked."""

    def __init__(self, vocabulary: Vocabulary, *, jobs: int = 1) -> None:
        self._vocabulary = vocabulary
        self._jobs = jobs

    def meaning(
        self, hypothesis: TextColumn, reference: TextColumn, options: MeaningOptions
    ) -> MeaningBatch:
        """Return what the network says about each segment of two texts."""
        return meaning(
            hypothesis.tokens,
            reference.tokens,
            self._vocabulary,
            options=options,
            jobs=self._jobs,
        )


def _add(block: PairBlock, made: MeaningBatch, options: MeaningOptions, *, jobs: int) -> None:
    """Compute the pairs of a block and put them at their places."""
    used, places = np.unique(block.sentences, return_inverse=True)
    vectors = [block.vectors[number] for number in used.tolist()]
    firsts, seconds = np.ascontiguousarray(places.reshape(2, -1), dtype=np.int64)
    first_words, second_words, totals = _core.meanings(
        np.concatenate(vectors),
        row_offsets(np.array([len(rows) for rows in vectors], dtype=np.int64)),
        firsts,
        seconds,
        options.context,
        options.position,
        options.temperature,
        options.floor,
        jobs,
    )
    made.first_words[ragged_rows(made.first_offsets, block.places)[0]] = first_words
    made.second_words[ragged_rows(made.second_offsets, block.places)[0]] = second_words
    made.totals[block.places] = totals


def _check_sizes(first: TokenColumn, second: TokenColumn) -> None:
    """Raise an `InputError` for a pair of sentences that nobody can compare word by word."""
    large = first.lengths * second.lengths > _core.MOST_MEANING_CELLS
    if large.any():
        segment = int(large.argmax())
        raise InputError(
            f"has {first.lengths[segment]} by "
            f"{counted(int(second.lengths[segment]), 'word')}, too many to compare each with each "
            f"(at most {_core.MOST_MEANING_CELLS} pairs of words); "
            "split it into sentences",
            where=SegmentPlace(segment),
        )

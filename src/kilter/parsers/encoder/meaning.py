"""What the network says about pairs of sentences: words met, and the order of sharp soft links."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kilter import _core
from kilter.core.counted import counted
from kilter.core.errors import InputError
from kilter.core.meaning_batch import (
    FIRST_COLUMNS,
    SECOND_COLUMNS,
    TOTAL_COLUMNS,
    MeaningBatch,
)
from kilter.core.meaning_source import MeaningOptions, MeaningSource
from kilter.core.token_column import TokenColumn, Vocabulary, ragged_rows, row_offsets
from kilter.parsers.encoder.encoder import network_identity
from kilter.parsers.encoder.model_folder import model_folder
from kilter.parsers.encoder.sentence_pairs import SentencePairs, word_vectors

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from kilter.core.corpus import TextColumn
    from kilter.parsers.encoder.sentence_pairs import PairBlock

    Floats = NDArray[np.float32]
    Progress = Callable[[int, int], None]


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
            f"segment {segment + 1} has {first.lengths[segment]} by "
            f"{counted(int(second.lengths[segment]), 'word')}, too many to compare each with each "
            f"(at most {_core.MOST_MEANING_CELLS} pairs of words); "
            "split it into sentences"
        )

"""What a statistical aligner has learned: word translation tables of both directions."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Self

import numpy as np

from kilter import _core
from kilter.core.link_batch import LinkBatch
from kilter.core.symmetrization import Symmetrization, symmetrize

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from kilter.core.token_column import TokenColumn, Vocabulary

UNSEEN = 1e-12
"""The probability of a pair of words that the table does not hold; less than this is not kept."""


class Decoding(IntEnum):
    """How links are read off a model; the numbers are the kernel's."""

    MODEL1 = 0
    PATH = 1
    POSTERIOR = 2


@dataclass(frozen=True, slots=True, eq=False)
class TranslationTable:
    """p(target word | source word) as sparse rows, row 0 for NULL, and the weights of jumps."""

    offsets: NDArray[np.int64]
    targets: NDArray[np.int32]
    probabilities: NDArray[np.float64]
    jumps: NDArray[np.float64]

    @classmethod
    def trained(cls, trainer: _core.EmTrainer, direction: int) -> Self:
        """Return what a trainer has learned, without the pairs that have become improbable."""
        offsets, targets, probabilities = trainer.table(direction)
        keep = probabilities >= UNSEEN
        keep[: offsets[1]] = True
        kept = np.zeros(len(keep) + 1, dtype=np.int64)
        np.cumsum(keep, out=kept[1:])
        jumps = trainer.jumps(direction)
        return cls(kept[offsets], targets[keep], probabilities[keep], jumps)


@dataclass(frozen=True, slots=True, eq=False)
class EmModel:
    """A trained model: the words of each side by number, and a table for each direction.

    Words that training never saw are unknown. Model 1 leaves an unknown word without a link; the
    hidden Markov model gives every pair that is not in its table the same small probability, so that
    the position of an unknown word decides.
    """

    kind: str
    lowercase: bool
    training: str
    """The options that it was trained with, as an aligner is asked for them."""
    first_words: tuple[str, ...]
    second_words: tuple[str, ...]
    forward: TranslationTable
    reverse: TranslationTable
    null: float
    uniform: float

    def links(
        self,
        first: TokenColumn,
        second: TokenColumn,
        vocabulary: Vocabulary,
        *,
        decoding: Decoding,
        rule: Symmetrization,
        jobs: int = 1,
    ) -> LinkBatch:
        """Return the links between the words of each pair of segments.

        Forward links give each word of `second` at most one word of `first`, reverse links the other
        way round.
        """
        one = numbered(first, vocabulary, self.first_words, lowercase=self.lowercase)
        two = numbered(second, vocabulary, self.second_words, lowercase=self.lowercase)
        batches: list[LinkBatch] = []
        if rule is not Symmetrization.REVERSE:
            sides = (one, first.offsets, two, second.offsets)
            batches.append(_linked(self._positions(*sides, self.forward, decoding, jobs), second))
        if rule is not Symmetrization.FORWARD:
            sides = (two, second.offsets, one, first.offsets)
            batches.append(
                _linked(self._positions(*sides, self.reverse, decoding, jobs), first).swapped()
            )
        return batches[0] if len(batches) == 1 else symmetrize(*batches, rule=rule)

    def _positions(
        self,
        source: NDArray[np.int32],
        source_offsets: NDArray[np.int64],
        target: NDArray[np.int32],
        target_offsets: NDArray[np.int64],
        table: TranslationTable,
        decoding: Decoding,
        jobs: int,
    ) -> NDArray[np.int32]:
        return _core.em_decode(
            source,
            source_offsets,
            target,
            target_offsets,
            table.offsets,
            table.targets,
            table.probabilities,
            table.jumps,
            self.null,
            self.uniform,
            int(decoding),
            jobs,
        )


def words_of(column: TokenColumn, vocabulary: Vocabulary, *, lowercase: bool) -> tuple[str, ...]:
    """Return the distinct words of a column in the order in which they first occur."""
    numbers, places = np.unique(column.ids, return_index=True)
    words = (vocabulary.words[number] for number in numbers[np.argsort(places)].tolist())
    return tuple(dict.fromkeys(_folded(words, lowercase=lowercase)))


def numbered(
    column: TokenColumn, vocabulary: Vocabulary, words: Iterable[str], *, lowercase: bool
) -> NDArray[np.int32]:
    """Return the words of a column as positions in `words`, -1 for those that are not there."""
    position = {word: place for place, word in enumerate(words)}
    numbers, inverse = np.unique(column.ids, return_inverse=True)
    listed = _folded((vocabulary.words[number] for number in numbers.tolist()), lowercase=lowercase)
    places = np.array([position.get(word, -1) for word in listed], dtype=np.int32)
    return np.ascontiguousarray(places[inverse.reshape(-1)])


def _folded(words: Iterable[str], *, lowercase: bool) -> Iterable[str]:
    return (word.lower() for word in words) if lowercase else words


def _linked(positions: NDArray[np.int32], targets: TokenColumn) -> LinkBatch:
    """Return a source position for each target word as links, sorted."""
    own = np.arange(len(positions)) - np.repeat(targets.offsets[:-1], targets.lengths)
    owner = np.repeat(np.arange(len(targets)), targets.lengths)
    linked = positions >= 0
    links = np.stack([positions[linked], own[linked].astype(np.int32)], axis=1)
    order = np.lexsort((links[:, 1], links[:, 0], owner[linked]))
    offsets = np.zeros(len(targets) + 1, dtype=np.int64)
    np.cumsum(np.bincount(owner[linked], minlength=len(targets)), out=offsets[1:])
    return LinkBatch(links[order], offsets)

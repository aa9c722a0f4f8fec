"""How certain the links of a statistical aligner are: their posterior probabilities in both directions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from kilter.aligners.em_model import UNSEEN, Decoding, numbered

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.aligners.em_model import EmModel, TranslationTable
    from kilter.core.link_batch import LinkBatch
    from kilter.core.token_column import TokenColumn, Vocabulary

    Matrix = NDArray[np.float64]


def with_certainty(
    links: LinkBatch,
    model: EmModel,
    first: TokenColumn,
    second: TokenColumn,
    vocabulary: Vocabulary,
    *,
    decoding: Decoding,
) -> LinkBatch:
    """Return links with how certain each is: the geometric mean of its posteriors in both directions.

    A posterior is the probability that a word is linked with this word of the other text, under everything
    else that the words of the pair may be linked with, nothing among it.
    """
    one = numbered(first, vocabulary, model.first_words, lowercase=model.lowercase)
    two = numbered(second, vocabulary, model.second_words, lowercase=model.lowercase)
    ahead = _Direction(model, model.forward, decoding)
    back = _Direction(model, model.reverse, decoding)
    certainty = np.empty(len(links.links))
    for segment in range(len(links)):
        rows = slice(int(links.offsets[segment]), int(links.offsets[segment + 1]))
        if rows.start == rows.stop:
            continue
        left, right = (
            words[int(column.offsets[segment]) : int(column.offsets[segment + 1])]
            for words, column in ((one, first), (two, second))
        )
        pairs = links.links[rows]
        forward = ahead.posteriors(left, right)[pairs[:, 1], pairs[:, 0]]
        reverse = back.posteriors(right, left)[pairs[:, 0], pairs[:, 1]]
        certainty[rows] = np.sqrt(forward) * np.sqrt(reverse)
    smallest = np.finfo(np.float64).tiny
    return replace(links, certainty=np.clip(certainty, smallest, 1.0))


class _Direction:
    """One direction of a model: words of its targets are made by words of its source, or by none."""

    def __init__(self, model: EmModel, table: TranslationTable, decoding: Decoding) -> None:
        self._null, self._uniform = model.null, model.uniform
        self._is_chain = decoding is not Decoding.MODEL1
        self._table = table
        self._rows: dict[int, dict[int, float]] = {}
        self._moves: dict[int, Matrix] = {}

    def posteriors(self, source: NDArray[np.int32], target: NDArray[np.int32]) -> Matrix:
        """Return for each target word, row by row, the probability of each source word."""
        emissions = np.array([[self._probability(i, j) for i in source + 1] for j in target])
        nulls = np.array([self._probability(0, j) for j in target])
        if self._is_chain:
            return self._chained(emissions, nulls)
        total = emissions.sum(axis=1) + nulls
        shares: Matrix = emissions / total[:, np.newaxis]
        return shares

    def _probability(self, row: int, word: int) -> float:
        """Return p(word | word of a row), row 0 for NULL; what was never seen is as improbable as can be."""
        if row not in self._rows:
            begin, end = self._table.offsets[row : row + 2].tolist()
            targets = self._table.targets[begin:end].tolist()
            values = self._table.probabilities[begin:end].tolist()
            self._rows[row] = dict(zip(targets, values, strict=True))
        return max(self._rows[row].get(word, UNSEEN), UNSEEN)

    def _transitions(self, size: int) -> Matrix:
        """Return the probability of moves to each position, from each one and, row 0, from the beginning."""
        if size not in self._moves:
            reach = len(self._table.jumps) // 2
            jumps = np.arange(size)[np.newaxis, :] - np.arange(-1, size)[:, np.newaxis]
            weights = self._table.jumps[np.clip(jumps, -reach, reach) + reach]
            shares = weights / weights.sum(axis=1, keepdims=True)
            self._moves[size] = (1 - self._uniform) * shares + self._uniform / size
        return self._moves[size]

    def _chained(self, emissions: Matrix, nulls: Matrix) -> Matrix:
        """Return posteriors of the hidden Markov model, by one pass forward and one backward."""
        moves = self._transitions(emissions.shape[1])
        memory = np.zeros(emissions.shape[1] + 1)
        memory[0] = 1.0
        reals, scales = [], []
        for row, null in zip(emissions, nulls, strict=True):
            real = (memory @ moves) * (1 - self._null) * row
            memory = self._null * null * memory
            memory[1:] += real
            scales.append(memory.sum())
            memory = memory / scales[-1]
            reals.append(real / scales[-1])
        backward = np.ones(emissions.shape[1] + 1)
        found = np.empty_like(emissions)
        for j in range(len(emissions) - 1, -1, -1):
            found[j] = reals[j] * backward[1:]
            onward = (1 - self._null) / scales[j] * emissions[j] * backward[1:]
            backward = moves @ onward + self._null * nulls[j] / scales[j] * backward
        return found

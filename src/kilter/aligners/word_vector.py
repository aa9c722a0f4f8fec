"""Words whose vectors in their sentences are most similar, each the other's best [SimAlign]: section 1.10."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kilter import _core
from kilter.aligners.offered_pair import OfferedPairs
from kilter.core.token_column import row_offsets
from kilter.parsers.encoder.sentence_pairs import SentencePairs, word_vectors

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.core.link_batch import LinkBatch
    from kilter.core.token_column import TokenColumn, Vocabulary

    Floats = NDArray[np.float32]

MODEL_LANGUAGE = "en"
CONTEXT, POSITION, THRESHOLD = 0.3, 0.05, 0.6
"""Weight of the neighbours' similarity, of the distance of positions, and the least similarity of a link."""
LEAST_CERTAINTY, CERTAINTY_SLOPE, HIGHEST_CERTAINTY = 0.4, 0.8, 0.8
"""A link of the least similarity, how fast certainty rises with similarity, and its upper bound."""


def unit_vectors(words: TokenColumn, vocabulary: Vocabulary, *, folder: str, jobs: int) -> Floats:
    """Return vectors of length 1, one row for each word."""
    vectors = word_vectors(words, vocabulary, folder=folder, jobs=jobs)
    norms = np.linalg.norm(vectors, axis=1, keepdims=True).astype(np.float32)
    vectors /= np.maximum(norms, np.float32(1e-12))
    return vectors


def similarity(
    cosines: Floats, *, context: float = CONTEXT, position: float = POSITION
) -> NDArray[np.float64]:
    """Return cosines of words, plus those of their neighbours, minus the distance of their positions."""
    rows, columns = (np.arange(size) / size for size in cosines.shape)
    distances = np.abs(rows[:, None] - columns)
    similar: NDArray[np.float64] = cosines - position * distances
    similar[1:, 1:] += context / 2 * cosines[:-1, :-1]
    similar[:-1, :-1] += context / 2 * cosines[1:, 1:]
    return similar


def mutual_best(similar: NDArray[np.float64], *, threshold: float = THRESHOLD) -> NDArray[np.int32]:
    """Return the pairs of which each is the other's most similar, and similar enough.

    >>> mutual_best(np.array([[0.9, 0.2], [0.8, 0.5]])).tolist()
    [[0, 0]]
    """
    best, back = similar.argmax(1), similar.argmax(0)
    rows = np.arange(len(similar))
    kept = (back[best] == rows) & (similar[rows, best] >= threshold)
    return np.column_stack((rows[kept], best[kept])).astype(np.int32)


def free_word_pairs(
    first: TokenColumn,
    second: TokenColumn,
    links: LinkBatch,
    vocabulary: Vocabulary,
    *,
    jobs: int,
) -> OfferedPairs:
    """Return the pairs of words without a link yet whose vectors are each other's most similar.

    Marks without a letter or digit are never paired. A pair is offered once, so that there is nothing to choose.
    """
    known = vocabulary.alphanumeric()
    cells: list[NDArray[np.int32]] = [np.zeros((0, 2), dtype=np.int32)] * len(first)
    values: list[NDArray[np.float64]] = [np.zeros(0)] * len(first)
    free = [_free(side, column, links, known) for side, column in enumerate((first, second))]
    wanted = np.flatnonzero(
        [np.any(free[0][s]) and np.any(free[1][s]) for s in range(len(first))]
    ).astype(np.int64)

    def vectors(column: TokenColumn) -> Floats:
        return unit_vectors(column, vocabulary, folder="", jobs=jobs)

    pairs = SentencePairs(first.chosen(wanted), second.chosen(wanted))
    for block in pairs.blocks(vectors):
        for index, one, other in zip(block.places.tolist(), *block.sentences.tolist(), strict=True):
            segment = int(wanted[index])
            rows, columns = (np.flatnonzero(side[segment]) for side in free)
            similar = similarity(_core.row_products(block.vectors[one], block.vectors[other]))
            similar = similar[np.ix_(rows, columns)]
            best = mutual_best(similar)
            cells[segment] = np.column_stack((rows[best[:, 0]], columns[best[:, 1]])).astype(
                np.int32
            )
            values[segment] = similar[best[:, 0], best[:, 1]]
    offsets = row_offsets(np.array([len(each) for each in cells], dtype=np.int64))
    similar = np.concatenate([np.zeros(0), *values])
    certainty = LEAST_CERTAINTY + CERTAINTY_SLOPE * (similar - THRESHOLD)
    return OfferedPairs(
        np.concatenate([np.zeros((0, 2), dtype=np.int32), *cells]),
        offsets,
        np.minimum(certainty, HIGHEST_CERTAINTY),
    )


def _free(
    side: int, column: TokenColumn, links: LinkBatch, known: NDArray[np.bool_]
) -> list[NDArray[np.bool_]]:
    """Return for each segment which of its tokens are words without a link."""
    free = known[column.ids]
    free[column.offsets[links.segments()] + links.links[:, side]] = False
    return np.split(free, column.offsets[1:-1])

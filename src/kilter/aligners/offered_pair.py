"""Pairs of words that a stage of the matcher may link, and how certain each link would be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kilter import _core
from kilter.core.corpus import TokenColumn, joined_columns, row_offsets
from kilter.core.links import LinkBatch
from kilter.parsers.encoder.meaning import SentencePairs, word_vectors

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from kilter.core.corpus import Vocabulary
    from kilter.core.taught_pairs import TaughtPairs

    Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class OfferedPairs:
    """The pairs of segment s are rows `offsets[s]` to `offsets[s + 1]` of `cells`, sorted, as links are."""

    cells: NDArray[np.int32]
    offsets: NDArray[np.int64]
    certainty: NDArray[np.float64]
    left_out: tuple[int, ...] = ()
    """Segments that the stage did not look at, because they are too long."""

    def certainty_of(
        self, words: NDArray[np.int64], others: NDArray[np.int32], first: TokenColumn
    ) -> NDArray[np.float64]:
        """Return the certainty of pairs that are offered.

        A pair is a word of the first text, counted over all its segments, and a place in its segment of
        the second.
        """
        starts = np.repeat(first.offsets[:-1], np.diff(self.offsets))
        offered = _number(starts + self.cells[:, 0], self.cells[:, 1])
        found: NDArray[np.float64] = self.certainty[
            np.searchsorted(offered, _number(words, others))
        ]
        return found


def _number(words: NDArray[np.int64], others: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return a number for each pair, which rises as pairs do."""
    return (words << 32) | others


ITERATIONS = 3
NEIGHBOUR = 5.0
"""How many times as likely two words are to stand for one another beside each link of their neighbours."""
DISTANCE = 5.0
"""How fast that falls with the distance of their relative positions."""
ALONE = 0.1
"""The weight of standing for no word."""
THRESHOLD = 0.2
"""Least strength of a pair in its place."""
EVIDENCE = 1.0
"""Least number of times that two words are taken to have stood for one another."""
MOST_PAIRS = 1 << 16
"""Segments with more pairs of free words than this are left out, as the search leaves them out."""


@dataclass(frozen=True, slots=True, eq=False)
class NumberedPairs:
    """Pairs of segments of earlier runs, their words numbered as those at hand are."""

    first: TokenColumn
    second: TokenColumn
    links: LinkBatch
    words: int
    """Numbers of words, those at hand included."""

    @classmethod
    def of(cls, taught: TaughtPairs, known: Mapping[int, int], size: int) -> NumberedPairs:
        """Return the pairs; words with a digest that is not `known` have numbers from `size` on."""
        digests, places = np.unique(
            np.concatenate([taught.first, taught.second]), return_inverse=True
        )
        numbers = [known.get(digest, -1) for digest in digests.tolist()]
        found = np.array(numbers, dtype=np.int64)
        new = found < 0
        found[new] = size + np.arange(np.count_nonzero(new))
        ids = found[places].astype(np.int32)
        return cls(
            TokenColumn(np.ascontiguousarray(ids[: len(taught.first)]), taught.first_offsets),
            TokenColumn(np.ascontiguousarray(ids[len(taught.first) :]), taught.second_offsets),
            taught.links,
            size + int(np.count_nonzero(new)),
        )


def learned_pairs(
    first: TokenColumn,
    second: TokenColumn,
    links: LinkBatch,
    keys: NDArray[np.int32],
    *,
    jobs: int,
    earlier: NumberedPairs | None = None,
) -> OfferedPairs:
    """Return the pairs of words without a link that stand for one another in several segments.

    `keys` gives a number to each word of the vocabulary, the same to words that count as one; segments of
    `earlier` runs teach, too.
    """
    one, other = (TokenColumn(keys[side.ids], side.offsets) for side in (first, second))
    batch, words = links, int(keys.max(initial=-1)) + 1
    if earlier is not None:
        one, other = joined_columns([one, earlier.first]), joined_columns([other, earlier.second])
        batch = LinkBatch(
            np.concatenate([links.links, earlier.links.links]),
            np.concatenate([links.offsets, links.offsets[-1] + earlier.links.offsets[1:]]),
        )
        words = earlier.words
    cells, offsets, strength = _core.learned_cells(
        one.ids,
        one.offsets,
        other.ids,
        other.offsets,
        batch.links,
        batch.offsets,
        words,
        ITERATIONS,
        NEIGHBOUR,
        DISTANCE,
        ALONE,
        THRESHOLD,
        EVIDENCE,
        jobs,
    )
    offsets = offsets[: len(first) + 1]
    cells, strength = cells[: offsets[-1]], strength[: offsets[-1]]
    free = (first.lengths - links.counts) * (second.lengths - links.counts)
    left_out = np.flatnonzero(free > MOST_PAIRS).tolist()
    return OfferedPairs(cells, offsets, certainty(strength), tuple(left_out))


def certainty(strength: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how many links of this strength people draw too, as a curve near the training part of Edinburgh++.

    >>> certainty(np.array([0.8, 7.2])).tolist()
    [0.6, 0.8]
    """
    return 0.35 + 0.5 * strength / (strength + 0.8)


MODEL_LANGUAGE = "en"
CONTEXT, POSITION, WORD_VECTOR_THRESHOLD = 0.3, 0.05, 0.6
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


def mutual_best(
    similar: NDArray[np.float64], *, threshold: float = WORD_VECTOR_THRESHOLD
) -> NDArray[np.int32]:
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
    certainty = LEAST_CERTAINTY + CERTAINTY_SLOPE * (similar - WORD_VECTOR_THRESHOLD)
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

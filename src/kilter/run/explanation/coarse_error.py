"""Lines in which too much is out of order to locate every move: one error holds it all."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.block_move import BlockMoveBatch
from kilter.core.token_column import row_offsets
from kilter.results.order_error import Direction, ErrorKind
from kilter.run.explanation.error_cost import repair_gains

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kilter.metrics.permutation_metric import OrderMetric
    from kilter.results.order_error import OrderErrors
    from kilter.run.explanation.ordered_word import OrderedWords

MOST = 1 << 22
"""Linked words of a line times moves that restore their order; where it is more, moves are one error.

The work of locating and of what moves cost grows with this product: at the limit, about 2,900 words in
complete disorder, it takes about a second.
"""


def entangled_segments(moves: BlockMoveBatch) -> NDArray[np.int64]:
    """Return the segments in which too much is out of order to locate every move."""
    found: NDArray[np.int64] = np.flatnonzero(moves.counts * moves.permutations.lengths > MOST)
    return found


def without_moves(moves: BlockMoveBatch, segments: NDArray[np.int64]) -> BlockMoveBatch:
    """Return the moves of all segments but these, which have none."""
    counts = moves.counts
    counts[segments] = 0
    kept = np.ones(len(moves.moves), dtype=bool)
    for segment in segments.tolist():
        kept[moves.offsets[segment] : moves.offsets[segment + 1]] = False
    return BlockMoveBatch(moves.permutations, moves.moves[kept], row_offsets(counts), moves.lower)


def coarse_notes(errors: OrderErrors) -> list[str]:
    """Return what is to be said about each segment in which one error stands for all moves."""
    return [
        f"{errors.system}, segment {segment + 1}: {coarse_note(errors, segment)}"
        for segment in errors.coarse_segments().tolist()
    ]


def coarse_note(errors: OrderErrors, segment: int) -> str:
    """Return why one error stands for all moves of a segment."""
    moves = int(errors.moves.counts[segment])
    words = int(errors.moves.permutations.lengths[segment])
    return (
        f"{moves:,} moves of {words:,} linked words restore the order; these are too many to locate each, so "
        f"that one complex error holds all of them (words times moves are more than {MOST:,})"
    )


def with_coarse_errors(
    located: OrderErrors,
    words: OrderedWords,
    moves: BlockMoveBatch,
    segments: NDArray[np.int64],
    metrics: Sequence[OrderMetric],
) -> OrderErrors:
    """Return errors with one of the kind `complex` for each of these segments, which had none so far.

    Its words are those from the first that is out of place to the last. They stay where they are, in another
    order; the distance is the longest way of one of them, and what the error costs is all that is lost.
    """
    rows = located.offsets[segments]
    gains = repair_gains(words, moves, segments, metrics)
    parts, distances = [], []
    for segment in segments.tolist():
        values = moves.permutations[segment]
        ways = values - np.arange(len(values))
        first, *_, last = np.flatnonzero(ways).tolist()
        begin = int(moves.permutations.offsets[segment])
        parts.append(words.positions[begin + first : begin + last + 1])
        distances.append(int(np.abs(ways).max()))
    sizes = np.array([len(part) for part in parts])
    counts = located.counts
    counts[segments] = 1
    losses = located.losses.copy()
    losses[segments] = gains[:, 0]
    coarse = located.coarse.copy()
    coarse[segments] = True
    return replace(
        located,
        coarse=coarse,
        offsets=row_offsets(counts),
        kinds=np.insert(located.kinds, rows, ErrorKind.COMPLEX),
        directions=np.insert(located.directions, rows, Direction.RIGHT),
        distances=np.insert(located.distances, rows, distances),
        belongs_before=np.insert(located.belongs_before, rows, [int(part[0]) for part in parts]),
        words=_inserted(located.words, located.word_offsets[rows], parts),
        word_offsets=row_offsets(np.insert(np.diff(located.word_offsets), rows, sizes)),
        moved_words=_inserted(located.moved_words, located.moved_offsets[rows], parts),
        moved_offsets=row_offsets(np.insert(np.diff(located.moved_offsets), rows, sizes)),
        costs=np.insert(located.costs, rows, gains, axis=0),
        shares=np.insert(located.shares, rows, 1.0),
        certainty=np.insert(located.certainty, rows, words.linked_shares[segments]),
        losses=losses,
        moves=moves,
    )


def _inserted(
    values: NDArray[np.int32], places: NDArray[np.int64], parts: Sequence[NDArray[np.int32]]
) -> NDArray[np.int32]:
    sizes = [len(part) for part in parts]
    return np.insert(values, np.repeat(places, sizes), np.concatenate(parts))

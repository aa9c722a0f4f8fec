"""What order errors cost: gains of metrics when they are repaired, alone and one after another."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from kilter.structures.permutation.permutation_batch import PermutationBatch
from kilter.structures.text.token_column import ragged_ranges, ragged_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kilter.metrics.permutation_metric import PermutationMetric
    from kilter.pipeline.explanation.misplaced_block import MisplacedBlocks
    from kilter.pipeline.explanation.ordered_word import OrderedWords
    from kilter.structures.permutation.block_move import BlockMoveBatch

CHUNK = 1 << 22
"""Elements of repaired permutations that are scored at a time."""


def error_costs(
    words: OrderedWords,
    moves: BlockMoveBatch,
    found: MisplacedBlocks,
    metrics: Sequence[PermutationMetric],
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return costs of each error by metric, shares by the first metric, and its loss in each segment."""
    permutations = moves.permutations
    segments = np.repeat(np.arange(len(moves)), moves.counts)
    faulty = np.flatnonzero(moves.counts)
    before = _chosen(permutations, permutations.values, faulty)
    place = np.searchsorted(faulty, segments)
    costs = np.empty((len(segments), len(metrics)))
    for column, metric in enumerate(metrics):
        costs[:, column] = -metric.permutation_scores(before)[place]
    for first, last in _chunks(permutations.lengths[segments]):
        repaired = _repaired(moves, found, np.arange(first, last), segments[first:last])
        for column, metric in enumerate(metrics):
            costs[first:last, column] += metric.permutation_scores(repaired)
    for column, metric in enumerate(metrics):
        if metric.penalty:
            costs[:, column] *= words.penalties[segments]
    # The score before each move of the replay; after the last of a segment every word is in order.
    scores = np.empty(len(segments))
    for rows, places in moves.steps():
        elements, offsets = ragged_rows(permutations.offsets, segments[rows])
        values = permutations.values[places[elements]]
        state = PermutationBatch.trusted(values, offsets, jobs=permutations.jobs)
        scores[rows] = metrics[0].permutation_scores(state)
    ordered = np.zeros(len(moves))
    ordered[faulty] = _ordered_scores(metrics[0], permutations.lengths[faulty])
    losses = np.zeros(len(moves))
    losses[faulty] = ordered[faulty] - scores[moves.offsets[faulty]]
    gains = np.append(scores[1:], 0.0) - scores
    gains[moves.offsets[faulty + 1] - 1] += (
        ordered[faulty] - np.append(scores, 0.0)[moves.offsets[faulty + 1]]
    )
    loss = losses[segments]
    shares = np.divide(gains, loss, out=np.zeros_like(gains), where=loss != 0)
    if metrics[0].penalty:
        losses *= words.penalties
    return costs, shares, losses


def repair_gains(
    words: OrderedWords,
    moves: BlockMoveBatch,
    segments: NDArray[np.int64],
    metrics: Sequence[PermutationMetric],
) -> NDArray[np.float64]:
    """Return what each metric (a column) gains if a segment (a row) is put in order."""
    permutations = moves.permutations
    before = _chosen(permutations, permutations.values, segments)
    gains = np.empty((len(segments), len(metrics)))
    for column, metric in enumerate(metrics):
        ordered = _ordered_scores(metric, before.lengths)
        gains[:, column] = ordered - metric.permutation_scores(before)
        if metric.penalty:
            gains[:, column] *= words.penalties[segments]
    return gains


def _ordered_scores(metric: PermutationMetric, lengths: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the scores of so many words in order."""
    distinct, inverse = np.unique(lengths, return_inverse=True)
    scores = metric.permutation_scores(
        [np.arange(length, dtype=np.int32) for length in distinct.tolist()]
    )
    return scores[inverse]


def crossed_losses(
    words: OrderedWords, moves: BlockMoveBatch, metric: PermutationMetric
) -> NDArray[np.float64]:
    """Return what each segment loses because equal words are linked crosswise: they were uncrossed."""
    given, kept = words.permutations, moves.permutations
    owner = np.repeat(np.arange(len(given)), given.lengths)
    segments = np.unique(owner[given.values != kept.values])
    scores = [
        metric.permutation_scores(_chosen(given, batch.values, segments)) for batch in (given, kept)
    ]
    losses = np.zeros(len(given))
    losses[segments] = scores[1] - scores[0]
    return losses * words.penalties if metric.penalty else losses


def _repaired(
    moves: BlockMoveBatch,
    found: MisplacedBlocks,
    rows: NDArray[np.int64],
    segments: NDArray[np.int64],
) -> PermutationBatch:
    """Return the permutations of segments after one error alone is repaired."""
    permutations = moves.permutations
    elements, offsets = ragged_rows(permutations.offsets, segments)
    starts = permutations.offsets[segments]
    keys = 2 * elements
    owners = np.repeat(np.arange(len(rows)), found.sizes[rows])
    moved = found.slots[ragged_ranges(found.begins[rows], found.sizes[rows])]
    keys[moved - starts[owners] + offsets[:-1][owners]] = found.anchors[rows][owners]
    lengths = np.diff(offsets)
    error = np.repeat(np.arange(len(rows)), lengths)
    # Words of a block keep the order that they have when it moves.
    ranks = np.zeros(len(elements), dtype=np.int64)
    ranks[moved - starts[owners] + offsets[:-1][owners]] = np.arange(len(moved))
    order = np.lexsort((ranks, keys, error))
    return PermutationBatch.trusted(
        permutations.values[elements[order]], offsets, jobs=permutations.jobs
    )


def _chosen(
    permutations: PermutationBatch, values: NDArray[np.int32], segments: NDArray[np.int64]
) -> PermutationBatch:
    """Return permutations of some segments, with these values."""
    rows, offsets = ragged_rows(permutations.offsets, segments)
    return PermutationBatch.trusted(values[rows], offsets, jobs=permutations.jobs)


def _chunks(lengths: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Return ranges of rows, each with about as many elements as are worked on at a time, or one row."""
    sums = np.cumsum(lengths)
    cuts, last = [0], 0
    while last < len(lengths):
        reached = int(sums[last - 1]) if last else 0
        last = max(last + 1, int(np.searchsorted(sums, reached + CHUNK, side="right")))
        cuts.append(last)
    return list(pairwise(cuts))

"""What order errors cost: gains of metrics when they are repaired, alone and one after another."""

from __future__ import annotations

from itertools import pairwise
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from kilter.pipeline.explanation.located_error import repaired
from kilter.structures.permutation.permutation_batch import PermutationBatch
from kilter.structures.text.token_column import ragged_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kilter.metrics.permutation_metric import PermutationMetric
    from kilter.pipeline.explanation.located_error import Block, LocatedError
    from kilter.pipeline.explanation.ordered_word import OrderedWords
    from kilter.structures.permutation.block_move import BlockMoveBatch

CHUNK = 1 << 22
"""Elements of repaired permutations that are scored at a time."""
MOST_ORDERED = 6
"""Errors of a segment whose repairs are looked at in all orders, where a share would be less than 0."""
ROUNDING = 1e-12
"""What is left of a gain of zero."""


def error_costs(
    words: OrderedWords,
    moves: BlockMoveBatch,
    found: Sequence[Sequence[LocatedError]],
    metrics: Sequence[PermutationMetric],
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return costs of each error by metric, shares by the first metric, and its loss in each segment.

    A cost is what the metric gains if the words of the error alone go where they belong. Shares are gains of
    errors that are repaired one after another, in the order of the moves; where one of them would be less than 0,
    from the end of the sentence; and where one still would, they are means over all orders in which errors
    can be repaired, if there are no more than `MOST_ORDERED` of them.
    """
    permutations = moves.permutations
    counts = np.array([len(errors) for errors in found], dtype=np.int64)
    segments = np.repeat(np.arange(len(found)), counts)
    offsets = np.concatenate([[0], np.cumsum(counts)])
    faulty = np.flatnonzero(counts)
    orders = {segment: permutations[segment].tolist() for segment in faulty.tolist()}
    before = _chosen(permutations, permutations.values, faulty)
    place = np.searchsorted(faulty, segments)
    costs = np.empty((len(segments), len(metrics)))
    alone = [
        (orders[segment], error.blocks) for segment in faulty.tolist() for error in found[segment]
    ]
    for column, metric in enumerate(metrics):
        costs[:, column] = _scores(metric, alone) - metric.permutation_scores(before)[place]
        if metric.penalty:
            costs[:, column] *= words.penalties[segments]
    first = metrics[0]
    losses = np.zeros(len(found))
    losses[faulty] = _ordered_scores(first, before.lengths) - first.permutation_scores(before)
    together = [
        (orders[segment], [block for error in found[segment][:count] for block in error.blocks])
        for segment in faulty.tolist()
        for count in range(len(found[segment]))
    ]
    scores = _scores(first, together)
    gains = np.append(scores[1:], 0.0) - scores
    ends = offsets[faulty + 1] - 1
    gains[ends] = _ordered_scores(first, before.lengths) - scores[ends]
    for segment in np.unique(segments[gains < -ROUNDING]).tolist():
        rows = slice(offsets[segment], offsets[segment + 1])
        gains[rows] = _backward_gains(first, orders[segment], found[segment])
        if counts[segment] <= MOST_ORDERED and gains[rows].min() < -ROUNDING:
            gains[rows] = _mean_gains(first, orders[segment], found[segment])
    loss = losses[segments]
    shares = np.divide(gains, loss, out=np.zeros_like(gains), where=loss != 0)
    if first.penalty:
        losses *= words.penalties
    return costs, shares, losses


def _scores(
    metric: PermutationMetric, rows: Sequence[tuple[list[int], Sequence[Block]]]
) -> NDArray[np.float64]:
    """Return the score of each order after some blocks went where they belong."""
    found = np.empty(len(rows))
    lengths = np.array([len(order) for order, _ in rows], dtype=np.int64)
    for first, last in _chunks(lengths):
        values = [np.array(repaired(*row), dtype=np.int32) for row in rows[first:last]]
        found[first:last] = metric.permutation_scores(values)
    return found


def _backward_gains(
    metric: PermutationMetric, order: list[int], errors: Sequence[LocatedError]
) -> NDArray[np.float64]:
    """Return what the repair of each error gains if those that belong further to the end come first.

    Then the word that an error goes before is in its place already.
    """
    turns = sorted(range(len(errors)), key=lambda e: -errors[e].goes_before)
    sets = [
        (order, [block for e in turns[:count] for block in errors[e].blocks])
        for count in range(len(turns) + 1)
    ]
    gains = np.empty(len(errors))
    gains[turns] = np.diff(_scores(metric, sets))
    return gains


def _mean_gains(
    metric: PermutationMetric, order: list[int], errors: Sequence[LocatedError]
) -> NDArray[np.float64]:
    """Return what the repair of each error gains, as a mean over all orders of repairs (Shapley's value)."""
    count = len(errors)
    sets = range(1 << count)
    scores = _scores(
        metric,
        [
            (order, [block for e in range(count) if chosen >> e & 1 for block in errors[e].blocks])
            for chosen in sets
        ],
    )
    gains = np.zeros(count)
    for chosen in sets:
        size = chosen.bit_count()
        weight = 1 / (count * comb(count - 1, size)) if size < count else 0.0
        for e in range(count):
            if not chosen >> e & 1:
                gains[e] += weight * (scores[chosen | 1 << e] - scores[chosen])
    return gains


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

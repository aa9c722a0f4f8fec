"""What order errors cost: gains of metrics when they are repaired, alone and one after another."""

from __future__ import annotations

from itertools import pairwise
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.permutation_batch import PermutationBatch
from kilter.core.token_column import ragged_rows, row_offsets
from kilter.run.explanation.repair import Repairs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kilter.core.block_move import BlockMoveBatch
    from kilter.metrics.permutation_metric import OrderMetric
    from kilter.run.explanation.located_error import LocatedError
    from kilter.run.explanation.ordered_word import OrderedWords

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
    metrics: Sequence[OrderMetric],
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return costs of each error by metric, shares by the first metric, and its loss in each segment.

    A cost is what the metric gains if the words of the error alone go where they belong. Shares are gains of
    errors that are repaired one after another, in the order of the moves; where one of them would be less than 0,
    from the end of the sentence; and where one still would, they are means over all orders in which errors
    can be repaired, if there are no more than `MOST_ORDERED` of them.
    """
    counts = np.array([len(errors) for errors in found], dtype=np.int64)
    faulty = np.flatnonzero(counts)
    errors = [found[segment] for segment in faulty.tolist()]
    before = _chosen(moves.permutations, moves.permutations.values, faulty)
    # A single error leaves nothing to be looked at: its repair restores the order.
    repairs = Repairs.of(
        before, [[error.moved for error in own] if len(own) > 1 else () for own in errors]
    )
    first = metrics[0]
    scores = [metric.permutation_scores(before) for metric in metrics]
    ordered = [_ordered_scores(metric, before.lengths) for metric in metrics]
    offsets = row_offsets(counts[faulty])
    place = np.repeat(np.arange(len(faulty)), counts[faulty])
    turn = np.arange(len(place)) - offsets[:-1][place]
    single = counts[faulty][place] == 1
    costs = np.empty((len(place), len(metrics)))
    several = np.flatnonzero(~single)
    alone = place[several], turn[several], turn[several] + 1
    for column, metric in enumerate(metrics):
        costs[single, column] = ordered[column][place[single]]
        costs[several, column] = _scores(metric, repairs, *alone)
        costs[:, column] -= scores[column][place]
    # What is reached by the repair of an error and of those before it; the first of them is alone, the last leaves none.
    reached = scores[0][place] + costs[:, 0]
    last = turn == counts[faulty][place] - 1
    reached[last] = ordered[0][place[last]]
    later = np.flatnonzero((turn > 0) & ~last)
    reached[later] = _scores(first, repairs, place[later], np.zeros_like(later), turn[later] + 1)
    gains = reached - np.where(turn == 0, scores[0][place], np.roll(reached, 1))
    for own in np.unique(place[(gains < -ROUNDING) & ~single]).tolist():
        rows = slice(offsets[own], offsets[own + 1])
        gains[rows] = _backward_gains(first, before[own], errors[own])
        if len(errors[own]) <= MOST_ORDERED and gains[rows].min() < -ROUNDING:
            gains[rows] = _mean_gains(first, repairs, own)
    losses = np.zeros(len(found))
    losses[faulty] = ordered[0] - scores[0]
    loss = losses[faulty][place]
    shares = np.divide(gains, loss, out=np.zeros_like(gains), where=loss != 0)
    for column, metric in enumerate(metrics):
        if metric.penalty:
            costs[:, column] *= words.penalties[faulty][place]
    if first.penalty:
        losses *= words.penalties
    return costs, shares, losses


def _scores(
    metric: OrderMetric,
    repairs: Repairs,
    segments: NDArray[np.int64],
    first: NDArray[np.int64],
    last: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Return the score of each segment after its errors number `first` to `last - 1` were put right."""
    found = np.empty(len(segments))
    for begin, end in _chunks(repairs.permutations.lengths[segments]):
        part = slice(begin, end)
        put = repairs.orders(segments[part], first[part], last[part])
        found[part] = metric.permutation_scores(put)
    return found


def _backward_gains(
    metric: OrderMetric, order: NDArray[np.int32], errors: Sequence[LocatedError]
) -> NDArray[np.float64]:
    """Return what the repair of each error gains if those that belong further to the end come first.

    Then the word that an error goes before is in its place already.
    """
    turns = sorted(range(len(errors)), key=lambda e: -errors[e].goes_before)
    alone = PermutationBatch.trusted(order, np.array([0, len(order)]))
    repairs = Repairs.of(alone, [[errors[e].moved for e in turns]])
    steps = np.arange(len(turns) + 1)
    none = np.zeros_like(steps)
    gains = np.empty(len(errors))
    gains[turns] = np.diff(_scores(metric, repairs, none, none, steps))
    return gains


def _mean_gains(metric: OrderMetric, repairs: Repairs, segment: int) -> NDArray[np.float64]:
    """Return what the repair of each error gains, as a mean over all orders of repairs (Shapley's value)."""
    scores = metric.permutation_scores(repairs.subsets(segment))
    count = len(scores).bit_length() - 1
    gains = np.zeros(count)
    for chosen in range(len(scores)):
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
    metrics: Sequence[OrderMetric],
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


def _ordered_scores(metric: OrderMetric, lengths: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the scores of so many words in order."""
    distinct, inverse = np.unique(lengths, return_inverse=True)
    scores = metric.permutation_scores(
        [np.arange(length, dtype=np.int32) for length in distinct.tolist()]
    )
    return scores[inverse]


def crossed_losses(
    words: OrderedWords, moves: BlockMoveBatch, metric: OrderMetric
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

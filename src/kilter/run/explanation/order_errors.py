"""From links to located order errors: which words are out of place, where they belong, what each costs."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.block_move import EFFORT, BlockMoveBatch
from kilter.core.corpus import ragged_rows, row_offsets
from kilter.core.permutation_batch import PermutationBatch
from kilter.metrics.order import LEAST_LINKS, Order
from kilter.metrics.permutation_metric import OrderMetric
from kilter.results.explanation import Direction, ErrorKind, OrderErrors
from kilter.run.explanation.located_error import error_certainty, located, segment_moves
from kilter.run.explanation.ordered_word import OrderedWords
from kilter.run.explanation.repair import Repairs
from kilter.run.explanation.word_accuracy import word_states

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from kilter.core.evaluation import Evaluation
    from kilter.metrics.metric import Metric
    from kilter.run.explanation.located_error import LocatedError
    from kilter.run.scoring.run import Run, SystemEvaluations

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


def _with_evidence(moves: BlockMoveBatch, evidence: NDArray[np.bool_]) -> BlockMoveBatch:
    """Return the moves of segments with evidence; none are needed in others."""
    if evidence.all():
        return moves
    found = without_moves(moves, np.flatnonzero(~evidence))
    lower = np.where(evidence, found.lower, 0).astype(found.lower.dtype)
    return BlockMoveBatch(found.permutations, found.moves, found.offsets, lower)


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
        stays_before=np.insert(located.stays_before, rows, [int(part[0]) for part in parts]),
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


DEFAULT_METRIC = "order"


def missing_order_note(metric: str) -> str:
    """Return that a segment has no order, why, and so no errors.

    >>> missing_order_note("order")[:57]
    'order is missing: too few words are linked (fewer than 4 '
    """
    return (
        f"{metric} is missing: too few words are linked (fewer than {LEAST_LINKS} linked words, or fewer than a quarter "
        "of the reference's), so that no order errors are told; kendall by itself takes as few words as there are"
    )


def linked_evaluation(run: Run, place: int, system: SystemEvaluations) -> Evaluation:
    """Return what metrics look at in the first configuration, with links also if none of them does."""
    configuration = run.first_configuration
    found = system.of(configuration)
    if found.links:
        return found
    return replace(found, links=run.made_links.of(configuration.aligner, place))


def costed_metrics(metrics: Mapping[str, Metric]) -> dict[str, OrderMetric]:
    """Return the metrics in which an order error has a cost: those of the order of linked words.

    `order` comes first where it is among them, and stands alone where there is none.
    """
    found = {
        name: each
        for name, each in metrics.items()
        if isinstance(each, OrderMetric) and each.prices_errors
    }
    if found:
        return dict(sorted(found.items(), key=lambda item: not item[1].words_only))
    return {DEFAULT_METRIC: Order()}


def locate_errors(
    evaluation: Evaluation,
    metrics: Mapping[str, OrderMetric],
    *,
    system: str,
    effort: int = EFFORT,
) -> OrderErrors:
    """Return the order errors of one system, against the reference that the first metric scores best.

    Links that cross only because one of several equal words was linked rather than another are no
    error: they are uncrossed where that takes fewer moves, or as many of fewer words. Where more is out of
    order than can be looked at move by move, one error of the kind `complex` stands for all of it. A segment of
    which the first metric has no score has no errors, and loses nothing.
    """
    first = next(iter(metrics.values()))
    words = OrderedWords.of(evaluation, first)
    evidence = ~np.isnan(first.measure(evaluation).scores)
    whole = _with_evidence(_moves(words, effort), evidence)
    entangled = entangled_segments(whole)
    moves = without_moves(whole, entangled) if len(entangled) else whole
    values, borders = moves.permutations.values.tolist(), moves.permutations.offsets.tolist()
    found = [
        located(values[borders[segment] : borders[segment + 1]], own) if own else []
        for segment, own in enumerate(segment_moves(words, moves))
    ]
    errors = [error for own in found for error in own]
    counts = np.array([len(own) for own in found], dtype=np.int64)
    costs, shares, losses = error_costs(words, moves, found, list(metrics.values()))
    hypothesis_states, reference_states, reference_offsets = word_states(
        words.links, evaluation.hypothesis.tokens.lengths, words.reference_lengths
    )
    segments = np.repeat(np.arange(len(found)), counts)
    starts = moves.permutations.offsets[segments]
    ways = np.array([error.way for error in errors], dtype=np.int32)
    every = OrderErrors(
        system=system,
        metrics=tuple(metrics),
        offsets=row_offsets(counts),
        kinds=np.array([error.kind for error in errors], dtype=np.int8),
        directions=np.where(ways > 0, Direction.RIGHT, Direction.LEFT).astype(np.int8),
        distances=np.abs(ways),
        belongs_before=_places(words, moves, segments, [error.goes_before for error in errors]),
        stays_before=_places(words, moves, segments, [error.stays for error in errors]),
        words=_positions(words, starts, [error.words for error in errors]),
        word_offsets=_offsets([error.words for error in errors]),
        moved_words=_positions(words, starts, [error.moved for error in errors]),
        moved_offsets=_offsets([error.moved for error in errors]),
        costs=costs,
        shares=shares,
        certainty=error_certainty(words, starts, errors, segments),
        losses=losses,
        crossed_losses=np.where(evidence, crossed_losses(words, moves, first), 0.0),
        missing_losses=1.0 - words.penalties if first.penalty else np.zeros(len(moves)),
        references=words.references,
        hypothesis_states=hypothesis_states,
        hypothesis_offsets=evaluation.hypothesis.tokens.offsets,
        reference_states=reference_states,
        reference_offsets=reference_offsets,
        moves=moves,
        left_out=np.zeros(len(moves), dtype=np.int64),
        coarse=np.zeros(len(moves), dtype=bool),
        evidence=evidence,
    )
    if not len(entangled):
        return every
    return with_coarse_errors(every, words, whole, entangled, list(metrics.values()))


def _places(
    words: OrderedWords,
    moves: BlockMoveBatch,
    segments: NDArray[np.int64],
    ranks: Sequence[int],
) -> NDArray[np.int32]:
    """Return the positions of the words at these places of the right order; the number of words: the end."""
    permutations = moves.permutations
    owners = np.repeat(np.arange(len(permutations)), permutations.lengths)
    # Slots in the right order, segment by segment.
    sorted_slots = np.lexsort((permutations.values, owners))
    goes_before = np.array(ranks, dtype=np.int64)
    at_end = goes_before == permutations.lengths[segments]
    found = words.hypothesis_lengths[segments].astype(np.int32)
    inner = np.flatnonzero(~at_end)
    rows = permutations.offsets[segments[inner]] + goes_before[inner]
    found[inner] = words.positions[sorted_slots[rows]]
    return found


def _positions(
    words: OrderedWords, starts: NDArray[np.int64], slots: Sequence[tuple[int, ...]]
) -> NDArray[np.int32]:
    """Return where the words of errors stand in their hypotheses, one error after another."""
    own = np.array([slot for each in slots for slot in each], dtype=np.int64)
    return words.positions[own + np.repeat(starts, [len(each) for each in slots])]


def _offsets(slots: Sequence[tuple[int, ...]]) -> NDArray[np.int64]:
    return row_offsets(np.array([len(each) for each in slots], dtype=np.int64))


def _moves(words: OrderedWords, effort: int) -> BlockMoveBatch:
    """Return the moves, of permutations in which equal words are uncrossed where that takes less."""
    given = words.permutations
    moves = BlockMoveBatch.of(given, effort=effort)
    other, segments = _uncrossed(words)
    # The bound alone, which takes no search, tells that most of them would take more moves.
    bounds = BlockMoveBatch.of(other, effort=0).lower
    able = np.flatnonzero(bounds <= moves.counts[segments])
    if not len(able):
        return moves
    uncrossed = BlockMoveBatch.of(_chosen_order_errors(other, able), effort=effort)
    both = _joined(moves, uncrossed)
    efforts = _efforts(both)
    fewer = np.flatnonzero(efforts[len(given) :] < efforts[segments[able]])
    chosen = np.arange(len(given))
    chosen[segments[able[fewer]]] = len(given) + fewer
    rows, offsets = ragged_rows(both.offsets, chosen)
    kept = _chosen_order_errors(both.permutations, chosen)
    return BlockMoveBatch(kept, both.moves[rows], offsets, both.lower[chosen])


def _chosen_order_errors(
    permutations: PermutationBatch, parts: NDArray[np.int64]
) -> PermutationBatch:
    rows, offsets = ragged_rows(permutations.offsets, parts)
    return PermutationBatch.trusted(permutations.values[rows], offsets, jobs=permutations.jobs)


def _joined(first: BlockMoveBatch, second: BlockMoveBatch) -> BlockMoveBatch:
    """Return the permutations of both, one batch after the other, with their moves."""
    one, other = first.permutations, second.permutations
    return BlockMoveBatch(
        PermutationBatch.trusted(
            np.concatenate([one.values, other.values]),
            np.concatenate([one.offsets, other.offsets[1:] + one.offsets[-1]]),
            jobs=one.jobs,
        ),
        np.concatenate([first.moves, second.moves]),
        np.concatenate([first.offsets, second.offsets[1:] + first.offsets[-1]]),
        np.concatenate([first.lower, second.lower]),
    )


def _efforts(moves: BlockMoveBatch) -> NDArray[np.int64]:
    """Return a number for each permutation that is less for fewer moves, and for as many of fewer words."""
    begin, middle, end = moves.moves.T.astype(np.int64)
    sums = row_offsets(np.minimum(middle - begin, end - middle))
    words = sums[moves.offsets[1:]] - sums[moves.offsets[:-1]]
    efforts: NDArray[np.int64] = moves.counts * (int(words.max(initial=0)) + 1) + words
    return efforts


def _uncrossed(words: OrderedWords) -> tuple[PermutationBatch, NDArray[np.int64]]:
    """Return permutations in which equal words stand in the order of their partners, where they do not."""
    given = words.permutations
    owner = np.repeat(np.arange(len(given)), given.lengths)
    group = owner * (int(words.keys.max(initial=0)) + 1) + words.keys
    by_place = np.argsort(group, kind="stable")
    by_value = np.lexsort((given.values, group))
    values = given.values.copy()
    values[by_place] = given.values[by_value]
    segments = np.unique(owner[values != given.values])
    every = PermutationBatch.trusted(values, given.offsets, jobs=given.jobs)
    return _chosen_order_errors(every, segments), segments

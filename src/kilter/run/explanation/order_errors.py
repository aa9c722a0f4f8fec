"""From links to located order errors: which words are out of place, where they belong, what each costs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.block_move import EFFORT, BlockMoveBatch
from kilter.core.permutation_batch import PermutationBatch
from kilter.core.token_column import ragged_rows, row_offsets
from kilter.metrics.coverage import Coverage
from kilter.metrics.order import Order
from kilter.metrics.permutation_metric import OrderMetric
from kilter.results.order_error import Direction, OrderErrors
from kilter.run.explanation.coarse_error import (
    entangled_segments,
    with_coarse_errors,
    without_moves,
)
from kilter.run.explanation.error_certainty import error_certainty
from kilter.run.explanation.error_cost import crossed_losses, error_costs
from kilter.run.explanation.located_error import located
from kilter.run.explanation.misplaced_block import segment_moves
from kilter.run.explanation.ordered_word import OrderedWords
from kilter.run.explanation.word_state import word_states

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from kilter.core.evaluation import Evaluation
    from kilter.metrics.metric import Metric
    from kilter.run.explanation.located_error import LocatedError
    from kilter.run.scoring.run import Run, SystemEvaluations

DEFAULT_METRIC = "order"


def linked_evaluation(run: Run, place: int, system: SystemEvaluations) -> Evaluation:
    """Return what metrics look at in the first configuration, with links also if none of them does."""
    configuration = run.configurations[0][0]
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
        if isinstance(each, OrderMetric) and not isinstance(each, Coverage)
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
    order than can be looked at move by move, one error of the kind `complex` stands for all of it.
    """
    first = next(iter(metrics.values()))
    words = OrderedWords.of(evaluation, first)
    whole = _moves(words, effort)
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
        belongs_before=_places(words, moves, segments, errors),
        words=_positions(words, starts, [error.words for error in errors]),
        word_offsets=_offsets([error.words for error in errors]),
        moved_words=_positions(words, starts, [error.moved for error in errors]),
        moved_offsets=_offsets([error.moved for error in errors]),
        costs=costs,
        shares=shares,
        certainty=error_certainty(words, starts, errors, segments),
        losses=losses,
        crossed_losses=crossed_losses(words, moves, first),
        missing_losses=1.0 - words.penalties if first.penalty else np.zeros(len(moves)),
        references=words.references,
        hypothesis_states=hypothesis_states,
        hypothesis_offsets=evaluation.hypothesis.tokens.offsets,
        reference_states=reference_states,
        reference_offsets=reference_offsets,
        moves=moves,
        left_out=np.zeros(len(moves), dtype=np.int64),
        coarse=np.zeros(len(moves), dtype=bool),
    )
    if not len(entangled):
        return every
    return with_coarse_errors(every, words, whole, entangled, list(metrics.values()))


def _places(
    words: OrderedWords,
    moves: BlockMoveBatch,
    segments: NDArray[np.int64],
    errors: Sequence[LocatedError],
) -> NDArray[np.int32]:
    """Return the position before which each error belongs; the number of words: the end."""
    permutations = moves.permutations
    owners = np.repeat(np.arange(len(permutations)), permutations.lengths)
    # Slots in the right order, segment by segment.
    sorted_slots = np.lexsort((permutations.values, owners))
    goes_before = np.array([error.goes_before for error in errors], dtype=np.int64)
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
    uncrossed = BlockMoveBatch.of(_chosen(other, able), effort=effort)
    both = _joined(moves, uncrossed)
    efforts = _efforts(both)
    fewer = np.flatnonzero(efforts[len(given) :] < efforts[segments[able]])
    chosen = np.arange(len(given))
    chosen[segments[able[fewer]]] = len(given) + fewer
    rows, offsets = ragged_rows(both.offsets, chosen)
    kept = _chosen(both.permutations, chosen)
    return BlockMoveBatch(kept, both.moves[rows], offsets, both.lower[chosen])


def _chosen(permutations: PermutationBatch, parts: NDArray[np.int64]) -> PermutationBatch:
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
    return _chosen(every, segments), segments

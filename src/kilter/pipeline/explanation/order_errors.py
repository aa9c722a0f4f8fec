"""From links to located order errors: which words are out of place, where they belong, what each costs."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from kilter import _core
from kilter.errors import OptionError
from kilter.metrics.metric import brevity_penalty
from kilter.metrics.permutation_metric import PermutationMetric
from kilter.metrics.registry import metric as make_metric
from kilter.pipeline.explanation.word_state import word_states
from kilter.structures.link.link_batch import LinkBatch
from kilter.structures.permutation.block_move import EFFORT, BlockMoveBatch
from kilter.structures.permutation.permutation_batch import PermutationBatch
from kilter.structures.permutation.permutation_tree import Kind
from kilter.structures.result.order_error import Direction, ErrorKind, OrderErrors
from kilter.structures.text.token_column import ragged_rows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from kilter.metrics.metric import Metric
    from kilter.pipeline.scoring.run import Run
    from kilter.structures.evaluation import Evaluation

DEFAULT_METRIC = "kendall"
_CHUNK = 1 << 22
"""Elements of repaired permutations that are scored at a time."""


def run_errors(run: Run, *, effort: int = EFFORT) -> dict[str, OrderErrors]:
    """Return the order errors of every system of a run, by its name.

    Costs are those of the run's metrics that look at the order of linked words alone.
    """
    chosen = costed_metrics(run.metrics)
    first = next(iter(chosen.values()))
    return {
        system.name: locate_errors(evaluations[0], chosen, system=system.name, effort=effort)
        for system, evaluations in zip(run.corpus.systems, run.evaluations_for(first), strict=True)
    }


def costed_metrics(metrics: Mapping[str, Metric]) -> dict[str, PermutationMetric]:
    """Return the metrics in which an order error has a cost: those of the order of linked words.

    If there is none among them, Kendall's score.
    """
    found = {name: each for name, each in metrics.items() if isinstance(each, PermutationMetric)}
    if found:
        return found
    kendall = make_metric(DEFAULT_METRIC)
    if not isinstance(kendall, PermutationMetric):
        raise OptionError(f"{DEFAULT_METRIC} is no metric of the order of linked words")
    return {DEFAULT_METRIC: kendall}


def locate_errors(
    evaluation: Evaluation,
    metrics: Mapping[str, PermutationMetric],
    *,
    system: str,
    effort: int = EFFORT,
) -> OrderErrors:
    """Return the order errors of one system, against the reference that the first metric scores best.

    Links that cross only because one of several equal words was linked rather than another are no
    error: they are uncrossed where that takes fewer moves, or as many of fewer words.
    """
    words = _LinkedWords.of(evaluation, next(iter(metrics.values())))
    moves = _moves(words, effort)
    found = _Blocks.of(words, moves)
    kinds = _kinds(words, moves, found)
    both = (kinds == ErrorKind.SWAP) | (kinds == ErrorKind.INVERSION)
    counts = np.where(both, found.left_sizes + found.right_sizes, found.sizes)
    named = _ragged(np.where(both, found.left_begins, found.begins), counts)
    owners = np.repeat(np.arange(len(kinds)), counts)
    slots = found.slots[named]
    slots = slots[np.lexsort((slots, owners))]
    moved_owners = np.repeat(np.arange(len(kinds)), found.sizes)
    moved = found.slots[_ragged(found.begins, found.sizes)]
    sorted_moved = moved[np.lexsort((moved, moved_owners))]
    costs, shares, losses = _costs(words, moves, found, list(metrics.values()))
    hypothesis_states, reference_states, reference_offsets = word_states(
        words.links, evaluation.hypothesis.tokens.lengths, words.reference_lengths
    )
    return OrderErrors(
        system=system,
        metrics=tuple(metrics),
        offsets=moves.offsets,
        kinds=kinds,
        directions=found.directions,
        distances=found.distances,
        belongs_before=found.belongs_before,
        words=words.positions[slots],
        word_offsets=_offsets(counts),
        moved_words=words.positions[sorted_moved],
        moved_offsets=_offsets(found.sizes),
        costs=costs,
        shares=shares,
        losses=losses,
        references=words.references,
        hypothesis_states=hypothesis_states,
        hypothesis_offsets=evaluation.hypothesis.tokens.offsets,
        reference_states=reference_states,
        reference_offsets=reference_offsets,
        moves=moves,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _LinkedWords:
    """The words that permutations are made of: slots, one after another over all segments."""

    links: LinkBatch
    references: NDArray[np.int32]
    reference_lengths: NDArray[np.int64]
    permutations: PermutationBatch
    positions: NDArray[np.int32]
    """Where the word of each slot stands in its hypothesis."""
    hypothesis_lengths: NDArray[np.int64]
    keys: NDArray[np.int32]
    """The word of each slot, as a number; equal for words that differ in case alone."""
    letters: NDArray[np.int64]
    penalties: NDArray[np.float64]
    """The brevity penalty of each segment."""
    heads: NDArray[np.int32] | None
    """The head of each word of all hypotheses, where there are trees."""
    hypothesis_offsets: NDArray[np.int64]

    @classmethod
    def of(cls, evaluation: Evaluation, metric: PermutationMetric) -> _LinkedWords:
        """Return the linked words of each segment and the reference that suits it best."""
        places = range(len(evaluation.references))
        if len(places) == 1:
            best = np.zeros(len(evaluation), dtype=np.int32)
            links = evaluation.links[0]
            permutations = evaluation.permutations(0)
            lengths = evaluation.references[0].tokens.lengths
        else:
            scores = np.stack([metric.reference_scores(evaluation, place) for place in places])
            best = np.argmax(scores, axis=0).astype(np.int32)
            links = _chosen_links(evaluation.links, best)
            own = evaluation.hypothesis.tokens.lengths
            permutations = evaluation.rule.permutations(links, own, jobs=evaluation.jobs)
            every = np.stack([each.tokens.lengths for each in evaluation.references])
            lengths = every[best, np.arange(len(best))]
        tokens = evaluation.hypothesis.tokens
        positions = _positions(links, permutations, tokens.lengths)
        starts = np.repeat(tokens.offsets[:-1], permutations.lengths)
        numbers = tokens.ids[starts + positions]
        words = evaluation.vocabulary.words
        sizes = np.fromiter(map(len, words), dtype=np.int64, count=len(words))
        linked = links.linked_words(jobs=evaluation.jobs)[:, 0]
        heads = None
        if evaluation.trees is not None:
            heads = evaluation.trees_of(evaluation.hypothesis).first_parses().heads
        return cls(
            links=links,
            references=best,
            reference_lengths=lengths,
            permutations=permutations,
            positions=positions,
            hypothesis_lengths=tokens.lengths,
            keys=evaluation.vocabulary.lowercase()[numbers],
            letters=sizes[numbers],
            penalties=brevity_penalty(linked, lengths),
            heads=heads,
            hypothesis_offsets=tokens.offsets,
        )


def _chosen_links(batches: Sequence[LinkBatch], best: NDArray[np.int32]) -> LinkBatch:
    """Return the links of each segment with the reference that was chosen for it."""
    segments = np.arange(len(best))
    bases = np.cumsum([0, *(len(each.links) for each in batches[:-1])])
    begins = np.stack([each.offsets[:-1] for each in batches])[best, segments] + bases[best]
    counts = np.stack([each.counts for each in batches])[best, segments]
    rows = _ragged(begins, counts)
    return LinkBatch(np.concatenate([each.links for each in batches])[rows], _offsets(counts))


def _positions(
    links: LinkBatch, permutations: PermutationBatch, lengths: NDArray[np.int64]
) -> NDArray[np.int32]:
    """Return where the words of permutations stand: all words of a hypothesis, or those with a link."""
    if np.array_equal(permutations.lengths, lengths):
        starts = np.repeat(permutations.offsets[:-1], permutations.lengths)
        return (np.arange(len(permutations.values)) - starts).astype(np.int32)
    owner, first = links.segments(), links.links[:, 0]
    new = np.ones(len(first), dtype=bool)
    new[1:] = (np.diff(first) != 0) | (np.diff(owner) != 0)
    return np.ascontiguousarray(first[new])


def _moves(words: _LinkedWords, effort: int) -> BlockMoveBatch:
    """Return the moves, of permutations in which equal words are uncrossed where that takes less."""
    given = words.permutations
    other, segments = _uncrossed(words)
    if not len(segments):
        return BlockMoveBatch.of(given, effort=effort)
    both = PermutationBatch.trusted(
        np.concatenate([given.values, other.values]),
        np.concatenate([given.offsets, other.offsets[1:] + given.offsets[-1]]),
        jobs=given.jobs,
    )
    moves = BlockMoveBatch.of(both, effort=effort)
    chosen = np.arange(len(given))
    efforts = _efforts(moves)
    fewer = efforts[len(given) :] < efforts[segments]
    chosen[segments[fewer]] = len(given) + np.flatnonzero(fewer)
    values, offsets = ragged_rows(both.offsets, chosen)
    rows, move_offsets = ragged_rows(moves.offsets, chosen)
    kept = PermutationBatch.trusted(both.values[values], offsets, jobs=given.jobs)
    return BlockMoveBatch(kept, moves.moves[rows], move_offsets, moves.lower[chosen])


def _efforts(moves: BlockMoveBatch) -> NDArray[np.int64]:
    """Return a number for each permutation that is less for fewer moves, and for as many of fewer words."""
    begin, middle, end = moves.moves.T.astype(np.int64)
    sums = _offsets(np.minimum(middle - begin, end - middle))
    words = sums[moves.offsets[1:]] - sums[moves.offsets[:-1]]
    efforts: NDArray[np.int64] = moves.counts * (int(words.max(initial=0)) + 1) + words
    return efforts


def _uncrossed(words: _LinkedWords) -> tuple[PermutationBatch, NDArray[np.int64]]:
    """Return permutations in which equal words stand in the order of their partners, where they do not."""
    given = words.permutations
    owner = np.repeat(np.arange(len(given)), given.lengths)
    group = owner * (int(words.keys.max(initial=0)) + 1) + words.keys
    by_place = np.argsort(group, kind="stable")
    by_value = np.lexsort((given.values, group))
    values = given.values.copy()
    values[by_place] = given.values[by_value]
    segments = np.unique(owner[values != given.values])
    rows, offsets = ragged_rows(given.offsets, segments)
    return PermutationBatch.trusted(values[rows], offsets, jobs=given.jobs), segments


@dataclass(frozen=True, slots=True, eq=False)
class _Blocks:
    """The two blocks of every move, in the rows of the moves; which of them is misplaced, and where it goes."""

    slots: NDArray[np.int64]
    """Slots of left and right blocks, one move after another."""
    left_begins: NDArray[np.int64]
    left_sizes: NDArray[np.int64]
    right_sizes: NDArray[np.int64]
    begins: NDArray[np.int64]
    sizes: NDArray[np.int64]
    directions: NDArray[np.int8]
    distances: NDArray[np.int32]
    anchors: NDArray[np.int64]
    """Twice the slot before which the block goes, less one; or twice the slot behind which it goes, and one."""
    belongs_before: NDArray[np.int32]

    @classmethod
    def of(cls, words: _LinkedWords, moves: BlockMoveBatch) -> _Blocks:
        """Return the blocks of all moves, as the replay comes upon them."""
        segments = np.repeat(np.arange(len(moves)), moves.counts)
        starts = moves.permutations.offsets[segments]
        begin, middle, end = (moves.moves.T + starts).astype(np.int64)
        borders = _offsets(end - begin)
        slots = np.empty(borders[-1], dtype=np.int64)
        ends = np.full(
            (2, len(begin)), -1, dtype=np.int64
        )  # slots before the left, behind the right
        last = moves.permutations.offsets[segments + 1]
        for rows, places in moves.steps():
            sizes = end[rows] - begin[rows]
            slots[_ragged(borders[rows], sizes)] = places[_ragged(begin[rows], sizes)]
            inner = rows[begin[rows] > starts[rows]]
            ends[0, inner] = places[begin[inner] - 1]
            inner = rows[end[rows] < last[rows]]
            ends[1, inner] = places[end[inner]]
        left, right = middle - begin, end - middle
        begins = borders[:-1]
        goes_left = _right_moves(words, slots, begins, left, right, segments)
        sizes = np.where(goes_left, right, left)
        own = np.where(goes_left, begins + left, begins)
        stays = np.ones(len(words.positions), dtype=bool)
        stays[slots[_ragged(own, sizes)]] = False
        passed = np.where(goes_left, begins, begins + left)
        nearest = _nearest(slots, passed, left + right - sizes, goes_left, stays)
        outer = np.where(goes_left, ends[0], ends[1])
        # A place is named by a word that stays: what the block then stands beside, inside or outside of what
        # it passes over, or else the nearest word that it passes over.
        edge = slots[np.where(goes_left, begins, begins + left + right - 1)]
        outside = ~stays[edge] & (outer >= 0) & stays[outer]
        beside = np.where(stays[edge], edge, np.where(outside, outer, nearest))
        behind = goes_left == outside
        anchors = np.where(behind, 2 * beside + 1, 2 * beside - 1)
        place = words.positions[beside] + behind
        at_end = ~goes_left & (outer < 0)
        return cls(
            slots=slots,
            left_begins=begins,
            left_sizes=left,
            right_sizes=right,
            begins=own,
            sizes=sizes,
            directions=np.where(goes_left, Direction.LEFT, Direction.RIGHT).astype(np.int8),
            distances=np.where(goes_left, left, right).astype(np.int32),
            anchors=anchors,
            belongs_before=np.where(at_end, words.hypothesis_lengths[segments], place).astype(
                np.int32
            ),
        )


def _nearest(
    slots: NDArray[np.int64],
    begins: NDArray[np.int64],
    sizes: NDArray[np.int64],
    first: NDArray[np.bool_],
    stays: NDArray[np.bool_],
) -> NDArray[np.int64]:
    """Return the first or the last word of each block that stays where it is; if none does, of all."""
    if not len(begins):
        return np.zeros(0, dtype=np.int64)
    rows = _ragged(begins, sizes)
    borders = _offsets(sizes)[:-1]
    low = np.minimum.reduceat(np.where(stays[slots[rows]], rows, len(slots)), borders)
    high = np.maximum.reduceat(np.where(stays[slots[rows]], rows, -1), borders)
    low = np.where(low == len(slots), begins, low)
    high = np.where(high < 0, begins + sizes - 1, high)
    return slots[np.where(first, low, high)]


def _right_moves(
    words: _LinkedWords,
    slots: NDArray[np.int64],
    begins: NDArray[np.int64],
    left: NDArray[np.int64],
    right: NDArray[np.int64],
    segments: NDArray[np.int64],
) -> NDArray[np.bool_]:
    """Return whether the right block is the misplaced one.

    It is the block of fewer words. Of equally many words: with trees the one that is a whole
    subtree, if the other is none; else the one of fewer letters; else the left one.
    """
    sums = np.zeros(len(slots) + 1, dtype=np.int64)
    np.cumsum(words.letters[slots], out=sums[1:])
    middles = begins + left
    left_letters = sums[middles] - sums[begins]
    right_letters = sums[middles + right] - sums[middles]
    chosen: NDArray[np.bool_] = (right < left) | ((right == left) & (right_letters < left_letters))
    if words.heads is not None:
        for row in np.flatnonzero((left == right) & (left > 1)).tolist():
            one = _is_subtree(words, slots[begins[row] : middles[row]], int(segments[row]))
            other = _is_subtree(
                words, slots[middles[row] : middles[row] + right[row]], int(segments[row])
            )
            if one != other:
                chosen[row] = other
    return chosen


def _is_subtree(words: _LinkedWords, slots: NDArray[np.int64], segment: int) -> bool:
    """Return whether the words from the first to the last of a block are all that hangs on one of them."""
    if words.heads is None:
        return False
    begin, end = words.hypothesis_offsets[segment : segment + 2].tolist()
    heads = words.heads[begin:end]
    places = words.positions[slots]
    low, high = int(places.min()), int(places.max()) + 1
    inside = np.zeros(end - begin, dtype=bool)
    inside[low:high] = True
    hangs_inside = (heads >= low) & (heads < high)
    tops = int((inside & ~hangs_inside).sum())
    return tops == 1 and not bool((~inside & hangs_inside).any())


def _kinds(words: _LinkedWords, moves: BlockMoveBatch, found: _Blocks) -> NDArray[np.int8]:
    """Return what kind of error each move is."""
    small = np.minimum(found.left_sizes, found.right_sizes)
    large = np.maximum(found.left_sizes, found.right_sizes)
    kinds = np.where(small == 1, ErrorKind.WORD, ErrorKind.PHRASE)
    kinds[large == 1] = ErrorKind.SWAP
    alike = (small > 1) & (2 * large < 3 * small)
    if words.heads is not None:
        segments = np.repeat(np.arange(len(moves)), moves.counts)
        for row in np.flatnonzero(alike).tolist():
            begin, left = int(found.left_begins[row]), int(found.left_sizes[row])
            blocks = np.split(
                found.slots[begin : begin + left + int(found.right_sizes[row])], [left]
            )
            one, other = (_is_subtree(words, block, int(segments[row])) for block in blocks)
            alike[row] = one == other
    kinds[alike] = ErrorKind.INVERSION
    rows = np.flatnonzero(_entangled(found))
    kinds[rows[_stem_from_prime(moves, found, rows)]] = ErrorKind.COMPLEX
    return kinds.astype(np.int8)


def _entangled(found: _Blocks) -> NDArray[np.bool_]:
    """Return whether a misplaced block stood apart at first, or has a word that moves more than once."""
    if not len(found.sizes):
        return np.zeros(0, dtype=bool)
    moved = found.slots[_ragged(found.begins, found.sizes)]
    borders = _offsets(found.sizes)[:-1]
    low, high = np.minimum.reduceat(moved, borders), np.maximum.reduceat(moved, borders)
    times = np.bincount(moved)[moved]
    entangled: NDArray[np.bool_] = (high - low + 1 != found.sizes) | (
        np.maximum.reduceat(times, borders) > 1
    )
    return entangled


def _stem_from_prime(
    moves: BlockMoveBatch, found: _Blocks, rows: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Return whether the least node of the permutation tree over both blocks has four or more children."""
    prime = np.zeros(len(rows), dtype=bool)
    if not len(rows):
        return prime
    sizes = (found.left_sizes + found.right_sizes)[rows]
    slots = found.slots[_ragged(found.left_begins[rows], sizes)]
    borders = _offsets(sizes)[:-1]
    segments = np.searchsorted(moves.offsets, rows, side="right") - 1
    starts = moves.permutations.offsets[segments]
    low = np.minimum.reduceat(slots, borders) - starts
    high = np.maximum.reduceat(slots, borders) + 1 - starts
    cuts = np.flatnonzero(np.diff(segments)) + 1
    for part in np.split(np.arange(len(rows)), cuts):
        kind, start, end, *_ = _core.tree(moves.permutations[int(segments[part[0]])])
        # In preorder the last node that covers something is the least one.
        covers = (start <= low[part, None]) & (end >= high[part, None])
        least = covers.shape[1] - 1 - np.argmax(covers[:, ::-1], axis=1)
        prime[part] = kind[least] == Kind.PRIME
    return prime


def _costs(
    words: _LinkedWords,
    moves: BlockMoveBatch,
    found: _Blocks,
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
        state = _chosen(permutations, permutations.values[places], segments[rows])
        scores[rows] = metrics[0].permutation_scores(state)
    ordered = np.zeros(len(moves))
    lengths, inverse = np.unique(permutations.lengths[faulty], return_inverse=True)
    best = metrics[0].permutation_scores(
        [np.arange(length, dtype=np.int32) for length in lengths.tolist()]
    )
    ordered[faulty] = best[inverse]
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


def _repaired(
    moves: BlockMoveBatch, found: _Blocks, rows: NDArray[np.int64], segments: NDArray[np.int64]
) -> PermutationBatch:
    """Return the permutations of segments after one error alone is repaired."""
    permutations = moves.permutations
    elements, offsets = ragged_rows(permutations.offsets, segments)
    starts = permutations.offsets[segments]
    keys = 2 * elements
    owners = np.repeat(np.arange(len(rows)), found.sizes[rows])
    moved = found.slots[_ragged(found.begins[rows], found.sizes[rows])]
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
        last = max(last + 1, int(np.searchsorted(sums, reached + _CHUNK, side="right")))
        cuts.append(last)
    return list(pairwise(cuts))


def _ragged(begins: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return begin, begin + 1, ... for each begin, so many of them."""
    borders = _offsets(sizes)
    rows: NDArray[np.int64] = np.arange(borders[-1]) + np.repeat(begins - borders[:-1], sizes)
    return rows


def _offsets(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    offsets = np.zeros(len(sizes) + 1, dtype=np.int64)
    np.cumsum(sizes, out=offsets[1:])
    return offsets

"""Sums over sentence pairs with links, exact whatever they are cut into, and the statistics made of them.

A score is added as a whole number of units of 2^-60, so that sums are the same in any order: scores lie
between 0 and 1, and what is lost of one is less than a unit.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.estimate import Estimate
from kilter.core.permutation_batch import SCORE_COLUMNS
from kilter.metrics.anticipation import Anticipation
from kilter.metrics.crossings import Crossings
from kilter.results.reordering_statistics import (
    DistanceStatistics,
    LengthStatistics,
    OrderCounts,
    ReorderingStatistics,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.core.link_rule import OrderRule
    from kilter.core.links import LinkBatch
    from kilter.core.permutation_batch import PermutationBatch

SCORES = (*SCORE_COLUMNS, "crossings", "anticipation")
"""What means are taken of: every score of a permutation, and two of links."""
LENGTHS = (0, 1, 6, 11, 16, 21, 31, 41, 61, 101)
"""Where ranges of source words begin; a source without words has a range of its own."""
DISTANCES = (0, 1, 2, 3, 4, 5, 7, 10, 15, 20)
"""Where ranges of distances begin."""
MOST_PAIRS = 1 << 22
"""So many pairs at a time add up exactly: sums of halves of scores stay below 2^53."""
_HALF = 30
_UNIT = 1 << (2 * _HALF)
_LEVEL = 1.959963984540054
"""The normal distribution has 95% within so many standard deviations."""
_COUNTS = tuple(each.name for each in fields(OrderCounts))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OrderSums:
    """Whole numbers that add up: by length of the source, and by distance.

    `scores` and `squares` hold upper and lower halves, each with a row for a range of lengths and a column
    for a score; `counts` have a column for each of `OrderCounts`; `distances` are forward, backward, words.
    `bounded` lists the segments, from 1, in which an aligner hit its search bound.
    """

    scores: NDArray[np.int64]
    squares: NDArray[np.int64]
    counts: NDArray[np.int64]
    distances: NDArray[np.int64]
    bounded: tuple[int, ...] = ()

    @classmethod
    def nothing(cls) -> OrderSums:
        """Return the sums of no pair."""
        shape = (2, len(LENGTHS), len(SCORES))
        return cls(
            scores=np.zeros(shape, np.int64),
            squares=np.zeros(shape, np.int64),
            counts=np.zeros((len(LENGTHS), len(_COUNTS)), np.int64),
            distances=np.zeros((3, len(DISTANCES)), np.int64),
        )

    def __add__(self, other: OrderSums) -> OrderSums:
        names = [each.name for each in fields(self)]
        return OrderSums(**{name: getattr(self, name) + getattr(other, name) for name in names})


def order_sums(
    links: LinkBatch,
    source_lengths: NDArray[np.int64],
    target_lengths: NDArray[np.int64] | None,
    *,
    rule: OrderRule,
    ahead: int,
    jobs: int = 1,
) -> OrderSums:
    """Return the sums of some sentence pairs, at most `MOST_PAIRS`; links lie within their sentences."""
    orders = rule.permutations(links, source_lengths, jobs=jobs)
    ranges = np.searchsorted(LENGTHS, source_lengths, side="right") - 1
    linked = links.counts > 0
    found = orders.scores()
    columns = [found[name] for name in SCORE_COLUMNS]
    columns.append(Crossings().link_scores(links, jobs=jobs))
    columns.append(Anticipation(k=ahead).link_scores(links))
    scores, squares = (
        np.stack([_halves(column[linked], ranges[linked]) for column in some])
        for some in (columns, [column * column for column in columns])
    )
    steps = _OrderSteps.of(orders, linked)
    return OrderSums(
        scores=np.ascontiguousarray(scores.transpose(1, 2, 0)),
        squares=np.ascontiguousarray(squares.transpose(1, 2, 0)),
        counts=_counts(links, steps, (source_lengths, target_lengths), ranges, ahead),
        distances=steps.distances(),
    )


def _halves(scores: NDArray[np.float64], ranges: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the sums of scores by range, in units: upper halves, and lower halves."""
    units = (scores * float(_UNIT)).astype(np.int64)
    halves = (units >> _HALF, units & ((1 << _HALF) - 1))
    return np.stack([_by_range(half, ranges) for half in halves])


def _by_range(values: NDArray[np.int64], ranges: NDArray[np.int64]) -> NDArray[np.int64]:
    sums = np.bincount(ranges, weights=values, minlength=len(LENGTHS))
    return sums.astype(np.int64)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _OrderSteps:
    """How far it is from each word to the next in the order of the translation, and each from its place."""

    jumps: NDArray[np.int64]
    """Source places from behind the one to the other: 0 straight on, -2 to the word just before."""
    owners: NDArray[np.int64]
    """The pair of each jump."""
    moved: NDArray[np.int64]

    @classmethod
    def of(cls, orders: PermutationBatch, linked: NDArray[np.bool_]) -> _OrderSteps:
        """Return the steps of pairs that have links: no others say anything about an order."""
        starts = np.repeat(orders.offsets[:-1], orders.lengths)
        place = np.arange(len(starts)) - starts
        words = np.empty(len(starts), dtype=np.int64)
        words[starts + orders.values] = place
        owner = np.repeat(np.arange(len(orders)), orders.lengths)
        inside = (owner[1:] == owner[:-1]) & linked[owner[1:]]
        jumps = (np.diff(words) - 1)[inside]
        moved = np.abs(orders.values - place)[linked[owner]]
        return cls(jumps=jumps, owners=owner[1:][inside], moved=moved)

    def distances(self) -> NDArray[np.int64]:
        """Return how many jumps pass over so many words forward and backward, and how many words moved so far."""
        backward = self.jumps < 0
        some = (self.jumps[~backward], -2 - self.jumps[backward], self.moved)
        return np.stack([_by_distance(each) for each in some])


def _by_distance(values: NDArray[np.int64]) -> NDArray[np.int64]:
    ranges = np.searchsorted(DISTANCES, values, side="right") - 1
    return np.bincount(ranges, minlength=len(DISTANCES)).astype(np.int64)


def _counts(
    links: LinkBatch,
    steps: _OrderSteps,
    lengths: tuple[NDArray[np.int64], NDArray[np.int64] | None],
    ranges: NDArray[np.int64],
    ahead: int,
) -> NDArray[np.int64]:
    """Return the columns of `OrderCounts` by range; of a target that is not known, 0."""
    pairs, nothing = len(ranges), np.zeros(len(ranges), dtype=np.int64)
    linked_words = links.linked_words()
    owners, rows = links.segments(), links.links
    crooked = np.bincount(steps.owners[steps.jumps != 0], minlength=pairs)
    jumps = np.bincount(steps.owners, minlength=pairs)
    counts = links.counts
    found = {
        "pairs": nothing + 1,
        "linked": counts > 0,
        "monotone": (counts > 0) & (crooked == 0),
        "source_words": lengths[0],
        "linked_source_words": linked_words[:, 0],
        "target_words": nothing if lengths[1] is None else lengths[1],
        "linked_target_words": linked_words[:, 1],
        "links": counts,
        "link_pairs": counts * (counts - 1) // 2,
        "crossing": links.pair_counts()[:, 1],
        "links_ahead": np.bincount(owners[rows[:, 0] - ahead + 1 > rows[:, 1]], minlength=pairs),
        "jumps": jumps,
        "straight": jumps - crooked,
    }
    columns = [_by_range(found[name].astype(np.int64), ranges) for name in _COUNTS]
    return np.stack(columns, axis=1)


def statistics_of(
    sums: OrderSums, *, rule: OrderRule, ahead: int, target: bool
) -> ReorderingStatistics:
    """Return the statistics of all pairs whose sums these are; `target` says whether its words are known."""
    ends = [least - 1 for least in LENGTHS[1:]]
    lengths = [
        LengthStatistics(
            least=least,
            most=most,
            counts=_order_counts(sums.counts[place], target=target),
            means=_means(sums, slice(place, place + 1)),
        )
        for place, (least, most) in enumerate(zip(LENGTHS, [*ends, None], strict=True))
    ]
    ends = [least - 1 for least in DISTANCES[1:]]
    distances = [
        DistanceStatistics(least=least, most=most, forward=forward, backward=backward, words=words)
        for least, most, (forward, backward, words) in zip(
            DISTANCES, [*ends, None], sums.distances.T.tolist(), strict=True
        )
    ]
    return ReorderingStatistics(
        rule=rule.signature(),
        ahead=ahead,
        counts=_order_counts(sums.counts.sum(axis=0), target=target),
        means=_means(sums, slice(None)),
        lengths=tuple(each for each in lengths if each.counts.pairs),
        distances=tuple(distances),
    )


def _order_counts(row: NDArray[np.int64], *, target: bool) -> OrderCounts:
    named: dict[str, int | None] = dict(zip(_COUNTS, row.tolist(), strict=True))
    if not target:
        named |= {"target_words": None, "linked_target_words": None}
    return OrderCounts(**named)  # type: ignore[arg-type]


def _means(sums: OrderSums, ranges: slice) -> dict[str, Estimate]:
    found = {}
    pairs = int(sums.counts[ranges, _COUNTS.index("linked")].sum())
    for place, name in enumerate(SCORES):
        total, squares = (
            (int(upper) << _HALF) + int(lower)
            for upper, lower in (
                each[:, ranges, place].sum(axis=1).tolist() for each in (sums.scores, sums.squares)
            )
        )
        found[name] = mean_score(total, squares, pairs)
    return found


def mean_score(total: int, squares: int, pairs: int) -> Estimate:
    """Return the mean of scores and its normal interval from sums in units of 2^-60.

    >>> mean_score(3 * 2**59, 5 * 2**58, 2)  # of 1 and 0.5
    Estimate(value=0.75, low=0.2600090038649865, high=1.0, p=None, n=2, reason='', undefined=0)
    """
    if not pairs:
        return Estimate(n=0)
    mean = total / (pairs * _UNIT)
    if pairs == 1:
        return Estimate(mean, n=1)
    spread = max(0, pairs * squares * _UNIT - total * total)
    error = sqrt(spread / (pairs * (pairs - 1) * _UNIT * _UNIT)) / sqrt(pairs)
    low, high = (min(1.0, max(0.0, mean + sign * _LEVEL * error)) for sign in (-1, 1))
    return Estimate(mean, low, high, n=pairs)

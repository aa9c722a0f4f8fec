"""Latency of simultaneous translation: published measures, and what of a lag the word order forces. Section 19"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

Number = TypeVar("Number", bound="np.generic")

PUBLISHED = ("AL", "LAAL", "DAL", "AP", "YAAL")
"""The published measures, in the order of tables."""


class Rows(NamedTuple):
    """Numbers of segments one after another: those of segment s are `offsets[s]` to `offsets[s + 1]`."""

    offsets: Ints

    @property
    def lengths(self) -> Ints:
        """How many numbers each segment has."""
        return np.diff(self.offsets)

    @property
    def owners(self) -> Ints:
        """The segment of each number."""
        return np.repeat(np.arange(len(self.offsets) - 1), self.lengths)

    @property
    def positions(self) -> Ints:
        """The position of each number in its segment, from 0."""
        return np.arange(self.offsets[-1]) - np.repeat(self.offsets[:-1], self.lengths)

    def sums(self, values: NDArray[np.generic]) -> Floats:
        """Return the sum of each segment, added from left to right: the same however segments are cut into blocks.

        >>> Rows(np.array([0, 2, 2, 3])).sums(np.array([1.0, 2.0, 3.0])).tolist()
        [3.0, 0.0, 3.0]
        """
        sums = np.bincount(self.owners, weights=values, minlength=len(self.offsets) - 1)
        return sums.astype(np.float64)


def running_max(values: NDArray[Number], positions: Ints) -> NDArray[Number]:
    """Return for each number the largest of its segment up to it.

    >>> running_max(np.array([1, 3, 2, 0, 1]), np.array([0, 1, 2, 0, 1])).tolist()
    [1, 3, 3, 0, 1]
    """
    found = values.copy()
    step, longest = 1, positions.max(initial=0)
    while step <= longest:
        rows = np.flatnonzero(positions >= step)
        found[rows] = np.maximum(found[rows], found[rows - step])
        step *= 2
    return found


def published_latencies(
    delays: Floats,
    rows: Rows,
    *,
    source_lengths: Floats,
    reference_lengths: Ints | None,
    ends: Floats | None = None,
) -> dict[str, Floats]:
    """Return the published measures of each segment; NaN where a measure is not defined.

    `source_lengths` are in the unit of delays. Without references, the reference is as long as the hypothesis.
    `ends` says when the recording of a segment ends, where the segment is a part of one: YAAL counts up to there.

    >>> rows = Rows(np.array([0, 3]))
    >>> found = published_latencies(
    ...     np.array([1.0, 2.0, 3.0]), rows, source_lengths=np.array([3.0]), reference_lengths=np.array([3])
    ... )
    >>> {name: value.tolist() for name, value in found.items()}  # doctest: +NORMALIZE_WHITESPACE
    {'AL': [1.0], 'LAAL': [1.0], 'DAL': [1.0], 'AP': [0.6666666666666666], 'YAAL': [1.0]}
    """
    words = rows.lengths
    references = words if reference_lengths is None else reference_lengths
    longer = np.maximum(words, references)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = {
            "AL": _lagging(delays, rows, source_lengths, references),
            "LAAL": _lagging(delays, rows, source_lengths, longer),
            "DAL": _differentiable(delays, rows, source_lengths),
            "AP": rows.sums(delays) / (source_lengths * references),
            "YAAL": _yet_another(
                delays, rows, source_lengths, longer, source_lengths if ends is None else ends
            ),
        }
    empty = (words == 0) | ~(source_lengths > 0)
    return {
        name: np.where(empty | ~np.isfinite(value), np.nan, value) for name, value in found.items()
    }


def _lagging(delays: Floats, rows: Rows, source_lengths: Floats, targets: Ints) -> Floats:
    """Return the mean of d_i - (i - 1) |X| / |Y| up to the first word after the whole source."""
    owners, positions = rows.owners, rows.positions
    late = running_max(delays >= source_lengths[owners], positions)
    counted = ~late
    counted[1:] |= ~late[:-1]
    counted[positions == 0] = True
    gamma = targets / source_lengths
    terms = np.where(counted, delays - positions / gamma[owners], 0.0)
    means = rows.sums(terms) / rows.sums(counted)
    first = np.full(len(means), np.nan)
    filled = rows.lengths > 0
    first[filled] = delays[rows.offsets[:-1][filled]]
    return np.where(first > source_lengths, first, means)


def _differentiable(delays: Floats, rows: Rows, source_lengths: Floats) -> Floats:
    """Return the mean of g_i - (i - 1) / gamma, where g_i is at least 1 / gamma after the one before."""
    owners, positions = rows.owners, rows.positions
    gamma = rows.lengths / source_lengths
    return rows.sums(running_max(delays - positions / gamma[owners], positions)) / rows.lengths


def _yet_another(
    delays: Floats, rows: Rows, source_lengths: Floats, targets: Ints, ends: Floats
) -> Floats:
    """Return the mean of d_i - (i - 1) / gamma over the words before the end of the recording."""
    owners, positions = rows.owners, rows.positions
    counted = ~running_max(delays >= ends[owners], positions)
    gamma = targets / source_lengths
    terms = np.where(counted, delays - positions / gamma[owners], 0.0)
    return rows.sums(terms) / rows.sums(counted)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Needs:
    """What each target word waits for in the source.

    `own` and `needed` number source words from 1, as many as must be heard; 0 where nothing is needed. `own` is the
    last source word that a word is linked to, `needed` the last one that it or a word before it is linked to.
    """

    own: Ints
    needed: Ints

    @classmethod
    def of(cls, links: NDArray[np.int32], owners: Ints, rows: Rows) -> Needs:
        """Return the needs of words by links (source, target), zero-based, each with its segment.

        >>> Needs.of(np.array([[0, 0], [2, 1], [1, 2]]), np.array([0, 0, 0]), Rows(np.array([0, 3]))).needed.tolist()
        [1, 3, 3]
        """
        own = np.zeros(int(rows.offsets[-1]), dtype=np.int64)
        np.maximum.at(own, rows.offsets[owners] + links[:, 1], links[:, 0].astype(np.int64) + 1)
        return cls(own=own, needed=running_max(own, rows.positions))

    @property
    def linked(self) -> NDArray[np.bool_]:
        """Whether a word has a link."""
        return self.own > 0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lag:
    """How long after its source each word is said, and why: lag = forced + avoidable - anticipated."""

    lag: Floats
    forced: Floats
    avoidable: Floats
    anticipated: Floats

    @classmethod
    def of(cls, delays: Floats, own: Floats, needed: Floats) -> Lag:
        """Return the lag of words whose last linked word is heard at `own`, and all they need at `needed`.

        >>> found = Lag.of(np.array([5.0, 3.0, 1.0]), np.array([2.0, 2.0, 2.0]), np.array([4.0, 4.0, 4.0]))
        >>> found.forced.tolist(), found.avoidable.tolist(), found.anticipated.tolist()
        ([2.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0])
        """
        return cls(
            lag=delays - own,
            forced=np.clip(delays - own, 0.0, needed - own),
            avoidable=np.maximum(delays - needed, 0.0),
            anticipated=np.maximum(own - delays, 0.0),
        )

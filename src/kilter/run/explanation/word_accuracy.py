"""Words that systems share with the reference, and n-grams that one of two has more often."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.corpus import row_offsets
from kilter.results.explanation import WordState
from kilter.results.reported_systems import (
    Distribution,
    LengthBuckets,
    LengthDifferences,
    NgramCount,
    NgramDifference,
    WordAccuracy,
    WordGrouping,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from kilter.core.corpus import Corpus, TokenColumn
    from kilter.core.dependency_tree_column import DependencyTreeColumn
    from kilter.core.links import LinkBatch
    from kilter.run.scoring.measured import Measured

    States = NDArray[np.int8]


def word_states(
    links: LinkBatch, hypothesis: NDArray[np.int64], reference: NDArray[np.int64]
) -> tuple[States, States, NDArray[np.int64]]:
    """Return the states of all words of hypotheses and references, and where references begin.

    `hypothesis` and `reference` are numbers of words. A word without link is `unlinked` if a word of the
    other side without link stands where it would: behind the partner of its nearest linked word on the
    left, or before that of its nearest linked word on the right (sentence borders are partners).

    >>> from kilter.core.links import LinkBatch
    >>> one, other, _ = word_states(LinkBatch.of([[(0, 0), (2, 2)]]), np.array([4]), np.array([3]))
    >>> [str(WordState(state)) for state in one]
    ['linked', 'unlinked', 'linked', 'added']
    >>> [str(WordState(state)) for state in other]
    ['linked', 'unlinked', 'linked']
    """
    owner = links.segments()
    offsets = [row_offsets(hypothesis), row_offsets(reference)]
    places = [offsets[side][:-1][owner] + links.links[:, side] for side in (0, 1)]
    linked = [np.zeros(int(each[-1]), dtype=bool) for each in offsets]
    for side in (0, 1):
        linked[side][places[side]] = True
    states = []
    for side, lacking in ((0, WordState.ADDED), (1, WordState.MISSING)):
        found = np.full(len(linked[side]), WordState.LINKED, dtype=np.int8)
        free, faces = _facing(linked, offsets, places, side)
        found[free] = np.where(faces, WordState.UNLINKED, lacking)
        states.append(found)
    return states[0], states[1], offsets[1]


def _facing(
    linked: list[NDArray[np.bool_]],
    offsets: list[NDArray[np.int64]],
    places: list[NDArray[np.int64]],
    side: int,
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return the words of a side without link, and whether one of the other side stands at their place."""
    own, other = linked[side], linked[1 - side]
    borders, others = offsets[side], offsets[1 - side]
    # Partners: of several the last on the way to the right, the first on the way to the left.
    behind, ahead = np.empty((2, len(own)), dtype=np.int64)
    behind[places[side]] = places[1 - side]  # links are sorted, and the last to be written stays
    ahead[places[side][::-1]] = places[1 - side][::-1]
    taken, free = np.flatnonzero(own), np.flatnonzero(~own)
    segment = np.repeat(np.arange(len(borders) - 1), np.diff(np.searchsorted(free, borders)))
    # As many words have a link before a free word as it is further on than among free words.
    place = free - np.arange(len(free))
    edges = np.concatenate([[-1], taken, [len(own)]])
    left, right = edges[place], edges[place + 1]
    next_place, last_place = others[segment], others[segment + 1] - 1
    inside = left >= borders[segment]
    next_place[inside] = behind[left[inside]] + 1
    inside = right < borders[segment + 1]
    last_place[inside] = ahead[right[inside]] - 1
    faces = _free(other, others, segment, next_place) | _free(other, others, segment, last_place)
    return free, faces


def _free(
    other: NDArray[np.bool_],
    others: NDArray[np.int64],
    segment: NDArray[np.int64],
    place: NDArray[np.int64],
) -> NDArray[np.bool_]:
    """Return whether there is a word without link at these places of these segments."""
    inside = (place >= others[segment]) & (place < others[segment + 1])
    free: NDArray[np.bool_] = inside.copy()
    free[inside] = ~other[place[inside]]
    return free


# The buckets that compare-mt has made known.
_LENGTHS = (10, 20, 30, 40, 50, 60)
_DIFFERENCES = (-20, -10, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 11, 21)
_BINS = 20


def distribution(
    scores: Sequence[NDArray[np.float64]], bounds: tuple[float, float]
) -> Distribution:
    """Return how the segment scores of systems are distributed over the range of their metric.

    Where the range has no end, or a score lies beyond it, bins end at the last score.
    """
    known = [each[np.isfinite(each)] for each in scores]
    ends = [end for end in bounds if np.isfinite(end)]
    every = np.concatenate([*known, ends])
    low, high = (float(every.min()), float(every.max())) if every.size else (0.0, 1.0)
    if high <= low:
        high = low + 1.0
    edges = np.linspace(low, high, _BINS + 1)
    return Distribution(
        edges=edges,
        counts=np.array([np.histogram(each, edges)[0] for each in known], dtype=np.int64),
        medians=np.array([np.median(each) if each.size else np.nan for each in known]),
    )


def length_buckets(lengths: NDArray[np.int64], measured: Sequence[Measured]) -> LengthBuckets:
    """Return the corpus scores of segments by the length of their reference, in words."""
    places = np.searchsorted(_LENGTHS, lengths, side="right")
    labels = tuple(bucket_labels(_LENGTHS, least=0))
    counts = np.bincount(places, minlength=len(labels))
    scores = {}
    for each in measured:
        table = np.full((len(each.statistics), len(labels)), np.nan)
        for bucket in np.flatnonzero(counts):
            rows = places == bucket
            sums = np.stack([statistics[rows].sum(axis=0) for statistics in each.statistics])
            with np.errstate(divide="ignore", invalid="ignore"):
                found = each.corpus_score(sums)
            table[:, bucket] = np.where(np.isfinite(found), found, np.nan)
        scores[each.name] = table
    return LengthBuckets(labels=labels, counts=counts, scores=scores)


def length_differences(
    systems: Sequence[NDArray[np.int64]], reference: NDArray[np.int64]
) -> LengthDifferences:
    """Return how many segments of each system are longer or shorter than the reference, and how far."""
    labels = tuple(bucket_labels(_DIFFERENCES))
    counts = [
        np.bincount(
            np.searchsorted(_DIFFERENCES, lengths - reference, side="right"), minlength=len(labels)
        )
        for lengths in systems
    ]
    return LengthDifferences(labels=labels, counts=np.array(counts, dtype=np.int64))


def bucket_labels(borders: Sequence[int], least: int | None = None) -> list[str]:
    """Return the buckets between whole numbers, each border the first of its bucket, in words."""
    first = f"below {borders[0]}" if least is None else _span(least, borders[0] - 1)
    between = [_span(low, high - 1) for low, high in pairwise(borders)]
    return [first, *between, f"{borders[-1]} or more"]


def _span(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"


# The buckets that compare-mt has made known.
_FREQUENCIES = (1, 2, 3, 4, 5, 10, 100, 1000)
_LABELS = ("0", "1", "2", "3", "4", "5 to 9", "10 to 99", "100 to 999", "1000 or more")
_LETTERS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15)
LONGEST = 4
"""How many words the longest n-grams have that are compared."""
_TOP = 10


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Counts:
    """How often a segment has an n-gram; `keys` are sorted, segment times the number of n-grams plus n-gram."""

    keys: NDArray[np.int64]
    counts: NDArray[np.int64]

    @classmethod
    def of(cls, segments: NDArray[np.int64], grams: NDArray[np.int64], kinds: int) -> _Counts:
        keys, counts = np.unique(segments * kinds + grams, return_counts=True)
        return cls(keys=keys, counts=counts)

    def shared(self, other: _Counts) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the keys that both have, and how often both have them."""
        keys, mine, theirs = np.intersect1d(
            self.keys, other.keys, assume_unique=True, return_indices=True
        )
        return keys, np.minimum(self.counts[mine], other.counts[theirs])


def word_accuracy(
    corpus: Corpus, trees: Sequence[DependencyTreeColumn | None] = ()
) -> dict[WordGrouping, WordAccuracy]:
    """Return how many words of the first reference each system has, by what is known of the words.

    `trees` are those of references and then systems; there are tags where the first reference and all systems
    have trees.
    """
    vocabulary = corpus.vocabulary
    texts = [corpus.references[0].tokens, *(system.tokens for system in corpus.systems)]
    frequency = np.bincount(texts[0].ids, minlength=len(vocabulary))
    by_word = {
        WordGrouping.FREQUENCY: (_LABELS, np.searchsorted(_FREQUENCIES, frequency, side="right")),
        WordGrouping.LETTERS: (
            tuple(bucket_labels(_LETTERS, least=1)),
            np.searchsorted(_LETTERS, vocabulary.letters(), side="right"),
        ),
    }
    groups = {
        grouping: (labels, [buckets[text.ids] for text in texts])
        for grouping, (labels, buckets) in by_word.items()
    }
    tagged = [trees[0], *trees[len(corpus.references) :]] if trees else []
    columns = [column for column in tagged if column is not None]
    if tagged and len(columns) == len(tagged):
        groups[WordGrouping.TAG] = _tags(columns)
    hits = [_hits(texts[0], text, len(vocabulary)) for text in texts[1:]]
    return {
        grouping: WordAccuracy(
            labels=labels,
            wanted=_counted(wanted, len(labels)),
            produced=_counted_rows(own, len(labels)),
            matched=_counted_rows(
                [each[mine] for each, (_, mine) in zip(own, hits, strict=True)], len(labels)
            ),
            recalled=_counted_rows([wanted[theirs] for theirs, _ in hits], len(labels)),
        )
        for grouping, (labels, (wanted, *own)) in groups.items()
    }


def _tags(
    columns: Sequence[DependencyTreeColumn],
) -> tuple[tuple[str, ...], list[NDArray[np.int64]]]:
    """Return the tags of texts, the most frequent of the first text first, and for each word the place of its tag."""
    named = []
    for column in columns:
        used, own, found = np.unique(column.tags, return_inverse=True, return_counts=True)
        words = column.vocabulary.words
        named.append(({words[n]: c for n, c in zip(used.tolist(), found.tolist(), strict=True)}, own.reshape(-1)))  # fmt: skip
    first = named[0][0]
    every = {name for names, _ in named for name in names}
    labels = sorted(every, key=lambda name: (-first.get(name, 0), name))
    places = {name: place for place, name in enumerate(labels)}
    numbers = [
        np.array([places[name] for name in names], dtype=np.int64)[own] for names, own in named
    ]
    return tuple(labels), numbers


def _hits(
    reference: TokenColumn, system: TokenColumn, kinds: int
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which words of each text the other has in the same segment; of equal words the first ones."""
    keys = [_segments(text) * kinds + text.ids for text in (reference, system)]
    found = []
    for own, other in (keys, keys[::-1]):
        names, counts = np.unique(other, return_counts=True)
        places = np.searchsorted(names, own)
        there = np.append(names, -1)[places] == own
        found.append(_ordinals(own) < np.where(there, np.append(counts, 0)[places], 0))
    return found[0], found[1]


def _ordinals(keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return for each entry how many equal ones stand before it.

    >>> _ordinals(np.array([7, 3, 7, 7, 3])).tolist()
    [0, 0, 1, 2, 1]
    """
    order = np.argsort(keys, kind="stable")
    _, starts, counts = np.unique(keys[order], return_index=True, return_counts=True)
    found = np.empty(len(keys), dtype=np.int64)
    found[order] = np.arange(len(keys)) - np.repeat(starts, counts)
    return found


def _counted(buckets: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    return np.bincount(buckets, minlength=count).astype(np.int64)


def _counted_rows(rows: Sequence[NDArray[np.int64]], count: int) -> NDArray[np.int64]:
    return np.array([_counted(row, count) for row in rows], dtype=np.int64).reshape(-1, count)


def ngram_differences(corpus: Corpus) -> tuple[NgramDifference, ...]:
    """Return, for every two systems, the n-grams that one has where the reference has them more often.

    N-grams of up to four words, ordered by `NgramCount.share` as compare-mt does, those seen more often
    first where it is equal; ten for each system, none that both match equally often.
    """
    texts = [corpus.references[0].tokens, *(system.tokens for system in corpus.systems)]
    matches = [_matches(order) for order in _orders(texts)]
    words = corpus.vocabulary.words
    found = []
    for first, second in combinations(range(len(corpus.systems)), 2):
        better = []
        for one, other in ((first, second), (second, first)):
            rows = [row for order in matches for row in order.best(one, other, words)]
            # Stable: of equals, the shorter n-gram is first.
            rows.sort(key=lambda row: (-row.share, -(row.first + row.second)))
            better.append(tuple(rows[:_TOP]))
        found.append(
            NgramDifference(
                first=corpus.systems[first].name,
                second=corpus.systems[second].name,
                better_first=better[0],
                better_second=tuple(
                    NgramCount(words=row.words, first=row.second, second=row.first)
                    for row in better[1]
                ),
            )
        )
    return tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Order:
    """The n-grams of one length in the reference and the systems: where they are, and their words."""

    length: int
    kinds: int
    segments: tuple[NDArray[np.int64], ...]
    grams: tuple[NDArray[np.int64], ...]
    words: NDArray[np.int32]
    """The words of each n-gram, a row each."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Matches:
    """How often each system has each n-gram that any of them shares with the reference."""

    words: NDArray[np.int32]
    counts: NDArray[np.int64]
    """A row for each system."""

    def best(self, one: int, other: int, words: Sequence[str]) -> list[NgramCount]:
        """Return the n-grams that one system has more often than the other, the clearest first."""
        mine, theirs = self.counts[one], self.counts[other]
        more = np.flatnonzero(mine > theirs)
        share = (mine[more] + 1) / (mine[more] + theirs[more] + 2)
        order = np.lexsort((more, -(mine[more] + theirs[more]), -share))[:_TOP]
        return [
            NgramCount(
                words=tuple(words[number] for number in self.words[place].tolist()),
                first=int(mine[place]),
                second=int(theirs[place]),
            )
            for place in more[order].tolist()
        ]


def _orders(texts: Sequence[TokenColumn]) -> Iterator[_Order]:
    """Yield the n-grams of all texts, numbered across them, one word longer each time."""
    ids = np.concatenate([text.ids for text in texts]).astype(np.int64)
    lengths = np.concatenate([text.lengths for text in texts])
    owners = np.repeat(np.arange(len(lengths)), lengths)
    # Words that follow in the same segment.
    left = np.repeat(np.cumsum(lengths), lengths) - np.arange(len(ids))
    borders = np.cumsum([0, *(len(text) for text in texts)])
    place = np.arange(len(ids))
    grams = ids
    kinds = int(ids.max()) + 1 if ids.size else 1
    words = kinds
    for length in range(1, LONGEST + 1):
        if length > 1:
            kept = left[place] >= length
            place, grams = place[kept], grams[kept]
            joined = grams * words + ids[place + length - 1]
            numbers, grams = np.unique(joined, return_inverse=True)
            kinds = max(1, len(numbers))
        if not place.size:
            return
        first = np.zeros(kinds, dtype=np.int64)
        first[grams] = place
        spelled = ids[first[:, None] + np.arange(length)].astype(np.int32) if length > 1 else None
        rows = owners[place]
        cuts = np.searchsorted(rows, borders[1:-1])
        yield _Order(
            length=length,
            kinds=kinds,
            segments=tuple(
                part - start for part, start in zip(np.split(rows, cuts), borders[:-1], strict=True)
            ),
            grams=tuple(np.split(grams, cuts)),
            words=np.arange(kinds, dtype=np.int32)[:, None] if spelled is None else spelled,
        )


def _matches(order: _Order) -> _Matches:
    counted = [
        _Counts.of(segments, grams, order.kinds)
        for segments, grams in zip(order.segments, order.grams, strict=True)
    ]
    table = np.zeros((len(counted) - 1, order.kinds), dtype=np.int64)
    for place, system in enumerate(counted[1:]):
        keys, counts = system.shared(counted[0])
        table[place] = np.bincount(keys % order.kinds, weights=counts, minlength=order.kinds)
    # What all systems match equally often tells none of them from another.
    seen = np.flatnonzero(np.ptp(table, axis=0)) if len(table) else np.zeros(0, dtype=np.int64)
    return _Matches(words=order.words[seen], counts=np.ascontiguousarray(table[:, seen]))


def _segments(tokens: TokenColumn) -> NDArray[np.int64]:
    return np.repeat(np.arange(len(tokens)), tokens.lengths)

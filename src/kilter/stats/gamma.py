"""Gamma, the agreement of annotators who mark and classify spans. [GA] Mathet, Widlöcher and Métivier 2015

Specification, section 21.3. Disorders are those of pygamma-agreement: a pair with a span that is missing costs `delta`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import comb
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

Unit: TypeAlias = tuple[float, float, str]
"""Start, end and category of a span."""
Marks: TypeAlias = Sequence[Sequence[Unit]]
"""The spans of each annotator in one text."""
SAMPLES = 40
MOST_STEPS = 50_000
"""Beyond so many steps of the search in one part of a text, the best alignment so far is taken."""
MOST_SPANS = 300
"""Beyond so many spans that cannot be parted, the best alignments are taken one after another."""


@dataclass(frozen=True, kw_only=True)
class Dissimilarity:
    """What two spans differ by: `alpha` times their places, and `beta` times their categories; `delta` for none.

    d = alpha delta ((|start - start'| + |end - end'|) / (length + length'))^2 + beta delta [other category]
    """

    alpha: float = 3.0
    beta: float = 1.0
    delta: float = 1.0

    def of(self, one: Unit | None, other: Unit | None) -> float:
        """Return the dissimilarity of two spans, either of which may be missing.

        >>> Dissimilarity().of((23, 28, "critical"), (23, 26, "critical"))
        0.1875
        """
        if one is None or other is None:
            return self.delta
        apart = abs(one[0] - other[0]) + abs(one[1] - other[1])
        size = one[1] - one[0] + other[1] - other[0]
        place = (apart / size) ** 2 if size else float(apart > 0)
        return self.delta * (self.alpha * place + self.beta * (one[2] != other[2]))


USUAL = Dissimilarity()


@dataclass(frozen=True, kw_only=True)
class GammaAgreement:
    """Disorders of one text or many: what was observed, and what chance would give; `gamma` is 1 less their ratio."""

    observed: float
    expected: float

    @property
    def gamma(self) -> float | None:
        """The agreement: 1 for equal spans, 0 for chance, less for worse; None where chance gives no disorder."""
        return 1.0 - self.observed / self.expected if self.expected > 0 else None


def total_disorder(marks: Marks, dissimilarity: Dissimilarity = USUAL) -> float:
    """Return the disorder of the best alignment of the spans of all annotators: the sum over its unitary alignments.

    Every span is in one unitary alignment, which has one span of each annotator or none; its disorder is the mean
    dissimilarity of its pairs.
    """
    units = [sorted(own) for own in marks]
    count = len(units)
    if count < 2:
        return 0.0
    pairs = comb(count, 2)
    alone = dissimilarity.delta
    order = sorted(
        (unit, annotator, index)
        for annotator, own in enumerate(units)
        for index, unit in enumerate(own)
    )
    listed = [(annotator, index) for _, annotator, index in order]
    place = {each: number for number, each in enumerate(listed)}
    cheap = _alignments(units, place, dissimilarity, pairs, alone)
    found, first = 0.0, 0
    for end in _borders(cheap):
        found += _least(cheap, first, end, alone)
        first = end
    return found


def _borders(cheap: Sequence[Sequence[tuple[frozenset[int], float]]]) -> Iterator[int]:
    """Yield where spans can be parted so that no unitary alignment has some of both parts."""
    reach = 0
    for first, own in enumerate(cheap):
        reach = max(reach, first, *(max(members) for members, _ in own))
        if reach == first:
            yield first + 1


def _least(
    cheap: Sequence[Sequence[tuple[frozenset[int], float]]], begin: int, end: int, alone: float
) -> float:
    """Return the least disorder of the spans of a part; where the search is too long, of the best alignments first."""
    greedy = _greedy(cheap, begin, end, alone)
    if end - begin > MOST_SPANS:
        return greedy
    steps = 0

    @cache
    def best(used: frozenset[int], first: int) -> float:
        """Return the least disorder of the spans from the first on that are not used."""
        nonlocal steps
        while first in used:
            first += 1
        if first >= end:
            return 0.0
        open_ = frozenset(number for number in used if number > first)
        found = alone + best(open_, first + 1)
        for members, disorder in cheap[first]:
            steps += 1
            if steps > MOST_STEPS:
                break
            if members.isdisjoint(open_):
                found = min(found, disorder + best(open_ | members, first + 1))
        return found

    return min(greedy, best(frozenset(), begin))


def _greedy(
    cheap: Sequence[Sequence[tuple[frozenset[int], float]]], begin: int, end: int, alone: float
) -> float:
    listed = sorted(
        (disorder - alone * (len(members) + 1), first, sorted(members), disorder)
        for first in range(begin, end)
        for members, disorder in cheap[first]
    )
    left, total = set(range(begin, end)), 0.0
    for _, first, members, disorder in listed:
        if left.issuperset((first, *members)):
            left.difference_update((first, *members))
            total += disorder
    return total + alone * len(left)


def _alignments(
    units: Sequence[Sequence[Unit]],
    place: Mapping[tuple[int, int], int],
    dissimilarity: Dissimilarity,
    pairs: int,
    alone: float,
) -> list[list[tuple[frozenset[int], float]]]:
    """Return by its first span each unitary alignment of several spans that costs less than its spans alone."""
    found: list[list[tuple[frozenset[int], float]]] = [[] for _ in place]
    most = alone * pairs * len(units)
    partial: list[tuple[list[tuple[int, int]], float]] = [([], 0.0)]
    for annotator, own in enumerate(units):
        longer = []
        for present, disorder in partial:
            longer.append((present, disorder))
            for index, unit in enumerate(own):
                apart = [dissimilarity.of(units[a][i], unit) for a, i in present]
                if all(each < most for each in apart):
                    longer.append(([*present, (annotator, index)], disorder + sum(apart)))
        partial = longer
    for present, disorder in partial:
        together = len(present) * (len(present) - 1) // 2
        mean = (disorder + alone * (pairs - together)) / pairs
        if len(present) > 1 and mean < alone * len(present):
            members = sorted(place[each] for each in present)
            found[members[0]].append((frozenset(members[1:]), mean))
    for own_alignments in found:
        own_alignments.sort(key=lambda each: each[1])
    return found


def mean_units(marks: Marks) -> float:
    """Return the mean number of spans of an annotator."""
    return sum(map(len, marks)) / len(marks) if marks else 0.0


def gamma_agreement(
    texts: Sequence[Marks],
    dissimilarity: Dissimilarity = USUAL,
    *,
    samples: int = SAMPLES,
    seed: int = 1,
) -> NDArray[np.float64]:
    """Return for each text its observed disorder and that of chance, which add up; see `GammaAgreement`.

    Chance is the mean over `samples` of texts whose annotators mark spans as long and as far apart as those here, by
    normal distributions, with their categories. A text by itself is pygamma-agreement's, also in what is drawn: numpy's
    legacy generator, which has the same stream everywhere. Of several texts, the number of spans that an annotator marks is one
    of those observed.
    """
    rng = np.random.RandomState(seed)
    chance = _Chance.of(texts)
    rows = np.zeros((len(texts), 2))
    for row, marks in enumerate(texts):
        if len(marks) < 2:
            continue
        rows[row, 0] = total_disorder(marks, dissimilarity)
        drawn = [chance.draw(len(marks), rng, alone=len(texts) == 1) for _ in range(samples)]
        disorders = [total_disorder(each, dissimilarity) for each in drawn]
        if len(texts) == 1:
            # The mean of what each sample costs for each of its spans.
            sizes = map(mean_units, drawn)
            shares = [d / n for d, n in zip(disorders, sizes, strict=True) if n]
            disorders = [share * mean_units(marks) for share in shares]
        rows[row, 1] = float(np.mean(disorders)) if disorders else 0.0
    return rows


@dataclass(frozen=True, kw_only=True, eq=False)
class _Chance:
    """What spans are drawn by: numbers of them, and means and deviations of gaps and lengths."""

    counts: Sequence[int]
    gaps: tuple[float, float]
    lengths: tuple[float, float]
    categories: Sequence[str]
    weights: NDArray[np.float64]

    @classmethod
    def of(cls, texts: Sequence[Marks]) -> _Chance:
        counts, lengths, categories = [], [], []
        gaps = [0.0]  # so that spans of one place have other places by chance
        for marks in texts:
            for own in map(sorted, marks):
                counts.append(len(own))
                lengths += [end - start for start, end, _ in own]
                categories += [category for *_, category in own]
                gaps += [after[0] - before[1] for before, after in pairwise(own)]
            gaps += [min(own)[0] for own in marks if own and min(own)[0] > 0]
        names = sorted(set(categories))
        shares = np.array([categories.count(name) for name in names], dtype=np.float64)
        return cls(
            counts=counts,
            gaps=_spread(gaps),
            lengths=_spread(lengths),
            categories=names,
            weights=shares / max(1.0, shares.sum()),
        )

    def draw(self, annotators: int, rng: np.random.RandomState, *, alone: bool) -> list[list[Unit]]:
        """Return the spans of annotators who mark by chance; of a text by itself somebody marks one at least."""
        found: list[list[Unit]] = []
        for _ in range(annotators if self.categories else 0):
            if alone:
                count = abs(int(rng.normal(*_spread(self.counts))))
                count = count if any(found) else max(1, count)
            else:
                count = self.counts[rng.randint(len(self.counts))]
            at, own = 0.0, []
            for _ in range(count):
                start = at + rng.normal(*self.gaps)
                length = abs(rng.normal(*self.lengths))
                name = self.categories[rng.choice(len(self.categories), p=self.weights)]
                at = start + length
                own.append((start, at, name))
            found.append(own)
        return found


def _spread(values: Sequence[float]) -> tuple[float, float]:
    return (float(np.mean(values)), float(np.std(values))) if len(values) else (0.0, 0.0)

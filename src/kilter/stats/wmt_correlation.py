"""Agreement of metrics with people as mt-metrics-eval computes it, to the digit. Specification, section 21.4

Matrices are systems x segments; NaN is a score that people did not give. [TM] Deutsch, Foster and Freitag 2023; soft pairwise
accuracy of Thompson et al. 2024; PERM-BOTH of Deutsch, Dror and Roth 2021.
"""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from kilter.core.settings import Choice
from kilter.stats.correlation import pearson as _pearson
from kilter.stats.correlation import spearman as _spearman

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Floats32 = NDArray[np.float32]

Coefficient: TypeAlias = "Callable[[Floats, Floats], float]"

PERMUTATIONS = 1000
SPA_SEED = 4
"""The seed of soft pairwise accuracy, which the tool does not let anybody choose."""


class Grouping(Choice):
    """What is averaged over: nothing, systems, or items (segments)."""

    NONE = "none"
    SYSTEM = "sys"
    ITEM = "item"


class GroupedCorrelation(NamedTuple):
    """A correlation, and how many groups it is the mean of."""

    value: float
    groups: int


def groups(gold: Floats, metric: Floats, by: Grouping) -> Iterator[tuple[Floats, Floats]]:
    """Yield scores of people and metric by group, without those that people did not give."""
    rows = {
        Grouping.NONE: (gold.reshape(1, -1), metric.reshape(1, -1)),
        Grouping.SYSTEM: (gold, metric),
        Grouping.ITEM: (gold.T, metric.T),
    }[by]
    for people, own in zip(*rows, strict=True):
        known = ~np.isnan(people)
        yield people[known], own[known]


def grouped_correlation(
    gold: Floats,
    metric: Floats,
    coefficient: Coefficient,
    by: Grouping = Grouping.NONE,
    *,
    zeros: bool = False,
) -> GroupedCorrelation:
    """Return the mean of a correlation over groups of two scores or more; undefined ones are left out, or `zeros`."""
    found = [coefficient(x, y) for x, y in groups(gold, metric, by) if len(x) > 1]
    values = [each for each in found if not np.isnan(each)]
    count = len(found) if zeros else len(values)
    return GroupedCorrelation(sum(values) / count if count else 0.0, count)


def pearson(gold: Floats, metric: Floats) -> float:
    """Return Pearson's r; NaN where a side is constant."""
    return float(_pearson(gold, metric)) if len(gold) > 1 else np.nan


def spearman(gold: Floats, metric: Floats) -> float:
    """Return Spearman's rho; NaN where a side is constant."""
    return float(_spearman(gold, metric)) if len(gold) > 1 else np.nan


class PairCounts(NamedTuple):
    """Pairs that agree, differ, and are tied by the metric alone, by people alone, and by both."""

    concordant: float
    discordant: float
    metric_ties: float
    gold_ties: float
    both_ties: float

    @property
    def total(self) -> float:
        """All pairs."""
        return sum(self)


def _differences(scores: Floats) -> Floats:
    first, second = np.triu_indices(len(scores), 1)
    found: Floats = scores[first] - scores[second]
    return found


def pair_counts(gold: Floats, metric: Floats, *, epsilon: float = 0.0) -> PairCounts:
    """Return what becomes of all pairs; two metric scores up to `epsilon` apart are tied."""
    return _counted(_differences(gold), _differences(metric), epsilon)


def _counted(people: Floats, own: Floats, epsilon: float) -> PairCounts:
    own_tie, gold_tie = np.abs(own) <= epsilon, people == 0
    same = ~own_tie & ~gold_tie & (np.sign(own) == np.sign(people))
    counts = (same, ~same & ~own_tie & ~gold_tie, own_tie & ~gold_tie, ~own_tie & gold_tie, own_tie & gold_tie)  # fmt: skip
    return PairCounts(*(float(np.count_nonzero(each)) for each in counts))


def kendall(variant: str, *, epsilon: float = 0.0) -> Coefficient:
    """Return Kendall's tau b or c, or the variants 23 and acc23, in which a tie is right where people tie, too. [TM]"""

    def of(gold: Floats, metric: Floats) -> float:
        counts = pair_counts(gold, metric, epsilon=epsilon)
        con, dis, own_ties, gold_ties, both = counts
        total = counts.total
        own, people = own_ties + both, gold_ties + both
        if variant in "bc":
            if total in (own, people):
                return np.nan
            if variant == "b":
                return float((con - dis) / np.sqrt(total - own) / np.sqrt(total - people))
            classes = min(len(np.unique(gold)), len(np.unique(metric)))
            return float(2 * (con - dis) / (len(gold) ** 2 * (classes - 1) / classes))
        if not total:
            return np.nan
        right = con + both
        wrong = dis + own_ties + gold_ties if variant == "23" else 0.0
        return (right - wrong) / total

    return of


def kendall_like(
    gold: Floats, metric: Floats, by: Grouping = Grouping.ITEM, *, threshold: float = 25.0
) -> GroupedCorrelation:
    """Return the tau of WMT up to 2020: of pairs that people set at least so far apart; groups weigh by their pairs.

    A pair that the metric ties is discordant, and at threshold 0 so is one that people tie.
    """
    concordant = pairs = 0
    for x, y in groups(gold, metric, by):
        people, own = _differences(x), _differences(y)
        asked = np.abs(people) >= threshold
        concordant += int(np.count_nonzero(asked & (people * own > 0)))
        pairs += int(np.count_nonzero(asked))
    return GroupedCorrelation((2 * concordant - pairs) / pairs if pairs else 0.0, pairs)


class CalibratedTau(NamedTuple):
    """A tau, and the threshold of ties of the metric that makes it greatest."""

    value: float
    epsilon: float


def tie_calibrated(
    gold: Floats, metric: Floats, by: Grouping = Grouping.ITEM, *, variant: str = "acc23"
) -> CalibratedTau:
    """Return accuracy (or tau 23) averaged over groups, with the one threshold of metric ties that is best. [TM]

    Groups without a pair do not count. Pairs become ties one after another, from the closest on; sums are taken in this order,
    which decides between thresholds that are equally good.
    """

    def tau(right: int, size: int) -> float:
        return right / size if variant == "acc23" else (right - (size - right)) / size

    right: list[int] = []
    sizes: list[int] = []
    pairs: list[tuple[float, int, int]] = []
    for x, y in groups(gold, metric, by):
        if len(x) < 2:
            continue
        people, own = _differences(x), _differences(y)
        agree = np.sign(people) == np.sign(own)
        change = (people == 0).astype(np.int64) - agree
        row = len(right)
        right.append(int(np.count_nonzero(agree)))
        sizes.append(len(people))
        apart = np.abs(own)
        pairs += zip(apart.tolist(), [row] * len(people), change.tolist(), strict=True)
    if not sizes:
        return CalibratedTau(np.nan, 0.0)
    total = sum(map(tau, right, sizes))
    thresholds, values = [0.0], [total / len(sizes)]
    for apart_, row, step in sorted(pairs, key=itemgetter(0)):
        total -= tau(right[row], sizes[row])
        right[row] += step
        total += tau(right[row], sizes[row])
        if thresholds[-1] == apart_:
            values[-1] = total / len(sizes)
        else:
            thresholds.append(apart_)
            values.append(total / len(sizes))
    best = int(np.argmax(values))
    return CalibratedTau(float(values[best]), float(thresholds[best]))


def pairwise_difference_pearson(gold: Floats, metric: Floats) -> float:
    """Return the correlation of differences between two systems on the same item, over all items, not centred."""
    people, own = [], []
    for x, y in groups(gold, metric, Grouping.ITEM):
        people.append(_differences(x))
        own.append(_differences(y))
    x, y = np.concatenate(people), np.concatenate(own)
    size = float(np.sqrt((x @ x) * (y @ y)))
    return float(x @ y) / size if size else np.nan


def sign_flips(segments: int, *, permutations: int = PERMUTATIONS) -> Floats32:
    """Return the signs that the tool draws for so many segments: permutations x segments of -1 and 1, single precision."""
    rng = np.random.default_rng(SPA_SEED)
    signs = rng.random(size=(permutations, segments), dtype=np.float32)
    np.rint(signs, out=signs)
    signs *= 2.0
    signs -= 1.0
    return signs


def pairwise_p_values(scores: Floats, signs: Floats32) -> Floats:
    """Return by how many of the sign flips each system, a row, is as much better than each later one, a column.

    As the tool does, in single precision, with the same flips for all pairs; NaN on and below the diagonal.
    """
    single = np.ascontiguousarray(scores, dtype=np.float32)  # sums depend on the layout
    sums = np.sum(single, axis=1)
    flipped = np.matmul(signs, single.T)
    found = np.full((len(scores), len(scores)), np.nan)
    for one in range(len(scores)):
        for other in range(one + 1, len(scores)):
            reached = flipped[:, one] - flipped[:, other] >= sums[one] - sums[other]
            found[one, other] = np.count_nonzero(reached) / len(signs)
    return found


class SoftPairwiseAccuracy:
    """The mean over pairs of systems of 1 - |p of people - p of the metric|, of segments that all systems have."""

    def __init__(self, gold: Floats, *, permutations: int = PERMUTATIONS) -> None:
        self.segments = np.flatnonzero(~np.isnan(gold).any(axis=0))
        self._defined = len(gold) > 1 and len(self.segments) > 0
        if self._defined:
            self._signs = sign_flips(len(self.segments), permutations=permutations)
            self._people = pairwise_p_values(gold[:, self.segments], self._signs)

    def of(self, metric: Floats) -> float:
        """Return the accuracy of a metric; NaN where there is no pair of systems, or no segment."""
        if not self._defined:
            return np.nan
        own = pairwise_p_values(metric[:, self.segments], self._signs)
        above = np.triu_indices(len(own), 1)
        return float(1.0 - np.mean(np.abs(self._people - own)[above]))


def system_means(scores: Floats) -> Floats:
    """Return the mean of what each system has."""
    return np.array(
        [np.mean(row[~np.isnan(row)]) if (~np.isnan(row)).any() else np.nan for row in scores]
    )


def pairwise_accuracy(gold: Floats, metric: Floats) -> GroupedCorrelation:
    """Return the share of pairs of systems that both order alike, and the number of pairs."""
    people, own = _differences(gold), _differences(metric)
    known = ~np.isnan(people) & ~np.isnan(own)
    same = np.count_nonzero(known & (np.sign(people) == np.sign(own)))
    pairs = int(np.count_nonzero(known))
    return GroupedCorrelation(same / pairs if pairs else np.nan, pairs)


def significance_ranks(p_values: Floats, *, level: float = 0.05) -> list[int]:
    """Return ranks of metrics from best to worst: a new one where a metric is significantly worse than one of the cluster.

    `p_values[i, j]` is the p-value that metric j, which comes later, is as good as metric i; up to `level` it is worse.
    """
    ranks, rank, first = [], 1, 0
    for place in range(len(p_values)):
        if any(p_values[each, place] <= level for each in range(first, place)):
            rank, first = rank + 1, place
        ranks.append(rank)
    return ranks


def permutation_p_value(
    gold: Floats,
    better: Floats,
    worse: Floats,
    coefficient: Callable[[Floats, Floats], float],
    by: Grouping,
    *,
    rng: np.random.RandomState,
    permutations: int = PERMUTATIONS,
) -> float:
    """Return how often scores of both metrics, exchanged at random, differ as much in agreement as the metrics do. PERM-BOTH

    Scores are standardised over those that people gave; `coefficient` is of matrices as these, grouped `by` what
    it is, which is the order in which the generator draws.
    """
    known = ~np.isnan(gold)
    first, second = (_standardised(each, known) for each in (worse, better))
    delta = coefficient(gold, second) - coefficient(gold, first)
    large = 0
    for _ in range(permutations):
        drawn = rng.binomial(1, 0.5, int(known.sum())).astype(bool)
        keep = np.zeros(gold.shape, dtype=bool)
        if by is Grouping.ITEM:
            keep.T[known.T] = drawn
        else:
            keep[known] = drawn
        one, other = np.where(keep, first, second), np.where(keep, second, first)
        large += coefficient(gold, other) - coefficient(gold, one) >= delta
    return large / permutations


def _standardised(scores: Floats, known: NDArray[np.bool_]) -> Floats:
    own = scores[known]
    spread = own.std()
    standardised: Floats = (scores - own.mean()) / (spread or 1.0)
    return standardised


def pair_permutation_p_value(
    gold: Floats,
    better: Floats,
    worse: Floats,
    by: Grouping = Grouping.ITEM,
    *,
    rng: np.random.RandomState,
    permutations: int = PERMUTATIONS,
) -> float:
    """Return the p-value of a difference in tie-calibrated accuracy, of pairs exchanged between the metrics at random.

    Each metric keeps its own threshold of ties, so that none has to be found again. [TM]
    """
    epsilons = [tie_calibrated(gold, each, by).epsilon for each in (worse, better)]
    rights: list[list[NDArray[np.bool_]]] = [[], []]
    places: list[NDArray[np.int64]] = []
    drawn = 0
    for (x, first), (_, second) in zip(
        groups(gold, worse, by), groups(gold, better, by), strict=True
    ):
        size = len(x)
        if size > 1:
            people = np.sign(_differences(x))
            for right, own, epsilon in zip(rights, (first, second), epsilons, strict=True):
                apart = _differences(own)
                right.append(people == np.where(np.abs(apart) <= epsilon, 0.0, np.sign(apart)))
            above = np.triu_indices(size, 1)
            places.append(drawn + above[0] * size + above[1])
        drawn += size * size
    if not places:
        return np.nan
    starts = np.cumsum([0, *(len(each) for each in places[:-1])])
    sizes = np.array([len(each) for each in places])
    place = np.concatenate(places)
    one, other = (np.concatenate(each) for each in rights)

    def accuracy(right: NDArray[np.bool_]) -> float:
        return float(np.average(np.add.reduceat(right.astype(np.int64), starts) / sizes))

    delta = accuracy(other) - accuracy(one)
    large = 0
    for _ in range(permutations):
        keep = rng.binomial(1, 0.5, drawn).astype(bool)[place]
        swapped = accuracy(np.where(keep, other, one)) - accuracy(np.where(keep, one, other))
        large += swapped >= delta
    return large / permutations

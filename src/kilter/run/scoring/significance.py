"""Intervals of systems and paired comparisons between them, from statistics already computed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.counted import counted
from kilter.core.errors import InputError, OptionError
from kilter.results.comparison import (
    Comparison,
    MetricComparison,
    Pair,
    SignificanceTest,
)
from kilter.run.scoring.difference_parts import difference_parts
from kilter.run.scoring.resampled import differences_of, intervals_of, known, resample
from kilter.stats.resampling import RandomStream, Resampling, subset_sums
from kilter.stats.significance import (
    LIKELY,
    MOST_EXACT,
    Mark,
    MarkRule,
    PermutationTest,
    SegmentEffect,
    better_shares,
    bootstrap_p_values,
    every_sum,
    holm,
    p_mark,
    permutation_tests,
    randomisation_p_values,
    segment_effects,
    share_mark,
    smallest_corrected,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kilter.core.estimate import Estimate
    from kilter.run.scoring.measured import Measured
    from kilter.run.scoring.resampled import Resampled

_MOST_DIFFERENCES = 1 << 16
_MOST_RESAMPLED = 1 << 22
"""Differences of resamples that are held at a time."""


def score_intervals(
    measured: Measured, *, resampling: Resampling | None = None
) -> tuple[Estimate, ...]:
    """Return the corpus score of every system with its bootstrap interval. Section 14.4

    One segment has none: its bounds are None.
    """
    return resample([measured], resampling or Resampling())[0].intervals()


def baseline_of(systems: Sequence[str], named: str | None) -> str:
    """Return the baseline among systems: the one that is named, else the first.

    >>> baseline_of(["one", "other"], None)
    'one'
    """
    chosen = systems[0] if named is None and systems else named
    if chosen is None or chosen not in systems:
        raise OptionError(f"the baseline is {chosen!r}; it can be {', '.join(systems) or 'none'}")
    return chosen


def compare_measured(
    systems: Sequence[str],
    measured: Sequence[Measured],
    *,
    baseline: str | None = None,
    tests: Sequence[SignificanceTest] = tuple(SignificanceTest),
    resampling: Resampling | None = None,
    marks: MarkRule = MarkRule.CORRECTED,
) -> Comparison:
    """Return intervals and all paired comparisons of the systems; the first one is the baseline.

    Marks follow the corrected p-values of the first test, or shares of resamples. On one segment there is a difference, but no interval, share, mark or p-value: they are None.
    """
    names = tuple(systems)
    if len(set(names)) != len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"two systems are called {twice!r}; names must differ")
    chosen = baseline_of(names, baseline)
    if not measured or not tests:
        raise OptionError("a comparison takes at least one metric and one test")
    segments = {np.shape(rows)[0] for each in measured for rows in each.statistics}
    if len(segments) != 1:
        raise InputError(f"systems and metrics cover {sorted(segments)} segments, not the same")
    for each in measured:
        if len(each.statistics) != len(names):
            raise InputError(
                f"{each.name} has statistics of {counted(len(each.statistics), 'system')}; "
                f"there are {len(names)}"
            )
    comparisons = len(names) * (len(names) - 1) // 2
    drawn = (resampling or Resampling()).for_comparisons(comparisons)
    order = [names.index(chosen), *(k for k, name in enumerate(names) if name != chosen)]
    compared = Comparison(
        systems=names,
        baseline=chosen,
        segments=segments.pop(),
        tests=tuple(dict.fromkeys(tests)),
        resampling=drawn,
        metrics=tuple(
            _compared(names, order, each, tuple(tests), drawn, marks=marks) for each in measured
        ),
        marks=marks,
    )
    rough = compared.decision_note
    return replace(compared, notes=(*compared.common_notes, *([rough] if rough else [])))


def _compared(
    names: tuple[str, ...],
    order: list[int],
    measured: Measured,
    tests: tuple[SignificanceTest, ...],
    resampling: Resampling,
    *,
    marks: MarkRule,
) -> MetricComparison:
    (resampled,) = resample([measured], resampling)
    places = list(combinations(order, 2))
    # The baseline comes first in the order, so its pairs come first too.
    against = len(names) - 1
    results = _p_values(resampled, places, tests, against=against)
    parts = difference_parts(measured, resampled, places, tests, against=against)
    pairs = _without_marks(
        _pairs(resampled, places, names, results, marks), resampled, places, tests[0]
    )
    return MetricComparison(
        **vars(measured.facts()),
        intervals=resampled.intervals(),
        pairs=tuple(replace(pair, parts=own) for pair, own in zip(pairs, parts, strict=True)),
    )


@dataclass(frozen=True)
class _PValues:
    """One p-value per test and pair, and whether the pair's permutation test is exact.

    The first `against` pairs are those with the baseline.
    """

    p: dict[SignificanceTest, list[float | None]]
    exact: list[bool]
    against: int
    resamples: int
    least: float
    """The smallest p-value that the segments can give."""

    def smallest(self, pair: int, *, against_baseline: bool = False) -> float:
        """Return the smallest corrected p-value that the first test can give; an exact one has only that of the segments."""
        test, values = next(iter(self.p.items()))
        family = values[: self.against] if against_baseline else values
        tested = sum(p is not None for p in family)
        by_segments = min(1.0, tested * self.least)
        if test is SignificanceTest.PERMUTATION and self.exact[pair]:
            return by_segments
        return max(by_segments, smallest_corrected(tested, self.resamples))

    def shown(self, values: dict[SignificanceTest, list[float | None]], place: int) -> float | None:
        """Return the value of a pair by the test that tables show, the first."""
        return values[next(iter(self.p))][place]

    @cached_property
    def holm(self) -> dict[SignificanceTest, list[float | None]]:
        """The p-values corrected for all pairs."""
        return {test: holm(values) for test, values in self.p.items()}

    @cached_property
    def holm_baseline(self) -> dict[SignificanceTest, list[float | None]]:
        """The p-values of the baseline's pairs, corrected for them."""
        return {test: holm(values[: self.against]) for test, values in self.p.items()}


def _p_values(
    resampled: Resampled,
    places: list[tuple[int, int]],
    tests: tuple[SignificanceTest, ...],
    *,
    against: int,
) -> _PValues:
    found: dict[SignificanceTest, list[float | None]] = {}
    exact = [False] * len(places)
    count = resampled.resampling.count
    if not resampled.is_evidence:
        none: dict[SignificanceTest, list[float | None]] = {t: [None] * len(places) for t in tests}
        return _PValues(none, exact, against, count, resampled.least_p)
    for test in tests:
        if test is SignificanceTest.BOOTSTRAP:
            found[test] = _bootstrap_p(resampled, places)
        elif test is SignificanceTest.RANDOMISATION:
            found[test] = _randomisation_p(resampled, places)
        else:
            flips = _permutations(resampled, places)
            found[test] = [None if each is None else each.p for each in flips]
            exact = [each is not None and each.exact for each in flips]
    return _PValues(found, exact, against, count, resampled.least_p)


def _bootstrap_p(resampled: Resampled, places: list[tuple[int, int]]) -> list[float | None]:
    found: list[float | None] = []
    for some in _some_at_a_time(resampled, places):
        values = bootstrap_p_values(
            differences_of(resampled.resampled, some),
            differences_of(resampled.rounded, some),
            least=resampled.least_p,
            tie=resampled.tie,
        )
        found += [known(p) for p in values.tolist()]
    return found


def _some_at_a_time(
    resampled: Resampled, places: list[tuple[int, int]]
) -> Iterator[list[tuple[int, int]]]:
    """Yield all pairs, a few at a time: the differences of all on every resample could fill the memory."""
    step = max(1, _MOST_RESAMPLED // resampled.resampling.count)
    for start in range(0, len(places), step):
        yield places[start : start + step]


def _randomisation_p(resampled: Resampled, places: list[tuple[int, int]]) -> list[float | None]:
    """Return the p-values; one draw of swaps serves all pairs."""
    drawn = resampled.resampling
    sums = subset_sums(resampled.statistics, drawn, stream=RandomStream.SWAPS)
    found: list[float | None] = []
    for place in places:
        one, other = sums.swapped(*place)
        differences = resampled.score(other) - resampled.score(one)
        observed = differences_of(resampled.rounded, [place])
        (p,) = randomisation_p_values(differences[np.newaxis], observed, tie=resampled.tie).tolist()
        found.append(known(p))
    return found


def _permutations(
    resampled: Resampled, places: list[tuple[int, int]]
) -> list[PermutationTest | None]:
    """Return the tests; a corpus score that is not a mean over segments has none."""
    if resampled.averages and not resampled.is_mean:
        return [*_exchanges(resampled, places)]
    if not resampled.is_mean or not places:
        return [None] * len(places)
    scores = resampled.statistics[..., ::2].mean(axis=-1)
    drawn = resampled.resampling
    tests = permutation_tests(np.ascontiguousarray(differences_of(scores, places).T), drawn)
    return list(tests)


def _exchanges(
    resampled: Resampled, places: list[tuple[int, int]]
) -> Iterator[PermutationTest | None]:
    """Yield the tests of a mean over the segments that count, which may be other ones in each system.

    There to turn the sign of a difference is to exchange the two systems in a segment. A difference that is missing
    has no test, and exchanges that leave one missing do not count.
    """
    drawn = resampled.resampling
    sums = subset_sums(resampled.statistics, drawn, stream=RandomStream.FLIPS)
    for place in places:
        gains = resampled.statistics[place[1]] - resampled.statistics[place[0]]
        gains = gains[(np.abs(gains) > resampled.tie).any(axis=1)]
        observed = differences_of(resampled.rounded, [place])
        if np.isnan(observed[0]):
            yield None
            continue
        if exact := len(gains) <= MOST_EXACT:
            moved = every_sum(gains)
            totals = sums.total()
            one, other = totals[place[0]] + moved, totals[place[1]] - moved
        else:
            one, other = sums.swapped(*place)
        differences = resampled.score(other) - resampled.score(one)
        differences = differences[~np.isnan(differences)]
        if exact:
            far = np.abs(differences) >= abs(observed[0]) - resampled.tie
            yield PermutationTest(p=float(far.mean()), exact=True)
        else:
            found = randomisation_p_values(
                differences[np.newaxis], observed, tie=resampled.tie
            ).tolist()
            yield PermutationTest(p=found[0], exact=False)


def _pairs(
    resampled: Resampled,
    places: list[tuple[int, int]],
    names: tuple[str, ...],
    results: _PValues,
    marks: MarkRule,
) -> tuple[Pair, ...]:
    intervals: list[Estimate] = []
    shares: list[float] = []
    worse: list[float] = []
    for some in _some_at_a_time(resampled, places):
        values = differences_of(resampled.resampled, some)
        intervals += intervals_of(
            values,
            differences_of(resampled.scores, some),
            differences_of(resampled.rounded, some),
            resampled.resampling.level,
        )
        shares += better_shares(resampled.sign * values, tie=resampled.tie).tolist()
        worse += better_shares(-resampled.sign * values, tie=resampled.tie).tolist()
    effects = _effects(resampled, places)
    found = []
    for k, (first, second) in enumerate(places):
        interval = intervals[k]
        share = None if interval.low is None else shares[k]
        against = k < results.against
        if marks is MarkRule.SHARE:
            mark = None if share is None else share_mark(share, worse[k])
            if mark is not None and resampled.least_p >= LIKELY:
                mark = Mark.UNDECIDED
            mark_baseline = mark if against else None
        else:
            corrected = results.shown(results.holm, k)
            mark = _p_mark(resampled, interval.value, corrected, results.smallest(k))
            baseline = results.shown(results.holm_baseline, k) if against else None
            few = results.smallest(k, against_baseline=True)
            mark_baseline = _p_mark(resampled, interval.value, baseline, few)
        found.append(
            Pair(
                first=names[first],
                second=names[second],
                difference=interval.value,
                low=interval.low,
                high=interval.high,
                share=share,
                mark=mark,
                mark_baseline=mark_baseline,
                p={test: p[k] for test, p in results.p.items()},
                holm={test: p[k] for test, p in results.holm.items()},
                holm_baseline={test: p[k] for test, p in results.holm_baseline.items()}
                if against
                else None,
                exact=results.exact[k],
                effect=effects[k],
                undefined=interval.undefined,
            )
        )
    return tuple(found)


def _without_marks(
    pairs: Sequence[Pair],
    resampled: Resampled,
    places: Sequence[tuple[int, int]],
    test: SignificanceTest,
) -> list[Pair]:
    """Return pairs with what they have in common, and without mark and p-values where that is not their difference."""
    found = []
    for pair, place in zip(pairs, places, strict=True):
        common = resampled.common_segments(*place)
        if common is None:
            found.append(pair)
            continue
        p = pair.p[test]
        sure = (p is not None and p < LIKELY) or pair.mark not in (None, Mark.OPEN, Mark.UNDECIDED)
        withheld = sure and pair.difference is not None and common.is_cause(pair.difference)
        found.append(replace(pair, common=common, is_withheld=withheld))
        if withheld:
            none: dict[SignificanceTest, float | None] = dict.fromkeys(pair.p)
            found[-1] = replace(
                found[-1],
                mark=None,
                mark_baseline=None,
                share=None,
                p=none,
                holm=none,
                holm_baseline=None if pair.holm_baseline is None else none,
            )
    return found


def _p_mark(
    resampled: Resampled, difference: float | None, p: float | None, smallest: float
) -> Mark | None:
    if difference is None or p is None:
        return None
    return p_mark(resampled.sign * difference, p, smallest=smallest, tie=resampled.tie)


def _effects(resampled: Resampled, places: list[tuple[int, int]]) -> list[SegmentEffect]:
    # A few pairs at a time: the differences of all on every segment could fill the memory.
    step = max(1, _MOST_DIFFERENCES // resampled.segment_scores.shape[1])
    found: list[SegmentEffect] = []
    for start in range(0, len(places), step):
        segments = differences_of(resampled.segment_scores, places[start : start + step])
        found += segment_effects(
            resampled.sign * segments, tie=resampled.tie, standardise=resampled.is_mean
        )
    return found

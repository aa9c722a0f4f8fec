"""Intervals of systems and paired comparisons between them, from statistics already computed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from kilter.errors import InputError, OptionError
from kilter.metrics.metric import MeanMetric, Metric
from kilter.structures.comparison import (
    Comparison,
    Interval,
    MetricComparison,
    Pair,
    SignificanceTest,
)
from kilter.structures.resampling import (
    RandomStream,
    Resampling,
    bootstrap_sums,
    column_sums,
    stack_statistics,
    subset_sums,
)
from kilter.structures.significance import (
    TIE,
    PermutationTest,
    better_share,
    bootstrap_p_value,
    holm,
    percentile_interval,
    permutation_tests,
    randomisation_p_value,
    segment_effect,
    share_mark,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


@dataclass(frozen=True, kw_only=True)
class Measured:
    """One metric's statistics of every system, segments x columns each: all that resampling needs."""

    metric: Metric
    statistics: Sequence[NDArray[np.float64]]
    signature: str

    @property
    def name(self) -> str:
        """The metric with its options, as `-m` takes it."""
        return self.metric.specification()


def score_intervals(
    measured: Measured, *, resampling: Resampling | None = None
) -> tuple[Interval, ...]:
    """Return the corpus score of every system with its bootstrap interval. Section 14.4"""
    return _Resampled(measured, resampling or Resampling()).intervals()


def compare(
    systems: Sequence[str],
    measured: Sequence[Measured],
    *,
    baseline: str | None = None,
    tests: Sequence[SignificanceTest] = tuple(SignificanceTest),
    resampling: Resampling | None = None,
) -> Comparison:
    """Return intervals and all paired comparisons of the systems; the first one is the baseline."""
    names = tuple(systems)
    chosen = names[0] if baseline is None and names else baseline
    if len(set(names)) != len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"two systems are called {twice!r}; names must differ")
    if chosen is None or chosen not in names:
        raise OptionError(f"the baseline is {chosen!r}; it can be {', '.join(names) or 'none'}")
    if not measured or not tests:
        raise OptionError("a comparison takes at least one metric and one test")
    segments = {np.shape(rows)[0] for each in measured for rows in each.statistics}
    if len(segments) != 1:
        raise InputError(f"systems and metrics cover {sorted(segments)} segments, not the same")
    for each in measured:
        if len(each.statistics) != len(names):
            raise InputError(
                f"{each.name} has statistics of {len(each.statistics)} systems; "
                f"there are {len(names)}"
            )
    drawn = resampling or Resampling()
    order = [names.index(chosen), *(k for k, name in enumerate(names) if name != chosen)]
    return Comparison(
        systems=names,
        baseline=chosen,
        segments=segments.pop(),
        tests=tuple(dict.fromkeys(tests)),
        resampling=drawn,
        metrics=tuple(_compared(names, order, each, tuple(tests), drawn) for each in measured),
    )


class _Resampled:
    """One metric's scores on all segments and on every resample."""

    def __init__(self, measured: Measured, resampling: Resampling) -> None:
        self.metric = measured.metric
        self.resampling = resampling
        self.statistics = stack_statistics(measured.statistics)
        sums = bootstrap_sums(
            self.statistics,
            resamples=resampling.resamples,
            seed=resampling.seed,
            jobs=resampling.jobs,
        )
        self.scores = self.score(np.stack([column_sums(rows) for rows in self.statistics]))
        # Rounded as the resampled ones are, so that the two can be compared to the last bit.
        self.rounded = self.score(sums.total())
        self.resampled = self.score(sums.resampled())
        finite = np.abs(self.scores[np.isfinite(self.scores)])
        self.tie = TIE * float(max([1.0, *finite]))
        self.sign = 1.0 if self.metric.higher_is_better else -1.0

    def score(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return corpus scores; an undefined one is counted later on, not warned about here."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(self.metric.corpus_score(sums), dtype=np.float64)

    @cached_property
    def segment_scores(self) -> NDArray[np.float64]:
        """The score of each system's segments, each taken as a corpus of its own."""
        return self.score(self.statistics)

    @cached_property
    def is_mean(self) -> bool:
        """Whether the corpus score is the plain mean of segment scores."""
        return isinstance(self.metric, MeanMetric) and bool((self.statistics[..., 1] == 1).all())

    def intervals(self) -> tuple[Interval, ...]:
        low, high = self.metric.range
        found = []
        for score, rounded, values in zip(self.scores, self.rounded, self.resampled, strict=True):
            interval = _interval(values, float(score), float(score - rounded), self.resampling)
            bounds = [
                None if bound is None else min(max(bound, low), high)
                for bound in (interval.low, interval.high)
            ]
            found.append(
                Interval(
                    score=interval.score,
                    low=bounds[0],
                    high=bounds[1],
                    undefined=interval.undefined,
                )
            )
        return tuple(found)


def _interval(
    values: NDArray[np.float64], observed: float, shift: float, resampling: Resampling
) -> Interval:
    """Return the interval of the defined values, less what rounding the statistics moved them."""
    defined = values[np.isfinite(values)]
    undefined = len(values) - len(defined)
    if not isfinite(observed) or not len(defined):
        score = observed if isfinite(observed) else None
        return Interval(score=score, low=None, high=None, undefined=undefined)
    low, high = percentile_interval(defined, level=resampling.level)
    moved = shift if isfinite(shift) else 0.0
    return Interval(score=observed, low=low + moved, high=high + moved, undefined=undefined)


def _compared(
    names: tuple[str, ...],
    order: list[int],
    measured: Measured,
    tests: tuple[SignificanceTest, ...],
    resampling: Resampling,
) -> MetricComparison:
    resampled = _Resampled(measured, resampling)
    places = list(combinations(order, 2))
    results = _p_values(resampled, places, tests)
    # The baseline comes first in the order, so its pairs come first too.
    against = len(names) - 1
    adjusted = {test: holm(values) for test, values in results.p.items()}
    adjusted_baseline = {test: holm(values[:against]) for test, values in results.p.items()}
    pairs = tuple(
        _pair(
            resampled,
            place,
            names,
            p={test: values[k] for test, values in results.p.items()},
            holm={test: values[k] for test, values in adjusted.items()},
            holm_baseline={test: values[k] for test, values in adjusted_baseline.items()}
            if k < against
            else None,
            exact=results.exact[k],
        )
        for k, place in enumerate(places)
    )
    metric = measured.metric
    return MetricComparison(
        name=measured.name,
        signature=measured.signature,
        higher_is_better=metric.higher_is_better,
        range=metric.range,
        intervals=resampled.intervals(),
        pairs=pairs,
    )


@dataclass(frozen=True)
class _PValues:
    """One p-value per test and pair, and whether the pair's permutation test is exact."""

    p: dict[SignificanceTest, list[float | None]]
    exact: list[bool]


def _p_values(
    resampled: _Resampled, places: list[tuple[int, int]], tests: tuple[SignificanceTest, ...]
) -> _PValues:
    found: dict[SignificanceTest, list[float | None]] = {}
    exact = [False] * len(places)
    for test in tests:
        if test is SignificanceTest.BOOTSTRAP:
            found[test] = [_bootstrap_p(resampled, place) for place in places]
        elif test is SignificanceTest.RANDOMISATION:
            found[test] = _randomisation_p(resampled, places)
        else:
            flips = _permutations(resampled, places)
            found[test] = [None if each is None else each.p for each in flips]
            exact = [each is not None and each.exact for each in flips]
    return _PValues(found, exact)


def _bootstrap_p(resampled: _Resampled, place: tuple[int, int]) -> float | None:
    first, second = place
    differences = resampled.resampled[second] - resampled.resampled[first]
    observed = float(resampled.rounded[second] - resampled.rounded[first])
    defined = differences[np.isfinite(differences)]
    if not isfinite(observed) or not len(defined):
        return None
    return bootstrap_p_value(defined, observed, tie=resampled.tie)


def _randomisation_p(resampled: _Resampled, places: list[tuple[int, int]]) -> list[float | None]:
    """Return the p-values; one draw of swaps serves all pairs."""
    drawn = resampled.resampling
    sums = subset_sums(
        resampled.statistics,
        stream=RandomStream.SWAPS,
        resamples=drawn.resamples,
        seed=drawn.seed,
        jobs=drawn.jobs,
    )
    found: list[float | None] = []
    for first, second in places:
        one, other = sums.swapped(first, second)
        differences = resampled.score(other) - resampled.score(one)
        observed = float(resampled.rounded[second] - resampled.rounded[first])
        defined = differences[np.isfinite(differences)]
        if not isfinite(observed) or not len(defined):
            found.append(None)
        else:
            found.append(randomisation_p_value(defined, observed, tie=resampled.tie))
    return found


def _permutations(
    resampled: _Resampled, places: list[tuple[int, int]]
) -> list[PermutationTest | None]:
    """Return the tests; a corpus score that is no mean of segment scores has none."""
    if not resampled.is_mean or not places:
        return [None] * len(places)
    scores = resampled.statistics[..., 0]
    differences = np.stack([scores[second] - scores[first] for first, second in places], axis=1)
    drawn = resampled.resampling
    tests = permutation_tests(
        differences, resamples=drawn.resamples, seed=drawn.seed, jobs=drawn.jobs
    )
    return list(tests)


def _pair(
    resampled: _Resampled, place: tuple[int, int], names: tuple[str, ...], **tested: Any
) -> Pair:
    first, second = place
    difference = float(resampled.scores[second] - resampled.scores[first])
    rounded = float(resampled.rounded[second] - resampled.rounded[first])
    values = resampled.resampled[second] - resampled.resampled[first]
    interval = _interval(values, difference, difference - rounded, resampled.resampling)
    oriented = resampled.sign * values[np.isfinite(values)]
    share = better_share(oriented, tie=resampled.tie) if interval.low is not None else None
    segments = resampled.segment_scores[second] - resampled.segment_scores[first]
    effect = segment_effect(
        resampled.sign * segments[np.isfinite(segments)],
        tie=resampled.tie,
        standardise=resampled.is_mean,
    )
    return Pair(
        first=names[first],
        second=names[second],
        difference=interval.score,
        low=interval.low,
        high=interval.high,
        share=share,
        mark=None if share is None else share_mark(share),
        effect=effect,
        undefined=interval.undefined,
        **tested,
    )

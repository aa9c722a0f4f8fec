"""What comparing systems found: intervals, paired tests, effect sizes; sections 14.4 and 14.5."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import isfinite
from typing import TYPE_CHECKING, Protocol

from kilter import __version__
from kilter.core.counted import counted
from kilter.stats.significance import decision_note

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kilter.results.document import Document
    from kilter.stats.resampling import Resampling
    from kilter.stats.significance import Mark, MarkRule, SegmentEffect

SCHEMA = "kilter.compare/1"
TOLD_FROM = 0.15
"""Share of segments with a score of one system only, above which a note says so. Real systems of WMT stay below."""
LEAST_KEPT = 0.5
"""Share of a difference that must be there over the segments of both systems too; with less it has no mark."""


class SignificanceTest(StrEnum):
    """Paired tests of the hypothesis that two systems are equally good."""

    BOOTSTRAP = "bootstrap"
    RANDOMISATION = "randomisation"
    PERMUTATION = "permutation"


@dataclass(frozen=True, kw_only=True)
class Interval:
    """A system's corpus score and its percentile bootstrap interval.

    Resamples in which the metric is undefined (not a number) are left out and counted; what is
    undefined altogether is None, and so are the bounds of a single segment. `reason` says why a score is missing, or
    its bounds.
    """

    score: float | None
    low: float | None
    high: float | None
    undefined: int = 0
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class PartDifference:
    """What a part of the metric (order, coverage, words) contributes to a difference. Section 6.9

    Interval and p-values are those of this contribution, by the resamples and tests of the whole; the
    parts of a difference add up to it.
    """

    name: str
    difference: float
    low: float | None
    high: float | None
    p: Mapping[SignificanceTest, float | None]
    holm: Mapping[SignificanceTest, float | None]
    holm_baseline: Mapping[SignificanceTest, float | None] | None


@dataclass(frozen=True, kw_only=True)
class CommonSegments:
    """In how many segments both systems or only one of them have a score, and the difference over the first.

    A system that says nothing where its order was bad has a better mean without a better segment. Section 14.5
    """

    both: int
    one: int
    difference: float | None

    @property
    def is_told(self) -> bool:
        """Whether so many segments have a score of one system only that a reader must know."""
        return self.one > TOLD_FROM * (self.both + self.one)

    def is_cause(self, difference: float) -> bool:
        """Return whether most of a difference of scores comes with the segments that only one side has.

        >>> both = CommonSegments(both=400, one=80, difference=0.01)
        >>> both.is_cause(0.08), both.is_cause(0.02), both.is_cause(-0.02)
        (True, False, True)
        """
        if not self.one or difference == 0.0:
            return False
        if self.difference is None:
            return True
        return self.difference / difference < LEAST_KEPT


@dataclass(frozen=True, kw_only=True)
class Pair:
    """The second system against the first on the same segments.

    `difference` is second - first, with its bootstrap interval. `share` is that of resamples in which the
    second is better. `mark` follows from `holm` of the first test and `mark_baseline` from `holm_baseline`,
    None where that is, or both from the shares in which the second is better and worse; all these and
    `effect` take the better side also for metrics of which less is better. `p` and `holm` map
    tests to p-values, None where the test does not apply or there is one segment only; `holm` corrects for all pairs of the
    metric, `holm_baseline` for those with the baseline, and is None for the others. Shares and bootstrap
    p-values leave out resamples in which a score is undefined. `parts` say what the difference consists of,
    where the metric tells order from the rest. `common` is there where scores may be missing and the systems miss
    different segments; where a significant difference comes with these (`is_withheld`), mark and p-values are None.
    """

    first: str
    second: str
    difference: float | None
    low: float | None
    high: float | None
    share: float | None
    mark: Mark | None
    mark_baseline: Mark | None
    p: Mapping[SignificanceTest, float | None]
    holm: Mapping[SignificanceTest, float | None]
    holm_baseline: Mapping[SignificanceTest, float | None] | None
    exact: bool
    effect: SegmentEffect
    undefined: int = 0
    parts: tuple[PartDifference, ...] = ()
    common: CommonSegments | None = None
    is_withheld: bool = False


@dataclass(frozen=True, kw_only=True)
class MetricComparison:
    """One metric's intervals, in the order of the systems, and its pairs, the baseline's first."""

    name: str
    signature: str
    higher_is_better: bool
    range: tuple[float, float]
    intervals: tuple[Interval, ...]
    pairs: tuple[Pair, ...]
    purpose: str = ""
    """What a reader learns from the metric, in a few words; empty for most."""

    def pair(self, first: str, second: str) -> Pair | None:
        """Return the pair in this order, or None."""
        return next((p for p in self.pairs if (p.first, p.second) == (first, second)), None)


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Systems compared by several metrics; the first of `tests` is the one that summaries show."""

    systems: tuple[str, ...]
    baseline: str
    segments: int
    tests: tuple[SignificanceTest, ...]
    resampling: Resampling
    metrics: tuple[MetricComparison, ...]
    marks: MarkRule
    notes: tuple[str, ...] = ()

    @property
    def decision_note(self) -> str | None:
        """That no pair can be significant with so few resamples, and how many would do; None if they do."""
        test = self.tests[0]
        resampled = any(
            pair.p[test] is not None and not (test is SignificanceTest.PERMUTATION and pair.exact)
            for metric in self.metrics
            for pair in metric.pairs
        )
        many = len(self.systems)
        if not resampled:
            return None
        return decision_note(many * (many - 1) // 2, self.resampling.count, against=many - 1)

    @property
    def common_notes(self) -> list[str]:
        """That systems have scores of different segments, for each metric the pair that it matters to most."""
        return [note for metric in self.metrics for note in _common_notes(metric)]

    @property
    def missing_notes(self) -> list[str]:
        """Why scores or intervals are missing, a note for each system and metric."""
        return [
            missing_note(system, metric.name, interval)
            for metric in self.metrics
            for system, interval in zip(self.systems, metric.intervals, strict=True)
            if interval.reason
        ]

    @property
    def count(self) -> int:
        """The number of segments."""
        return self.segments

    def to_dict(self) -> Document:
        """Return the document of the schema `kilter.compare/1`."""
        return {
            "schema": SCHEMA,
            "version": __version__,
            "segments": self.segments,
            "seed": self.resampling.seed,
            "resamples": self.resampling.count,
            "level": self.resampling.level,
            "tests": [str(test) for test in self.tests],
            "marks": str(self.marks),
            "baseline": self.baseline,
            "metrics": {
                metric.name: {
                    "signature": metric.signature,
                    "higher_is_better": metric.higher_is_better,
                    "range": [bound if isfinite(bound) else None for bound in metric.range],
                }
                for metric in self.metrics
            },
            "systems": [
                {
                    "name": system,
                    "scores": {
                        metric.name: self._score(metric.intervals[place]) for metric in self.metrics
                    },
                }
                for place, system in enumerate(self.systems)
            ],
            "comparisons": [
                {"metric": metric.name, **_pair_json(pair)}
                for metric in self.metrics
                for pair in metric.pairs
            ],
        }

    def _score(self, interval: Interval) -> Document:
        return {
            "score": interval.score,
            "low": interval.low,
            "high": interval.high,
            "segments": self.segments,
            **({"reason": interval.reason} if interval.reason else {}),
            "undefined_resamples": interval.undefined,
        }


class Reasoned(Protocol):
    """A score, or None, and why it or its interval is missing."""

    @property
    def score(self) -> float | None:
        """The score."""

    @property
    def reason(self) -> str:
        """Why something is missing."""


def missing_note(system: str, metric: str, scored: Reasoned) -> str:
    """Return what of a system's score is missing, and why."""
    what = "is missing" if scored.score is None else "has no interval"
    return f"{system}: {metric} {what}: {scored.reason}"


def _common_notes(metric: MetricComparison) -> Iterator[str]:
    told = [
        (pair, pair.common)
        for pair in metric.pairs
        if pair.common is not None and (pair.is_withheld or pair.common.is_told)
    ]
    if not told:
        return
    pair, common = max(told, key=lambda each: (each[0].is_withheld, each[1].one))
    rest = f" (and {counted(len(told) - 1, 'more pair')})" if len(told) > 1 else ""
    verdict = "; no mark, no p-value" if pair.is_withheld else ""
    known = common.difference is not None and pair.difference is not None
    difference = "none"
    if known:
        difference = f"{common.difference:+.4f}, not {pair.difference:+.4f}"
    yield (
        f"{metric.name} of {pair.second} against {pair.first}{rest}: only one of the two has a score in "
        f"{common.one} of {counted(common.both + common.one, 'segment')}; over the {common.both} of both the "
        f"difference is {difference}{verdict}"
    )


def _pair_json(pair: Pair) -> Document:
    return {
        "first": pair.first,
        "second": pair.second,
        "difference": pair.difference,
        "low": pair.low,
        "high": pair.high,
        "share": pair.share,
        "mark": None if pair.mark is None else str(pair.mark),
        "mark_baseline": None if pair.mark_baseline is None else str(pair.mark_baseline),
        "p": _plain(pair.p),
        "holm": _plain(pair.holm),
        "holm_baseline": None if pair.holm_baseline is None else _plain(pair.holm_baseline),
        "exact_permutation": pair.exact,
        "effect": {
            "standardised": pair.effect.standardised,
            "better": pair.effect.better,
            "equal": pair.effect.equal,
            "worse": pair.effect.worse,
        },
        "undefined_resamples": pair.undefined,
        **({"common": _common_json(pair.common, pair)} if pair.common is not None else {}),
        **({"parts": {part.name: _part_json(part) for part in pair.parts}} if pair.parts else {}),
    }


def _common_json(common: CommonSegments, pair: Pair) -> Document:
    return {
        "both": common.both,
        "one": common.one,
        "difference": common.difference,
        "withheld": pair.is_withheld,
    }


def _part_json(part: PartDifference) -> Document:
    return {
        "difference": part.difference,
        "low": part.low,
        "high": part.high,
        "p": _plain(part.p),
        "holm": _plain(part.holm),
        "holm_baseline": None if part.holm_baseline is None else _plain(part.holm_baseline),
    }


def _plain(values: Mapping[SignificanceTest, float | None]) -> dict[str, float | None]:
    return {str(test): value for test, value in values.items()}

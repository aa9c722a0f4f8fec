"""What comparing systems found: intervals, paired tests, effect sizes; sections 14.4 and 14.5."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import isfinite
from typing import TYPE_CHECKING

from kilter import __version__
from kilter.core.table import Note
from kilter.stats.significance import Mark, MarkRule, decision_note

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kilter.core.estimate import Estimate
    from kilter.results.document import Document
    from kilter.stats.resampling import Resampling
    from kilter.stats.significance import SegmentEffect

SCHEMA = "kilter.compare/1"


class SignificanceTest(StrEnum):
    """Paired tests of the hypothesis that two systems are equally good."""

    BOOTSTRAP = "bootstrap"
    RANDOMISATION = "randomisation"
    PERMUTATION = "permutation"


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
class Pair:
    """The second system against the first on the same segments.

    `difference` is second - first, with its bootstrap interval. `share` is that of resamples in which the
    second is better. `mark` follows from `holm` of the first test and `mark_baseline` from `holm_baseline`,
    None where that is, or both from the shares in which the second is better and worse; all these and
    `effect` take the better side also for metrics of which less is better. `p` and `holm` map
    tests to p-values, None where the test does not apply or there is one segment only; `holm` corrects for all pairs of the
    metric, `holm_baseline` for those with the baseline, and is None for the others. Shares and bootstrap
    p-values leave out resamples in which a score is undefined. `parts` say what the difference consists of,
    where the metric tells order from the rest.
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


@dataclass(frozen=True, kw_only=True)
class MetricComparison:
    """One metric's intervals, in the order of the systems, and its pairs, the baseline's first."""

    name: str
    signature: str
    higher_is_better: bool
    range: tuple[float, float]
    intervals: tuple[Estimate, ...]
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
        comparisons = len(self.systems) * (len(self.systems) - 1) // 2
        return decision_note(comparisons, self.resampling.count) if resampled else None

    @property
    def missing_notes(self) -> list[str]:
        """Why scores are missing, a note for each system and metric."""
        return [
            f"{system}: {metric.name} is missing: {interval.reason}"
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

    def _score(self, interval: Estimate) -> Document:
        return {
            "score": interval.value,
            "low": interval.low,
            "high": interval.high,
            "segments": self.segments,
            **({"reason": interval.reason} if interval.reason else {}),
            "undefined_resamples": interval.undefined,
        }


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
        **({"parts": {part.name: _part_json(part) for part in pair.parts}} if pair.parts else {}),
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


TEST_NAMES = {
    SignificanceTest.BOOTSTRAP: "paired bootstrap",
    SignificanceTest.RANDOMISATION: "approximate randomisation",
    SignificanceTest.PERMUTATION: "sign-flip permutation",
}


def mark_note(comparison: Comparison, *, better: str = "system (row)") -> Note:
    """Return what marks stand for, of the system that is called `better`; the same in all commands."""
    return Note(
        f"Marks: the {better} is better {Mark.SURELY_BETTER} / {Mark.BETTER} or worse "
        f"{Mark.SURELY_WORSE} / {Mark.WORSE} {_marked(comparison)}; {Mark.OPEN}: neither"
        f"{_undecided(comparison)}."
    )


def _undecided(comparison: Comparison) -> str:
    """Return what a question mark stands for, with a semicolon before it, if there is one."""
    pairs = [pair for metric in comparison.metrics for pair in metric.pairs]
    if all(Mark.UNDECIDED not in (pair.mark, pair.mark_baseline) for pair in pairs):
        return ""
    return f"; {Mark.UNDECIDED}: too few resamples to decide"


def _marked(comparison: Comparison) -> str:
    """Return what the strong and the weak marks stand for."""
    if comparison.marks is MarkRule.SHARE:
        return "in at least 95% / 90% of paired bootstrap resamples"
    corrected = "corrected p" if len(comparison.systems) > 2 else "p"
    return f"with {corrected} < .01 / < .05 of the {TEST_NAMES[comparison.tests[0]]} test"

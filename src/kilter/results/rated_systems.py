"""Systems that people rated side by side: means, pairs, agreement of raters, scores against ratings. [FRS]"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, NamedTuple

from kilter import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kilter.results.comparison import Comparison
    from kilter.results.document import Document
    from kilter.results.meta_result import Agreement, AgreementMeasure, MetricPair

SCHEMA = "kilter.ratings/1"


class Estimate(NamedTuple):
    """A number with its interval; where it is None, `reason` says why, and a single segment has no bounds."""

    value: float | None
    low: float | None = None
    high: float | None = None
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class RatedSystem:
    """A system, how many of its translations were rated, and how often. Its mean rating is in the comparison."""

    name: str
    translations: int
    ratings: int
    scores: Mapping[str, float | None]
    """What metrics say of it; those of which less is better are turned round."""


@dataclass(frozen=True, kw_only=True)
class RaterAgreement:
    """How far raters agree on translations that two or more of them rated.

    `alpha` is Krippendorff's for the differences between ratings, which is what means rest on; `ordinal`
    the same for their order alone. The others are over all pairs of ratings of one translation: the same
    rating, at most one point apart, and the mean distance.
    """

    translations: int
    pairs: int
    alpha: Estimate
    ordinal: Estimate
    exact: Estimate
    near: Estimate
    distance: Estimate


@dataclass(frozen=True, kw_only=True)
class RaterSummary:
    """One rater: how many translations and segments, the mean, and r with the mean of the other raters."""

    name: str
    ratings: int
    segments: int
    share: float
    """Of the segments that were rated at all."""
    mean: float | None
    correlation: Estimate


@dataclass(frozen=True, kw_only=True)
class RatedMetric:
    """A metric, and how it correlates with ratings: by measure, all pairs of sentence and system, or systems."""

    name: str
    signature: str
    correlations: Mapping[AgreementMeasure, Agreement]
    reasons: Mapping[AgreementMeasure, str]
    """Why a correlation is undefined."""


@dataclass(frozen=True, kw_only=True)
class MetricDifference:
    """Two metrics by their correlation with ratings, on the same resamples; `holm` corrects for all pairs."""

    measure: AgreementMeasure
    pair: MetricPair
    holm: float | None


@dataclass(frozen=True, kw_only=True)
class RatedSystems:
    """What ratings say of systems and of metrics."""

    source: str
    comparison: Comparison
    """Mean ratings with intervals, and every pair of systems. [FRS] tables 1 and 3"""
    systems: Sequence[RatedSystem]
    raters: Sequence[RaterSummary]
    agreement: RaterAgreement
    metrics: Sequence[RatedMetric]
    """[FRS] tables 6 and 7"""
    differences: Sequence[MetricDifference]
    notes: tuple[str, ...] = ()

    def to_dict(self) -> Document:
        """Return the JSON document `kilter.ratings/1`."""
        compared = self.comparison.to_dict()
        (rated,) = self.comparison.metrics
        return {
            "schema": SCHEMA,
            "version": __version__,
            "ratings": self.source,
            **{key: compared[key] for key in ("segments", "seed", "resamples", "level", "tests")},
            "systems": [
                {
                    "name": system.name,
                    "rating": interval.score,
                    "low": interval.low,
                    "high": interval.high,
                    "translations": system.translations,
                    "ratings": system.ratings,
                    "scores": dict(system.scores),
                }
                for system, interval in zip(self.systems, rated.intervals, strict=True)
            ],
            "pairs": [
                {key: value for key, value in pair.items() if key not in _LEFT_OUT}
                for pair in compared["comparisons"]
            ],
            "agreement": {
                key: value._asdict() if isinstance(value, Estimate) else value
                for key, value in vars(self.agreement).items()
            },
            "raters": [
                {**asdict(rater), "correlation": rater.correlation._asdict()}
                for rater in self.raters
            ],
            "metrics": [
                {
                    "name": metric.name,
                    "signature": metric.signature,
                    "correlations": {
                        str(measure): {
                            **found.to_dict(),
                            "reason": metric.reasons.get(measure, ""),
                        }
                        for measure, found in metric.correlations.items()
                    },
                }
                for metric in self.metrics
            ],
            "differences": [
                {"measure": str(each.measure), **each.pair.to_dict(), "holm": each.holm}
                for each in self.differences
            ],
            "notes": list(self.notes),
        }


_LEFT_OUT = frozenset({"metric", "mark_baseline", "holm_baseline", "undefined_resamples"})
"""What a pair of systems has of baselines and metrics, of which there are none here."""

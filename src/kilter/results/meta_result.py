"""Agreement of metrics with people: what `kilter meta` found."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from kilter import __version__
from kilter.core.counted import counted
from kilter.core.errors import OptionError
from kilter.core.estimate import Estimate
from kilter.core.settings import Choice

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from kilter.results.comparison import Comparison
    from kilter.results.document import Document


class Resample(Choice):
    """What is drawn with replacement: segments on both sides, human tasks, or systems."""

    SEGMENTS = "segments"
    JUDGMENTS = "judgments"
    SYSTEMS = "systems"


class AgreementMeasure(Choice):
    """A measure of agreement."""

    SEGMENT_TAU = "segment_tau"
    CONSISTENCY = "consistency"
    ACCURACY = "accuracy"
    PEARSON = "pearson"
    PEARSON_ITEM = "pearson_item"
    PEARSON_SYSTEM = "pearson_system"
    SPEARMAN = "spearman"
    SPEARMAN_ITEM = "spearman_item"
    SPEARMAN_SYSTEM = "spearman_system"
    SYSTEM_SPEARMAN = "system_spearman"
    SYSTEM_PEARSON = "system_pearson"
    SOFT_ACCURACY = "soft_accuracy"


DEFAULT_MEASURES = (
    AgreementMeasure.SEGMENT_TAU,
    AgreementMeasure.CONSISTENCY,
    AgreementMeasure.SYSTEM_SPEARMAN,
    AgreementMeasure.SYSTEM_PEARSON,
)
RATING_MEASURES = (
    AgreementMeasure.PEARSON,
    AgreementMeasure.SPEARMAN,
    AgreementMeasure.SYSTEM_PEARSON,
    AgreementMeasure.SYSTEM_SPEARMAN,
)
"""Correlations with ratings by sentence, all systems pooled, and by system. [FRS] tables 6 and 7"""
PAIRWISE = frozenset(
    {AgreementMeasure.SEGMENT_TAU, AgreementMeasure.CONSISTENCY, AgreementMeasure.ACCURACY}
)
"""Measures on judged pairs."""
SYSTEM_LEVEL = frozenset({AgreementMeasure.SYSTEM_SPEARMAN, AgreementMeasure.SYSTEM_PEARSON})
"""Correlations of system scores."""
SEGMENT_LEVEL = frozenset(
    set(AgreementMeasure) - PAIRWISE - SYSTEM_LEVEL - {AgreementMeasure.SOFT_ACCURACY}
)
"""Correlations of segment scores."""


def drawn_of(measure: AgreementMeasure, resample: Resample) -> Resample:
    """Return what the interval of a measure draws: correlations of segment scores know segments only.

    >>> drawn_of(AgreementMeasure.PEARSON, Resample.SYSTEMS)
    <Resample.SEGMENTS: 'segments'>
    """
    return Resample.SEGMENTS if measure in SEGMENT_LEVEL else resample


def drawn_of_difference(measure: AgreementMeasure, resample: Resample) -> Resample:
    """Return what the interval of a difference between metrics draws: on pairs, always segments."""
    return Resample.SEGMENTS if measure in PAIRWISE else drawn_of(measure, resample)


@dataclass(frozen=True, kw_only=True)
class ComparedMetric:
    """A metric that was compared with people."""

    name: str
    signature: str
    control: str | None = None
    """The metric that is the same formula with its order part set to 1, by name."""


@dataclass(frozen=True, slots=True)
class Agreement(Estimate):
    """One metric's agreement by one measure. `counts` say what it rests on."""

    counts: Mapping[str, float] = field(default_factory=dict)

    def to_dict(self) -> Document:
        """Return the part of the JSON document that is about this metric and measure."""
        estimate = Estimate.to_dict(self)
        return {**estimate, **self.counts, "undefined_resamples": self.undefined}


@dataclass(frozen=True, kw_only=True)
class PublishedValue:
    """One printed number and where it stands."""

    value: float
    publication: str


class PairAverage(NamedTuple):
    """A metric's mean rank over language pairs, 1 for the best, and its mean score."""

    rank: float
    score: float


@dataclass(frozen=True, kw_only=True)
class PairResult:
    """Agreement on one language pair: by measure, metric after metric; comparisons by measure."""

    name: str
    metrics: tuple[ComparedMetric, ...]
    systems: tuple[str, ...]
    segments: int
    counts: Mapping[str, int]
    agreements: Mapping[AgreementMeasure, Sequence[Agreement]]
    comparisons: Mapping[AgreementMeasure, Sequence[MetricPair]]
    published: Mapping[str, Mapping[str, PublishedValue]] = field(default_factory=dict)
    """Printed values by measure and metric."""
    resample: Resample = Resample.SEGMENTS
    ratings: Comparison | None = None
    """Means, intervals and paired tests of human ratings, where these are the judgments."""
    notes: tuple[str, ...] = ()

    def agreement(self, measure: AgreementMeasure, metric: str) -> Agreement:
        """Return one metric's agreement by one measure; what was not asked for is an `OptionError`."""
        names = [each.name for each in self.metrics]
        if measure not in self.agreements:
            raise OptionError(
                f"{measure} was not measured; there are: {', '.join(map(str, self.agreements))}"
            )
        if metric not in names:
            raise OptionError(f"there is no metric {metric!r}; there are: {', '.join(names)}")
        return self.agreements[measure][names.index(metric)]

    def value(self, measure: AgreementMeasure, metric: str) -> float | None:
        """Return the value of it."""
        return self.agreement(measure, metric).value

    def printed(self, measure: AgreementMeasure, metric: str) -> PublishedValue | None:
        """Return what a publication prints in its place, if anything."""
        return self.published.get(measure, {}).get(metric)

    def comparison(self, measure: AgreementMeasure, first: str, second: str) -> MetricPair | None:
        """Return two metrics in this order, whichever came first when they were compared."""
        for pair in self.comparisons.get(measure, ()):
            if (pair.first, pair.second) == (first, second):
                return pair
            if (pair.first, pair.second) == (second, first):
                return pair.reversed()
        return None

    def to_dict(self) -> Document:
        """Return the part of the JSON document that is about this language pair."""
        return {
            "systems": len(self.systems),
            "segments": self.segments,
            "judgments": dict(self.counts),
            "metrics": {metric.name: self._metric(metric) for metric in self.metrics},
            "comparisons": [
                {
                    "measure": str(measure),
                    "resample": str(drawn_of_difference(measure, self.resample)),
                    **pair.to_dict(),
                }
                for measure, pairs in self.comparisons.items()
                for pair in pairs
            ],
            **({} if self.ratings is None else {"ratings": self.ratings.to_dict()}),
        }

    def _metric(self, metric: ComparedMetric) -> Document:
        found: dict[str, object] = {"signature": metric.signature, "control": metric.control}
        for measure in self.agreements:
            entry = self.agreement(measure, metric.name).to_dict()
            printed = self.printed(measure, metric.name)
            if printed is not None:
                entry |= {"published": printed.value, "publication": printed.publication}
            found[str(measure)] = entry
        return found


@dataclass(frozen=True, kw_only=True)
class MetaResult:
    """Agreement on one language pair or several, with the tables over them."""

    measures: tuple[AgreementMeasure, ...]
    resample: Resample
    resamples: int
    seed: int
    tie_rule: str
    test: str
    pairs: tuple[PairResult, ...]
    averages: Mapping[AgreementMeasure, Mapping[str, PairAverage]] = field(default_factory=dict)
    """Mean rank and score over language pairs of metrics defined on all, by measure. Section 14.6"""
    new_baseline_draw: Mapping[AgreementMeasure, Mapping[str, Mapping[str, NewBaselineDraw]]] = (
        field(default_factory=dict)
    )
    """By measure and new metric, N/B/D against each baseline. Section 14.5"""
    baselines: tuple[str, ...] = ()
    """The metrics that tables set the others against."""
    notes: tuple[str, ...] = ()
    """What a reader should know: undefined values, judgments left out, a doubtful test."""

    @property
    def names(self) -> list[str]:
        """The metrics that every language pair has, in order."""
        return shared_metrics(self.pairs)

    def table(self, measure: AgreementMeasure) -> dict[str, list[float]]:
        """Return the values of competing metrics that have one on every language pair."""
        return pair_table(self.pairs, measure)

    def to_dict(self) -> Document:
        """Return the JSON document `kilter.meta/1`."""
        head = {
            "schema": "kilter.meta/1",
            "version": __version__,
            "resample": str(self.resample),
            "resamples": self.resamples,
            "seed": self.seed,
            "tie_rule": str(self.tie_rule),
            "test": str(self.test),
        }
        if len(self.pairs) == 1:
            return {**head, **self.pairs[0].to_dict(), "notes": list(self.notes)}
        return {
            **head,
            "pairs": {pair.name: pair.to_dict() for pair in self.pairs},
            "averages": {
                str(measure): {name: mean._asdict() for name, mean in means.items()}
                for measure, means in self.averages.items()
            },
            "new_baseline_draw": {
                str(measure): {
                    new: {baseline: str(cell) for baseline, cell in row.items()}
                    for new, row in table.items()
                }
                for measure, table in self.new_baseline_draw.items()
            },
            "notes": list(self.notes),
        }


def shared_metrics(pairs: Sequence[PairResult]) -> list[str]:
    """Return the metrics that every language pair has, in order."""
    common = [{metric.name for metric in pair.metrics} for pair in pairs]
    return [m.name for m in pairs[0].metrics if all(m.name in names for names in common)]


def ranked_metrics(pairs: Sequence[PairResult]) -> list[str]:
    """Return the metrics that compete: controls stand beside them, and take no rank from them."""
    controls = {metric.control for pair in pairs for metric in pair.metrics}
    return [name for name in shared_metrics(pairs) if name not in controls]


def pair_table(pairs: Sequence[PairResult], measure: AgreementMeasure) -> dict[str, list[float]]:
    """Return the values of competing metrics that have one on every language pair."""
    rows = {name: [pair.value(measure, name) for pair in pairs] for name in ranked_metrics(pairs)}
    return {
        name: [value for value in row if value is not None]
        for name, row in rows.items()
        if None not in row
    }


class Verdict(Choice):
    """Which of two metrics agrees better with people on a language pair, if that is certain."""

    NEW = "new"
    BASELINE = "baseline"
    DRAW = "draw"


class NewBaselineDraw(NamedTuple):
    """On how many language pairs the new metric is better, the baseline is, or neither. [PC] table 3"""

    new: int
    baseline: int
    draw: int

    @property
    def wins(self) -> bool:
        """Whether the new metric is better more often than the baseline."""
        return self.new > self.baseline

    def __str__(self) -> str:
        return f"{self.new}/{self.baseline}/{self.draw}"


@dataclass(frozen=True, kw_only=True)
class MetricPair:
    """Two metrics by one measure; the difference is second less first, None where undefined.

    Agreement on pairs of translations is compared on those that neither metric ties: `first_value` and
    `second_value` are their agreement there, `shared` says how many there are.
    """

    first: str
    second: str
    first_value: float | None
    second_value: float | None
    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    significant: bool
    shared: int | None

    @property
    def verdict(self) -> Verdict:
        """Which of the two agrees better, if that is certain; the second is the new metric."""
        if not self.significant or self.difference is None:
            return Verdict.DRAW
        return Verdict.NEW if self.difference > 0 else Verdict.BASELINE

    def reversed(self) -> MetricPair:
        """Return the same two metrics the other way round."""
        return replace(
            self,
            first=self.second,
            second=self.first,
            first_value=self.second_value,
            second_value=self.first_value,
            difference=None if self.difference is None else -self.difference,
            low=None if self.high is None else -self.high,
            high=None if self.low is None else -self.low,
        )

    def to_dict(self) -> Document:
        """Return the part of the JSON document that is about these two metrics."""
        return {
            "first": self.first,
            "second": self.second,
            "first_value": self.first_value,
            "second_value": self.second_value,
            "difference": self.difference,
            "low": self.low,
            "high": self.high,
            "p": self.p,
            "significant": self.significant,
            "shared": self.shared,
        }


_NOUNS = ("pairs", "scores", "ties")
_COUNTS = (*_NOUNS, "missing", "repeated", "identical", "unscored")


def judgment_counts(counts: Mapping[str, int]) -> Iterator[str]:
    """Yield how many judgments of each kind there are, without kinds that do not occur."""
    for key in _COUNTS:
        if counts.get(key):
            noun = key.removesuffix("s") if key in _NOUNS else ""
            yield counted(counts[key], noun) if noun else f"{counts[key]} {key}"


def decimals(measure: str) -> int:
    """Return with how many decimals a measure is written: percentages have fewer than shares."""
    return 2 if measure == AgreementMeasure.CONSISTENCY else 4

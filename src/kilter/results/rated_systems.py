"""Systems that people rated side by side: means, pairs, agreement of raters, scores against ratings. [FRS]"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from kilter import __version__
from kilter.core.counted import counted
from kilter.core.estimate import MISSING, Estimate
from kilter.core.table import NAME, Column, Note, P, Table
from kilter.results.comparison import mark_note
from kilter.results.document import Document, Result, fields_document
from kilter.results.meta_result import RATING_MEASURES, SYSTEM_LEVEL
from kilter.results.verdict import leader

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from kilter.results.comparison import Comparison, Pair
    from kilter.results.meta_result import Agreement, AgreementMeasure, MetricPair

_COLUMNS = (
    "table", "name", "against", "measure", "value", "low", "high", "p", "adjusted", "count", "reason",
)  # fmt: skip
_MEASURES = dict(
    zip(
        RATING_MEASURES,
        ("sentence pearson", "sentence spearman", "system pearson", "system spearman"),
        strict=True,
    )
)
_AGREEMENT = {
    "alpha": "Krippendorff's alpha",
    "ordinal": "alpha, ordinal",
    "exact": "same rating",
    "near": "at most one apart",
    "distance": "mean distance",
}
_TESTED = (Column("p", P), Column("adjusted", P))


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
class RatedSystems(Result):
    """What ratings say of systems and of metrics."""

    schema: ClassVar[str] = "kilter.ratings/1"
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
            "schema": self.schema,
            "version": __version__,
            "ratings": self.source,
            **{key: compared[key] for key in ("segments", "seed", "resamples", "level", "tests")},
            "systems": [
                {
                    "name": system.name,
                    "rating": interval.value,
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
                key: _reasoned(value) if isinstance(value, Estimate) else value
                for key, value in vars(self.agreement).items()
            },
            "raters": [
                {**fields_document(rater), "correlation": _reasoned(rater.correlation)}
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

    def data(self) -> Table:
        """Return a row for every number: of systems, pairs, agreement, raters, correlations, differences."""
        rows = [{**dict.fromkeys(_COLUMNS), **row} for row in self._rows()]
        return Table.of(_COLUMNS, rows)

    def _rows(self) -> Iterator[Document]:
        (rated,) = self.comparison.metrics
        for system, interval in zip(self.systems, rated.intervals, strict=True):
            named = {"table": "system", "name": system.name}
            mean = interval.to_dict()
            yield {**named, "measure": "rating", **mean, "count": system.translations}
            for measured, score in system.scores.items():
                yield {**named, "measure": measured, "value": score}
        for pair in rated.pairs:
            yield {
                "table": "pair", "name": pair.second, "against": pair.first, "measure": "rating",
                "value": pair.difference, "low": pair.low, "high": pair.high, **self._tested(pair),
            }  # fmt: skip
        for name in _AGREEMENT:
            row = _reasoned(getattr(self.agreement, name), empty=None)
            yield {"table": "agreement", "measure": name, **row, "count": self.agreement.pairs}
        for rater in self.raters:
            person = {"table": "rater", "name": rater.name, "count": rater.ratings}
            yield {**person, "measure": "mean", "value": rater.mean}
            found = rater.correlation
            reason = found.reason or None
            yield {**person, "measure": "correlation", "value": found.value, "reason": reason}
        for metric in self.metrics:
            for measure in RATING_MEASURES:
                yield {
                    "table": "correlation",
                    "name": metric.name,
                    "measure": str(measure),
                    **_agreement_row(metric.correlations.get(measure)),
                    "reason": metric.reasons.get(measure),
                }
        for each in self.differences:
            difference = each.pair
            yield {
                "table": "difference", "name": difference.second, "against": difference.first,
                "measure": str(each.measure), "value": difference.difference, "low": difference.low,
                "high": difference.high, "p": difference.p, "adjusted": each.holm,
            }  # fmt: skip

    def _tested(self, pair: Pair) -> dict[str, float | None]:
        test = self.comparison.tests[0]
        return {"p": pair.p[test], "adjusted": pair.holm[test]}

    def tables(self) -> list[Table]:
        """Return which system is rated best, mean ratings, pairs, agreement of raters, and scores against ratings."""
        (rated,) = self.comparison.metrics
        best = [Table(notes=[leader(self.comparison, rated)])] if len(self.systems) > 1 else []
        found = [*best, self._system_table(), self._pair_table(), self._agreement_table()]
        if self.metrics:
            rows = [[m.name, *map(m.correlations.get, _MEASURES)] for m in self.metrics]
            columns = [
                Column("metric", NAME),
                *(Column(title, ".4f[]") for title in _MEASURES.values()),
            ]
            found.append(Table("correlation of scores with ratings", columns, rows))
        if self.differences:
            found.append(self._difference_table())
        if self.raters:
            columns = [
                Column("name", NAME, "rater"), Column("ratings"), Column("segments"), Column("share", ".1%"),
                Column("mean"), Column("correlation", "", "r with others"),
            ]  # fmt: skip
            found.append(Table.of(columns, self.raters, title="raters"))
        return [*found[:-1], found[-1].noted(*self._notes())]

    def _system_table(self) -> Table:
        (rated,) = self.comparison.metrics
        names = [metric.name for metric in self.metrics]
        rows = [
            [each.name, interval, each.translations, each.ratings, *(each.scores[name] for name in names)]
            for each, interval in zip(self.systems, rated.intervals, strict=True)
        ]  # fmt: skip
        columns = [Column("system", NAME), Column("rating", ".4f[]")]
        counts = ("translations", "ratings")
        return Table("mean ratings", [*columns, *map(Column, (*counts, *names))], rows)

    def _pair_table(self) -> Table:
        (rated,) = self.comparison.metrics
        rows = [
            [
                pair.first,
                pair.second,
                pair.estimate,
                *self._tested(pair).values(),
                str(pair.mark or MISSING),
            ]
            for pair in rated.pairs
        ]
        names = [Column("first", NAME), Column("second", NAME)]
        columns = [*names, Column("difference", "+.4f[]"), *_TESTED, Column("mark")]
        return Table("pairs of systems: the second against the first", columns, rows, left=2)

    def _agreement_table(self) -> Table:
        rows = [[text, getattr(self.agreement, name)] for name, text in _AGREEMENT.items()]
        return Table("agreement between raters", ["measure", Column("value", ".4f[]")], rows)

    def _difference_table(self) -> Table:
        """Return the differences; few systems tell few metrics apart, so that only programs get those."""
        rows = [
            [
                each.pair.first,
                each.pair.second,
                _MEASURES[each.measure],
                each.pair,
                each.pair.p,
                each.holm,
            ]
            for each in self.differences
            if each.measure not in SYSTEM_LEVEL
        ]
        title = "differences between correlations: the second metric less the first"
        names = (Column("first"), Column("second"), Column("correlation"))
        columns = [*names, Column("difference", "+.4f[]"), *_TESTED]
        return Table(title, columns, rows, left=3)

    def _notes(self) -> Iterator[Note]:
        compared, agreement = self.comparison, self.agreement
        drawn = compared.resampling
        people = counted(len(self.raters), "rater") if self.raters else "no rater is named"
        yield Note(
            f"{counted(compared.segments, 'rated segment')}, {people}; "
            f"{drawn.level:.0%} intervals from {counted(drawn.count, 'resample')} of segments, seed {drawn.seed}"
        )
        yield Note(
            f"pairs: {compared.tests[0]} test on resampled segments; adjusted: corrected for all pairs (Holm)"
        )
        yield mark_note(compared, better="second system")
        if agreement.pairs:
            yield Note(
                f"agreement: {counted(agreement.pairs, 'pair')} of ratings of "
                f"{counted(agreement.translations, 'translation')}"
            )
        reasons = [(text, getattr(agreement, name).reason) for name, text in _AGREEMENT.items()]
        yield from _undefined(reasons)
        yield from _undefined(
            (_MEASURES[measure], reason)
            for metric in self.metrics
            for measure, reason in metric.reasons.items()
        )
        yield from map(Note, self.notes)
        for metric in self.metrics:
            yield Note("", metric.signature)


def _undefined(reasons: Iterable[tuple[str, str]]) -> Iterator[Note]:
    """Yield each reason with everything that is undefined for it."""
    names: dict[str, list[str]] = {}
    for name, reason in reasons:
        if reason:
            names.setdefault(reason, []).append(name)
    for reason, listed in names.items():
        yield Note(f"{', '.join(dict.fromkeys(listed))}: undefined, {reason}")


def _reasoned(found: Estimate, empty: str | None = "") -> Document:
    return {**found.to_dict(), "reason": found.reason or empty}


def _agreement_row(found: Agreement | None) -> Document:
    if found is None:
        return {}
    return {
        **Estimate.to_dict(found),
        "p": found.counts.get("p"),
        "count": found.counts.get("scores", found.counts.get("systems")),
    }


_LEFT_OUT = frozenset({"metric", "mark_baseline", "holm_baseline", "undefined_resamples"})
"""What a pair of systems has of baselines and metrics, of which there are none here."""

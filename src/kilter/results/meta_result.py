"""Agreement of metrics with people: what `kilter meta` found."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, NamedTuple, TypeAlias

from kilter import __version__
from kilter.core.counted import counted
from kilter.core.errors import OptionError
from kilter.core.estimate import Estimate, p_text
from kilter.core.settings import Choice
from kilter.core.table import Column, Note, P, Table, matrix
from kilter.results.document import Document, Result
from kilter.results.score_result import short_signature

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from kilter.results.comparison import Comparison


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


DEFAULT_MEASURES: tuple[AgreementMeasure, ...] = (
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
class MetaResult(Result):
    """Agreement on one language pair or several, with the tables over them."""

    schema: ClassVar[str] = "kilter.meta/1"
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
            "schema": self.schema,
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

    def data(self) -> Table:
        """Return one row a value: by language pair, metric and measure."""
        names = ("pair", "metric", "control", "measure", "value", "low", "high", "unscored", "published", "signature")  # fmt: skip
        return Table("", names, self._rows())

    def _rows(self) -> Iterator[list[object]]:
        for pair in self.pairs:
            name = pair.name if len(self.pairs) > 1 else ""
            for metric in pair.metrics:
                for measure in self.measures:
                    agreement = pair.agreement(measure, metric.name)
                    printed = pair.printed(measure, metric.name)
                    yield [
                        name, metric.name, metric.control, str(measure), *agreement.triple,
                        agreement.counts.get("unscored"), printed and printed.value, metric.signature,
                    ]  # fmt: skip

    def tables(self) -> list[Table]:
        """Return which metric agrees best, and one language pair, or several laid out as the papers print them."""
        answers = [_answer(pair, self.measures[0]) for pair in self.pairs]
        notes = [
            f"{pair.name}: {answer}" if len(self.pairs) > 1 else answer
            for pair, answer in zip(self.pairs, answers, strict=True)
            if answer
        ]
        signatures = [metric.signature for pair in self.pairs for metric in pair.metrics]
        method = Note(" (--details: full signatures)", short_signature(signatures))
        return [*([Table(notes=notes)] if notes else []), *self._tables([method])]

    def detailed_tables(self) -> list[Table]:
        """Return the same with the signature of each metric."""
        signatures = dict.fromkeys(m.signature for pair in self.pairs for m in pair.metrics)
        return self._tables([Note("", signature) for signature in signatures])

    def _tables(self, method: Sequence[Note]) -> list[Table]:
        found: list[Table] = []
        marks: dict[str, Note] = {}
        for pair in self.pairs:
            if pair.ratings is not None:
                found += pair.ratings.mean_tables(f"{pair.name}: " if len(self.pairs) > 1 else "")
                marks |= {note.text: note for note in pair.ratings.mean_notes()}
        several = len(self.pairs) > 1
        tables, notes = self._several(marks) if several else self._one(self.pairs[0], marks)
        *others, last = [*found, *tables]
        return [*others, last.noted(*notes, *method)]

    def _one(self, pair: PairResult, marks: Mapping[str, Note]) -> tuple[list[Table], list[Note]]:
        lines = list(_lines(pair.metrics))
        columns = [
            c
            for measure in self.measures
            for c in _value_columns(str(measure), pair, measure, lines)
        ]
        found = [_table("metric", [line.label for line in lines], columns)]
        found += _beyond_controls(pair, self.measures[0], "metric")
        tests, note = self._tests(pair)
        summary = Note(_summary(pair, self))
        beyond = self._control_notes(shown=len(found) > 1)
        return [*found, *tests], [summary, *marks.values(), *beyond, *note, *_unscored(pair)]

    def _control_notes(self, *, shown: bool) -> list[Note]:
        """Return how metrics were tested against their controls, and on which pairs, if tables show it."""
        if not shown:
            return []
        measure = self.measures[0]
        shared = ", and not those of the values above" if measure in PAIRWISE else ""
        return [Note(f"Against a control: {_tested(self, [measure])}{shared}.")]

    def _several(self, marks: Mapping[str, Note]) -> tuple[list[Table], list[Note]]:
        """Return one table a measure: metrics x language pairs, with average rank and score. [PEF] table 3"""
        shared = [metric for metric in self.pairs[0].metrics if metric.name in self.names]
        lines = list(_lines(shared))
        found = []
        for measure in self.measures:
            means = [self.averages.get(measure, {}).get(line.metric) for line in lines]
            columns = [
                c for pair in self.pairs for c in _value_columns(pair.name, pair, measure, lines)
            ]
            columns += [
                (Column("average rank", ".2f"), [mean and mean.rank for mean in means]),
                (_column("average", measure), [mean and mean.score for mean in means]),
            ]
            found.append(_table(str(measure), [line.label for line in lines], columns))
            found += _verdict_tables(self.new_baseline_draw.get(measure), measure)
        beyond = [
            table
            for pair in self.pairs
            for table in _beyond_controls(pair, self.measures[0], pair.name)
        ]
        found += beyond
        notes = [
            *(Note(f"{pair.name}: {_summary(pair, self)}") for pair in self.pairs),
            *marks.values(),
            *self._control_notes(shown=bool(beyond)),
            *(note for pair in self.pairs for note in _unscored(pair, f"{pair.name}: ")),
        ]
        return found, notes

    def _tests(self, pair: PairResult) -> tuple[list[Table], list[Note]]:
        """Return metrics against metrics, controls apart, and what a reader of them needs to know.

        Against each baseline by every measure, if there are baselines; else every two by the first measure.
        """
        names = ranked_metrics([pair])
        if self.baselines:
            found = []
            for measure in self.measures:
                if measure in pair.comparisons:
                    found += _against(pair, measure, self.baselines)
            return found, [Note(f"Against a baseline: {_tested(self, self.measures)}.")]
        measure = self.measures[0]
        if len(names) < _FEWEST_TESTED or measure not in pair.comparisons:
            return [], []
        cells = [[_test_cell(pair, measure, column, row) for column in names] for row in names]
        said = f"Row minus column: difference and p, * significant; {_tested(self, [measure])}."
        return [matrix(f"{measure}: row minus column", names, cells)], [Note(said)]


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


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricPair(Estimate):
    """Two metrics by one measure; the value is the difference, second minus first.

    Agreement on pairs of translations is compared on those that neither metric ties: `first_value` and
    `second_value` are their agreement there, `shared` says how many there are.
    """

    first: str
    second: str
    first_value: float | None
    second_value: float | None
    significant: bool
    shared: int | None

    @property
    def difference(self) -> float | None:
        """The second metric minus the first."""
        return self.value

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
            value=None if self.value is None else -self.value,
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


_COUNTS = {
    "pairs": "",
    "scores": "",
    "ties": "",
    "missing": "missing",
    "repeated": "repeated",
    "judged_once_left_out": "left out as judged once",
    "disagreed_left_out": "left out for disagreement",
    "identical": "identical",
    "unscored": "unscored",
}


def judgment_counts(counts: Mapping[str, int]) -> Iterator[str]:
    """Yield how many judgments of each kind there are, without kinds that do not occur."""
    for key, words in _COUNTS.items():
        if counts.get(key):
            yield f"{counts[key]} {words}" if words else counted(counts[key], key.removesuffix("s"))


def decimals(measure: str) -> int:
    """Return with how many decimals a measure is written: percentages have fewer than shares."""
    return 2 if measure == AgreementMeasure.CONSISTENCY else 4


_CONTROL = "  control "
_FEWEST_TESTED = 2
_ON_SHARED = "; on pairs of translations that neither metric ties"


class _MetricLine(NamedTuple):
    """A line of a table: how it is labelled, and the metric that it is about."""

    label: str
    metric: str


Columns: TypeAlias = "list[tuple[Column, Sequence[object]]]"


def _table(corner: str, labels: Sequence[str], columns: Columns) -> Table:
    """Return columns of values beside the labels of their rows."""
    rows = zip(labels, *(values for _, values in columns), strict=True)
    return Table("", [Column(corner), *(column for column, _ in columns)], rows)


def _column(name: str, measure: AgreementMeasure, *, sign: str = "") -> Column:
    return Column(name, f"{sign}.{decimals(measure)}f")


def _value_columns(
    title: str, pair: PairResult, measure: AgreementMeasure, lines: Sequence[_MetricLine]
) -> Columns:
    """Return the values of a measure, and beside them what is printed, if anything is."""
    kind = f".{decimals(measure)}f±"
    values = [pair.agreement(measure, line.metric) for line in lines]
    printed = [pair.printed(measure, line.metric) for line in lines]
    found: Columns = [(Column(title, kind, missing="undefined"), values)]
    if any(printed):
        found.append((_column("printed", measure), [each and each.value for each in printed]))
    return found


def _unscored(pair: PairResult, before: str = "") -> Iterator[Note]:
    """Yield how many pairs of a metric have no score."""
    for metric in pair.metrics:
        agreements = (pair.agreement(measure, metric.name) for measure in pair.agreements)
        left = int(max((each.counts.get("unscored", 0) for each in agreements), default=0))
        if left:
            yield Note(f"{before}{metric.name}: {counted(left, 'pair')} without a score left out")


def _lines(metrics: Sequence[ComparedMetric]) -> Iterator[_MetricLine]:
    """Yield the lines of a table: metrics, and after those that share a control, the control."""
    controls = {metric.control for metric in metrics}
    asked = [metric for metric in metrics if metric.name not in controls]
    for place, metric in enumerate(asked):
        yield _MetricLine(metric.name, metric.name)
        later = asked[place + 1 :]
        if metric.control is not None and (not later or later[0].control != metric.control):
            yield _MetricLine(f"{_CONTROL}{metric.control}", metric.control)


def _answer(pair: PairResult, measure: AgreementMeasure) -> str:
    """Return in a sentence which metric agrees best with people by a measure, and which may be as good."""
    values = {name: pair.value(measure, name) for name in ranked_metrics([pair])}
    known = {name: value for name, value in values.items() if value is not None}
    if len(known) < _FEWEST_TESTED:
        return ""
    best = max(known, key=lambda name: known[name])
    others = [name for name in known if name != best]
    compared = {name: pair.comparison(measure, best, name) for name in others}
    worse = [
        name for name, found in compared.items() if found and found.verdict is Verdict.BASELINE
    ]
    equal = [name for name in others if name not in worse]
    number = f".{decimals(measure)}f"
    text = f"{best} agrees best with people: {measure} {known[best]:{number}}"
    controls = dict.fromkeys(metric.control for metric in pair.metrics if metric.control)
    higher = [
        f"{name} {value:{number}}"
        for name in controls
        if (value := pair.value(measure, name)) is not None and value > known[best]
    ]
    text += f"; a control has a higher value: {', '.join(higher)}" if higher else ""
    text += f"; significantly worse: {', '.join(worse)}" if worse else ""
    return text + (f"; not significantly worse: {', '.join(equal)}." if equal else ".")


def _beyond_controls(pair: PairResult, measure: AgreementMeasure, corner: str) -> list[Table]:
    """Return how far each metric agrees better than its control, on the pairs that neither ties."""
    compared = [
        comparison
        for metric in pair.metrics
        if metric.control is not None
        and (comparison := pair.comparison(measure, metric.control, metric.name)) is not None
        and comparison.difference is not None
    ]
    return _test_tables(corner, "control", compared, measure)


def _against(pair: PairResult, measure: AgreementMeasure, baselines: Sequence[str]) -> list[Table]:
    compared = [
        found
        for baseline in baselines
        for name in ranked_metrics([pair])
        if name not in baselines and (found := pair.comparison(measure, baseline, name)) is not None
    ]
    return _test_tables("metric", "baseline", compared, measure)


def _test_tables(
    corner: str, other: str, compared: Sequence[MetricPair], measure: AgreementMeasure
) -> list[Table]:
    """Return how far the second metric of each pair agrees better than the first, and how sure that is."""
    if not compared:
        return []
    difference, low, high = (_column(n, measure, sign="+") for n in ("difference", "low", "high"))
    columns = [
        Column("second", "", corner), Column("first", "", other),
        replace(difference, title=str(measure)), low, high, Column("p", P), Column("significant"),
    ]  # fmt: skip
    return [Table.of(columns, compared)]


def _tested(result: MetaResult, measures: Sequence[AgreementMeasure]) -> str:
    """Return how metrics were tested against one another."""
    shared = _ON_SHARED if PAIRWISE & set(measures) else ""
    test = str(result.test) if str(result.test).endswith("test") else f"{result.test} test"
    return f"{test}, p not corrected for the number of comparisons{shared}"


def _test_cell(pair: PairResult, measure: AgreementMeasure, column: str, row: str) -> str:
    """Return how far the metric of a row agrees better than that of a column, and its p-value."""
    if row == column:
        return "."
    found = pair.comparison(measure, column, row)
    if found is None or found.difference is None:
        return "-"
    star = "*" if found.significant else ""
    return f"{_column('', measure, sign='+').text(found.difference)} {p_text(found.p).replace('0.', '.', 1)}{star}"


def _verdict_tables(
    table: Mapping[str, Mapping[str, NewBaselineDraw]] | None, measure: AgreementMeasure
) -> list[Table]:
    """Return new / baseline / draw, a star where the new metric is better more often. [PC] table 3"""
    if not table:
        return []
    baselines = list(next(iter(table.values())))
    rows = [
        [name, *(f"{row[baseline]}{'*' if row[baseline].wins else ''}" for baseline in baselines)]
        for name, row in table.items()
    ]
    return [Table("", [f"{measure} N/B/D", *baselines], rows)]


def _summary(pair: PairResult, result: MetaResult) -> str:
    listed = ", ".join(judgment_counts(pair.counts))
    idle = pair.counts.get("systems_without_judgment", 0)
    others = f" ({idle} more without judgment)" if idle else ""
    apart = _drawn_apart(result)
    ties = f"; ties {result.tie_rule}" if AgreementMeasure.SEGMENT_TAU in result.measures else ""
    pairs_too = f" ({' and '.join(apart)}: over segments)" if apart else ""
    return (
        f"{counted(len(pair.systems), 'system')}{others} x {counted(pair.segments, 'segment')}; "
        f"judgments: {listed}; ± half-width of the 95% interval over {result.resample}{pairs_too}, "
        f"{counted(result.resamples, 'resample')}, seed {result.seed}{ties}"
    )


def _drawn_apart(result: MetaResult) -> list[str]:
    """Return which intervals draw segments although something else is drawn for the others."""
    if result.resample is Resample.SEGMENTS:
        return []
    by_segment = any(
        drawn_of(measure, result.resample) is Resample.SEGMENTS for measure in result.measures
    )
    correlations = ["correlations of segment scores"] if by_segment else []
    return ["differences between metrics on pairs", *correlations]


def interval_rows(
    pair: PairResult, measure: AgreementMeasure
) -> Sequence[tuple[str, float, float, float]]:
    """Return label, value, low and high of every metric that has all of them, for a chart."""
    rows = zip(pair.metrics, pair.agreements[measure], strict=True)
    return [
        (metric.name, agreement.value, agreement.low, agreement.high)
        for metric, agreement in rows
        if agreement.value is not None and agreement.low is not None and agreement.high is not None
    ]

"""What comparing systems found: intervals, paired tests, effect sizes; sections 14.4 and 14.5."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import isfinite
from typing import TYPE_CHECKING, ClassVar

from kilter import __version__
from kilter.core.counted import counted
from kilter.core.estimate import MISSING, Estimate, p_text
from kilter.core.table import NAME, Column, Note, P, Table, matrix, score_column
from kilter.results.document import Document, Result
from kilter.results.measure import ORDER
from kilter.results.score_result import (
    WHOLE,
    MetricFacts,
    direction,
    meaning_note,
    purpose_notes,
    short_signature,
)
from kilter.results.verdict import MOST_VERDICTS, mark_of, overview, p_equation, ranked
from kilter.stats.significance import (
    LEAST_SEGMENTS,
    LIKELY,
    Mark,
    MarkRule,
    decision_note,
    evidence_note,
    least_p,
)
from kilter.stats.split import apportioned

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from kilter.stats.resampling import Resampling
    from kilter.stats.significance import SegmentEffect

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
class ScoreDifference:
    """The second of two systems less the first, with its bootstrap interval and what tests say.

    `p` and `holm` map tests to p-values, None where the test does not apply or there is one segment only; `holm`
    corrects for all pairs of the metric, `holm_baseline` for those with the baseline, and is None for the others.
    """

    difference: float | None
    low: float | None
    high: float | None
    p: Mapping[SignificanceTest, float | None]
    holm: Mapping[SignificanceTest, float | None]
    holm_baseline: Mapping[SignificanceTest, float | None] | None

    @property
    def estimate(self) -> Estimate:
        """The difference with its interval."""
        return Estimate(self.difference, self.low, self.high)


@dataclass(frozen=True, kw_only=True)
class PartDifference(ScoreDifference):
    """What a part of the metric (order, coverage, words) contributes to a difference. Section 6.9

    Interval and p-values are those of this contribution, by the resamples and tests of the whole; the
    parts of a difference add up to it.
    """

    name: str
    difference: float


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
class Pair(ScoreDifference):
    """The second system against the first on the same segments.

    `share` is that of resamples in which the second is better. `mark` follows from `holm` of the first test and
    `mark_baseline` from `holm_baseline`, None where that is, or both from the shares in which the second is better and
    worse; all these and `effect` take the better side also for metrics of which less is better. Shares and bootstrap
    p-values leave out resamples in which a score is undefined. `parts` say what the difference consists of,
    where the metric tells order from the rest. `common` is there where scores may be missing and the systems miss
    different segments; where a significant difference comes with these (`is_withheld`), mark and p-values are None.
    """

    first: str
    second: str
    share: float | None
    mark: Mark | None
    mark_baseline: Mark | None
    exact: bool
    effect: SegmentEffect
    undefined: int = 0
    parts: tuple[PartDifference, ...] = ()
    common: CommonSegments | None = None
    is_withheld: bool = False


@dataclass(frozen=True, kw_only=True)
class MetricComparison(MetricFacts):
    """One metric's intervals, in the order of the systems, and its pairs, the baseline's first."""

    intervals: tuple[Estimate, ...]
    pairs: tuple[Pair, ...]

    def pair(self, first: str, second: str) -> Pair | None:
        """Return the pair in this order, or None."""
        return next((p for p in self.pairs if (p.first, p.second) == (first, second)), None)


@dataclass(frozen=True, kw_only=True)
class Comparison(Result):
    """Systems compared by several metrics; the first of `tests` is the one that summaries show."""

    schema: ClassVar[str] = "kilter.compare/1"
    systems: tuple[str, ...]
    baseline: str
    segments: int
    tests: tuple[SignificanceTest, ...]
    resampling: Resampling
    metrics: tuple[MetricComparison, ...]
    marks: MarkRule
    notes: tuple[str, ...] = ()
    percent: bool = False
    """Whether people see scores times 100; programs get them as they are."""

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
    def lacking(self) -> str:
        """What there is too little of where marks are `?`."""
        many = len(self.systems)
        by_segments = many * (many - 1) // 2 * least_p(self.segments)
        return "segments" if by_segments >= LIKELY else "resamples"

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
            "schema": self.schema,
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

    def data(self) -> Table:
        """Return a row for each metric and pair of systems."""
        sides = [
            f"{side}_{key}" for side in ("first", "second") for key in ("score", "low", "high")
        ]
        tests = [f"{kind}_{t}" for t in self.tests for kind in ("p", "holm", "holm_baseline")]
        names = [
            "metric", "first", "second", *sides, "difference", "low", "high", "share", "mark", "mark_baseline",
            *tests, "exact_permutation", "standardised", "better", "equal", "worse", "undefined_resamples",
            "signature", *_part_names(self),
        ]  # fmt: skip
        return Table.of(names, self._rows())

    def _rows(self) -> Iterator[Document]:
        missing = dict.fromkeys(_part_names(self))
        for metric in self.metrics:
            intervals = dict(zip(self.systems, metric.intervals, strict=True))
            for pair in metric.pairs:
                row: Document = {"metric": metric.name, "first": pair.first, "second": pair.second}
                for side, system in (("first", pair.first), ("second", pair.second)):
                    values = zip(("score", "low", "high"), intervals[system].triple, strict=True)
                    row |= {f"{side}_{key}": value for key, value in values}
                document = _pair_json(pair)
                for key in ("difference", "low", "high", "share", "mark", "mark_baseline"):
                    row[key] = document[key]
                row |= _test_cells(pair, self.tests)
                row["exact_permutation"] = pair.exact
                row |= document["effect"]
                row |= {"undefined_resamples": pair.undefined, "signature": metric.signature}
                yield {**missing, **row, **_part_cells(pair, self.tests)}

    def tables(self) -> list[Table]:
        """Return verdicts and one table: of two systems a row for each metric, of more a ranking and a matrix."""
        notes = [Note(text) for text in overview(self)]
        found = [Table(notes=notes)] if notes else []
        first = self.metrics[0]
        if len(self.systems) > MOST_VERDICTS + 1:
            found += [self._ranking(), self._sign_matrix(first)]
        elif len(self.systems) > 2:
            found += [self._ranking(), self._matrix(first, first.name)]
        else:
            found.append(self._pair_table())
        return [*found[:-1], found[-1].noted(*_method(self))]

    def _pair_table(self) -> Table:
        """Return a row for each metric of two systems."""
        rows = []
        for metric in self.metrics:
            pair = next(iter(metric.pairs), None)
            scores = [each.value for each in metric.intervals]
            tested: list[object] = [None] * 4
            if pair is not None:
                p = (pair.holm_baseline or pair.holm)[self.tests[0]]
                interval = pair.estimate
                tested = [
                    pair.difference,
                    interval,
                    p,
                    pair.mark_baseline and str(pair.mark_baseline),
                ]
            rows.append([metric.name, *scores, *tested])
        columns = [
            Column("metric", NAME), *(score_column(name, percent=self.percent) for name in self.systems),
            *self._difference_columns(), Column("p", f"{P}3"), Column("mark"),
        ]  # fmt: skip
        return Table("", columns, rows)

    def _ranking(self) -> Table:
        """Return the systems, the best first, with their scores and marks against the baseline."""
        first = self.metrics[0]
        rows = [
            [name, group, ranks, *(self._marked_score(metric, name) for metric in self.metrics)]
            for name, group, ranks in ranked(self, first)
        ]
        columns = [
            Column("system", NAME),
            Column("group"),
            Column("ranks"),
            *(Column(metric.name) for metric in self.metrics),
        ]
        return Table(f"ranked by {first.name}; marks against {self.baseline}", columns, rows)

    def _marked_score(self, metric: MetricComparison, system: str) -> str:
        score = metric.intervals[self.systems.index(system)]
        pair = metric.pair(self.baseline, system)
        mark = "" if pair is None or pair.mark_baseline is None else str(pair.mark_baseline)
        return f"{score_column('', percent=self.percent).text(score)} {mark:>3}"

    def _difference_columns(self) -> tuple[Column, Column]:
        return (
            score_column("diff.", "+.4f", percent=self.percent),
            score_column("interval", "[]+.4f", percent=self.percent),
        )

    def detailed_tables(self) -> list[Table]:
        """Return the intervals, then each metric against the baseline and pair by pair."""
        level = f"{100 * self.resampling.level:g}%"
        found = [
            self._score_table(f"scores with {level} intervals, {counted(self.segments, 'segment')}")
        ]
        for metric in self.metrics:
            if metric.pairs:
                found += self._metric_tables(metric)
        return [*found, Table("", [], [], _legend(self))]

    def _score_table(self, title: str, metrics: int | None = None) -> Table:
        shown = self.metrics[:metrics]
        rows = [
            [system, *(metric.intervals[place] for metric in shown)]
            for place, system in enumerate(self.systems)
        ]
        columns = [Column(metric.name, ".4f[]") for metric in shown]
        return Table(title, [Column("system", NAME), *columns], rows)

    def _metric_tables(self, metric: MetricComparison) -> Iterator[Table]:
        pairs = [pair for pair in metric.pairs if pair.holm_baseline is not None]
        yield self._baseline_table(metric, pairs)
        apart = [pair for pair in pairs if pair.parts]
        if apart:
            title = f"{metric.name}: what the differences from {self.baseline} consist of"
            sentences = part_sentences(metric.name, apart, self.tests[0])
            yield _part_table(title, apart, self.tests, sentences)
        if len(self.systems) > 2:
            yield self._matrix(metric, metric.name)

    def _baseline_table(self, metric: MetricComparison, pairs: Sequence[Pair]) -> Table:
        rows = [
            [
                pair.second,
                pair.difference,
                pair.estimate,
                None if pair.mark_baseline is None else str(pair.mark_baseline),
                *((pair.holm_baseline or {})[test] for test in self.tests),
                pair.effect.standardised,
                _segment_shares(pair.effect),
            ]
            for pair in pairs
        ]
        columns = [
            Column("system", NAME), Column("diff.", "+.4f"), _INTERVAL, Column("mark"), *_p_columns(self.tests),
            Column("d_z", "+.3f"), Column("+/=/- %"),
        ]  # fmt: skip
        return Table(f"{metric.name}: against {self.baseline}", columns, rows)

    def _matrix(self, metric: MetricComparison, name: str) -> Table:
        test = self.tests[0]
        cells = [[_matrix_cell(metric, c, row, test) for c in self.systems] for row in self.systems]
        return matrix(f"{name}: row against column", self.systems, cells)

    def _sign_matrix(self, metric: MetricComparison) -> Table:
        """Return for each system, the best first, whether it is better or worse than each of the others."""
        names = [name for name, _, _ in ranked(self, metric)]
        rows = [
            [place, name, *(_sign(metric, other, name) for other in names)]
            for place, name in enumerate(names, start=1)
        ]
        numbers = [Column(str(place)) for place in range(1, len(names) + 1)]
        columns = [Column("no."), Column("system", NAME), *numbers]
        return Table(f"{metric.name}: row against the systems with these numbers", columns, rows)

    def mean_tables(self, before: str = "") -> list[Table]:
        """Return the means of ratings and their pairs, which stand above other tables."""
        drawn = self.resampling
        resamples = counted(drawn.count, "resample")
        title = f"{before}ratings: means with {100 * drawn.level:g}% intervals, {resamples}"
        return [self._score_table(title, 1), self._matrix(self.metrics[0], f"{before}ratings")]

    def mean_notes(self) -> list[Note]:
        """Return what marks of ratings stand for."""
        few = self.decision_note
        return [mark_note(self), *([Note(f"{few[0].upper()}{few[1:]}.")] if few else [])]

    def _score(self, interval: Estimate) -> Document:
        return {
            "score": interval.value,
            "low": interval.low,
            "high": interval.high,
            "segments": self.segments,
            **({"reason": interval.reason} if interval.reason else {}),
            "undefined_resamples": interval.undefined,
        }


def missing_note(system: str, metric: str, scored: Estimate) -> str:
    """Return what of a system's score is missing, and why."""
    what = "is missing" if scored.value is None else "has no interval"
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
    return f"; {Mark.UNDECIDED}: too few {comparison.lacking} to decide"


def _marked(comparison: Comparison) -> str:
    """Return what the strong and the weak marks stand for."""
    if comparison.marks is MarkRule.SHARE:
        return "in at least 95% / 90% of paired bootstrap resamples"
    corrected = "corrected p" if len(comparison.systems) > 2 else "p"
    return f"with {corrected} < .01 / < .05 of the {TEST_NAMES[comparison.tests[0]]} test"


# Corrected p-values from here on say nothing that the mark 0 does not say.
_SMALL = 0.05
_INTERVAL = Column("interval", "[]+.4f")
_TEST_HEADINGS = {
    SignificanceTest.BOOTSTRAP: "p boot",
    SignificanceTest.RANDOMISATION: "p rand",
    SignificanceTest.PERMUTATION: "p perm",
}


def _p_columns(tests: Iterable[SignificanceTest]) -> list[Column]:
    return [Column(_TEST_HEADINGS[test], f"{P}3") for test in tests]


def _test_cells(tested: ScoreDifference, tests: Iterable[SignificanceTest]) -> Document:
    """Return p-values by the names of columns."""
    cells: Document = {}
    for test in tests:
        baseline = tested.holm_baseline
        cells[f"p_{test}"] = tested.p[test]
        cells[f"holm_{test}"] = tested.holm[test]
        cells[f"holm_baseline_{test}"] = None if baseline is None else baseline[test]
    return cells


def _part_cells(pair: Pair, tests: Sequence[SignificanceTest]) -> Document:
    """Return difference, interval and p-values of each part by the names of columns."""
    return {
        f"{part.name}_{key}": value
        for part in pair.parts
        for key, value in (
            ("difference", part.difference),
            ("low", part.low),
            ("high", part.high),
            *_test_cells(part, tests).items(),
        )
    }


def _part_names(comparison: Comparison) -> list[str]:
    """Return the columns of parts."""
    pairs = (pair for metric in comparison.metrics for pair in metric.pairs)
    return list(
        dict.fromkeys(name for pair in pairs for name in _part_cells(pair, comparison.tests))
    )


def _matrix_cell(metric: MetricComparison, first: str, second: str, test: SignificanceTest) -> str:
    """Return mark and corrected p-value of the second system against the first."""
    if first == second:
        return "."
    pair, mark = (
        metric.pair(first, second) or metric.pair(second, first),
        mark_of(metric, first, second),
    )
    if pair is None or mark is None:
        return "-"
    p = pair.holm[test]
    if mark in (Mark.OPEN, Mark.UNDECIDED) and (p is None or p >= _SMALL):
        return str(mark)
    return f"{mark} {p_text(p, digits=3).replace('0.', '.', 1)}"


def _sign(metric: MetricComparison, first: str, second: str) -> str:
    """Return in a character how the second system differs from the first."""
    if first == second:
        return "."
    mark = mark_of(metric, first, second)
    return str(mark or Mark.UNDECIDED)[0]


def _method(comparison: Comparison) -> Iterator[Note]:
    """Yield how the numbers of the short tables were found, in a line or two, and what must be known of them."""
    drawn, many = comparison.resampling, len(comparison.systems) - 1
    tested = ""
    if comparison.segments >= LEAST_SEGMENTS and many:
        pairs = many * (many + 1) // 2
        corrected = f", Holm-corrected for {many} comparisons, in the matrix for {pairs}"
        corrected = corrected if many > 1 else ""
        tested = f"; {_intervals(comparison)}p: {TEST_NAMES[comparison.tests[0]]} test, {counted(drawn.count, 'resample')}, seed {drawn.seed}{corrected}"
    better = direction(comparison.metrics, percent=comparison.percent)
    yield Note(f"{counted(comparison.segments, 'segment')}; {better}{tested}.")
    if tested:
        yield mark_note(comparison, better="second system" if many == 1 else "system (row)")
    if many > MOST_VERDICTS:
        yield Note(
            "Matrix: + better, - worse (corrected p < .05), 0 neither, ? unknown; --details shows p-values."
        )
    if many > 1:
        yield Note(
            "group: every system is significantly worse than all systems of the groups above; ranks: the best and the "
            "worst position that a system may have."
        )
    signatures = [metric.signature for metric in comparison.metrics]
    evidence, by_meaning = evidence_note(comparison.segments), meaning_note(signatures)
    told = (evidence, comparison.decision_note, *comparison.common_notes, by_meaning)
    yield from (Note(f"{note[0].upper()}{note[1:]}.") for note in told if note)
    yield Note(" (--details: all tests, parts, full signatures)", short_signature(signatures))


def _intervals(comparison: Comparison) -> str:
    """Return what the intervals of differences are; of many systems none are shown."""
    many = len(comparison.systems) - 1
    level = f"{100 * comparison.resampling.level:g}% intervals"
    if many > MOST_VERDICTS:
        return ""
    return f"{level}, not corrected for several comparisons; " if many > 1 else f"{level}; "


def _legend(comparison: Comparison) -> Iterator[Note]:
    """Yield what a reader needs to know to read the tables."""
    drawn = comparison.resampling
    if comparison.segments < LEAST_SEGMENTS:
        yield Note(f"{counted(comparison.segments, 'segment')}; nothing is resampled.")
    else:
        drawing = f"{counted(drawn.count, 'resample')} of {counted(comparison.segments, 'segment')}"
        yield Note(f"{drawing}, seed {drawn.seed}.")
    rough = evidence_note(comparison.segments)
    if rough:
        yield Note(f"{rough[0].upper()}{rough[1:]}.")
    yield from purpose_notes(comparison.metrics)
    for metric in comparison.metrics:
        direction = "higher" if metric.higher_is_better else "lower"
        yield Note(f": {direction} is better.", metric.signature)
    if len(comparison.systems) < 2:
        return
    yield mark_note(comparison)
    tests = ", ".join(TEST_NAMES[test] for test in comparison.tests)
    yield Note(f"p: two-sided, no difference; {tests}.")
    pairs = len(comparison.systems) * (len(comparison.systems) - 1) // 2
    by_share = comparison.marks is MarkRule.SHARE
    if pairs > 1:
        yield Note(
            f"p in matrices: {TEST_NAMES[comparison.tests[0]]}; left out where the mark is 0 and "
            f"p >= {_SMALL}."
        )
        yield Note(
            f"Multiple comparisons: p-values are Holm-corrected, over {len(comparison.systems) - 1} "
            f"against the baseline and {pairs} in matrices, for each metric by itself, intervals are not; "
            + ("marks are not corrected, nor is" if by_share else "nothing is corrected")
            + (" anything across metrics." if by_share else " across metrics.")
        )
    else:
        yield Note("Multiple comparisons: nothing is corrected across metrics.")
    told = (comparison.decision_note, *comparison.common_notes)
    yield from (Note(f"{note[0].upper()}{note[1:]}.") for note in told if note)
    yield from _part_notes(comparison)
    yield Note(
        "d_z: mean difference of segments over its standard deviation, + better; - where a score is not a mean "
        "over all segments."
    )
    yield Note(
        "+/=/- %: segments better / equal / worse than the baseline's. For both, a segment is scored as a "
        "system of its own."
    )
    if SignificanceTest.PERMUTATION in comparison.tests:
        yield Note(
            "The permutation test: - where a score is not a mean over segments, or given scores are missing."
        )
    undefined = sum(each.undefined for m in comparison.metrics for each in m.intervals)
    if undefined:
        yield Note(
            f"Undefined: a metric had no value in {counted(undefined, 'resample')} of systems, left "
            "out here."
        )


def _part_notes(comparison: Comparison) -> Iterator[Note]:
    """Yield what parts of differences are, and what the part of the overall score that is called order is not."""
    if _part_names(comparison):
        yield Note(PART_NOTE)
    if any(
        part.name == ORDER
        for metric in comparison.metrics
        if metric.name.partition(":")[0] == WHOLE
        for pair in metric.pairs
        for part in pair.parts
    ):
        yield Note(ORDER_NOTE)


def _segment_shares(effect: SegmentEffect) -> str:
    counts = (effect.better, effect.equal, effect.worse)
    segments = sum(counts)
    return "/".join(f"{100 * count / segments:.0f}" for count in counts) if segments else MISSING


ORDER_NOTE = (
    "kilter, by order: what disorder takes away, and not all that order costs; its other parts see order too. The "
    "score of order alone is order."
)
PART_NOTE = (
    "Parts: what each contributes to a difference, by Shapley values in each segment; they add up to it, as "
    "printed too (largest remainders). p as above, for each part by itself."
)


def printed_parts(pair: Pair) -> list[str]:
    """Return the parts with four decimals that add up to those of the difference."""
    total = 0.0 if pair.difference is None else pair.difference
    return [
        f"{value:+.4f}" for value in apportioned(total, [part.difference for part in pair.parts])
    ]


def _part_table(
    title: str, pairs: Sequence[Pair], tests: Sequence[SignificanceTest], notes: Iterable[str]
) -> Table:
    """Return a row for each part of each pair with the baseline."""
    rows = [
        [
            pair.second,
            part.name,
            shown,
            part.estimate,
            *((part.holm_baseline or part.holm)[test] for test in tests),
        ]
        for pair in pairs
        for part, shown in zip(pair.parts, printed_parts(pair), strict=True)
    ]
    columns = [
        Column("system", NAME),
        Column("part"),
        Column("diff."),
        _INTERVAL,
        *_p_columns(tests),
    ]
    return Table(title, columns, rows, notes)


def part_sentences(metric: str, pairs: Sequence[Pair], test: SignificanceTest) -> Iterator[str]:
    """Yield what each difference consists of in a sentence that can be quoted."""
    for pair in pairs:
        if pair.difference is None:
            continue
        parts = ", ".join(
            f"{shown} by {part.name}{bracketed_p((part.holm_baseline or part.holm)[test])}"
            for part, shown in zip(pair.parts, printed_parts(pair), strict=True)
        )
        first, second = pair.first, pair.second
        size, p = (
            f"{abs(pair.difference):.4f}",
            bracketed_p((pair.holm_baseline or pair.holm)[test]),
        )
        if float(size) == 0.0:
            yield f"{second} and {first} score the same to four decimals in {metric}{p}: {parts}."
        else:
            direction = "higher" if pair.difference > 0.0 else "lower"
            yield f"{second} scores {size} {direction} than {first} in {metric}{p}: {parts}."


def bracketed_p(p: float | None) -> str:
    """Return a p-value in brackets, as papers print it; nothing for a missing one."""
    return "" if p is None else f" ({p_equation(p)})"

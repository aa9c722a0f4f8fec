"""Agreement with people as tables: one language pair, or several laid out as the papers print them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from kilter.core.counted import counted
from kilter.core.estimate import p_text
from kilter.core.table import Note
from kilter.render.table.comparison import write_means
from kilter.render.table.long_table import LongTable
from kilter.render.table.page import PAGE, Page
from kilter.results.meta_result import (
    PAIRWISE,
    AgreementMeasure,
    Resample,
    decimals,
    drawn_of,
    judgment_counts,
    ranked_metrics,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import TextIO

    from kilter.render.table.table import TableFormat
    from kilter.results.meta_result import (
        Agreement,
        ComparedMetric,
        MetaResult,
        MetricPair,
        NewBaselineDraw,
        PairResult,
    )

_LONG = [
    "pair",
    "metric",
    "control",
    "measure",
    "value",
    "low",
    "high",
    "unscored",
    "published",
    "signature",
]
_CONTROL = "  control "
_FEWEST_TESTED = 2
_ON_SHARED = "; on pairs of translations that neither metric ties"


class _MetricLine(NamedTuple):
    """A line of a table: how it is labelled, and the metric that it is about."""

    label: str
    metric: str


def write_agreement(
    result: MetaResult, out: TextIO, *, form: TableFormat, width: int = PAGE
) -> None:
    """Write agreement as tables for people; text is laid out for so many columns."""
    page = Page(out, form, width)
    page.start(metric.name for pair in result.pairs for metric in pair.metrics)
    marks: dict[str, Note] = {}
    for pair in result.pairs:
        if pair.ratings is not None:
            before = f"{pair.name}: " if len(result.pairs) > 1 else ""
            for note in write_means(pair.ratings, page, before=before):
                marks[note.text] = note
    if len(result.pairs) > 1:
        _write_pairs(result, page, [*marks.values()])
    else:
        _write_one(result, result.pairs[0], page, [*marks.values()])


def agreement_rows(result: MetaResult) -> LongTable:
    """Return one row a value: by language pair, metric and measure."""
    return LongTable(_LONG, list(_rows(result)))


def _rows(result: MetaResult) -> Iterator[list[object]]:
    several = len(result.pairs) > 1
    for pair in result.pairs:
        for metric in pair.metrics:
            for measure in result.measures:
                agreement = pair.agreement(measure, metric.name)
                printed = pair.printed(measure, metric.name)
                yield [
                    pair.name if several else "",
                    metric.name,
                    metric.control,
                    str(measure),
                    agreement.value,
                    agreement.low,
                    agreement.high,
                    agreement.counts.get("unscored"),
                    None if printed is None else printed.value,
                    metric.signature,
                ]


def _write_one(result: MetaResult, pair: PairResult, page: Page, marks: Sequence[Note]) -> None:
    lines = list(_lines(pair.metrics))
    columns: list[tuple[str, list[str]]] = []
    for measure in result.measures:
        columns += _columns(str(measure), pair, measure, lines)
    page.table("metric", [line.label for line in lines], columns)
    _write_beyond_controls(pair, result.measures[0], page)
    notes = list(_write_tests(result, pair, page))
    page.notes(
        [
            Note(_summary(pair, result)),
            *marks,
            *notes,
            *_unscored(pair),
            *(Note("", metric.signature) for metric in pair.metrics),
        ]
    )


def _columns(
    title: str, pair: PairResult, measure: AgreementMeasure, lines: Sequence[_MetricLine]
) -> Iterator[tuple[str, list[str]]]:
    """Yield the values of a measure, and beside them what is printed, if anything is."""
    yield title, [_cell(pair.agreement(measure, line.metric), measure) for line in lines]
    printed = [pair.printed(measure, line.metric) for line in lines]
    if any(printed):
        yield "printed", [_number(each.value if each else None, measure) for each in printed]


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


def _write_beyond_controls(
    pair: PairResult, measure: AgreementMeasure, page: Page, *, corner: str = "metric"
) -> None:
    """Write how far each metric agrees better than its control, on the pairs that neither ties."""
    compared = [
        comparison
        for metric in pair.metrics
        if metric.control is not None
        and (comparison := pair.comparison(measure, metric.control, metric.name)) is not None
        and comparison.difference is not None
    ]
    if not compared:
        return
    page.out.write("\n")
    controls = ("control", [each.first for each in compared])
    page.table(
        corner, [each.second for each in compared], [controls, *_test_columns(compared, measure)]
    )


def _test_columns(
    compared: Sequence[MetricPair], measure: AgreementMeasure
) -> Iterator[tuple[str, list[str]]]:
    """Yield how far the second metric of each pair agrees better than the first, and how sure that is."""
    yield str(measure), [_signed(each.difference, measure) for each in compared]
    yield "low", [_signed(each.low, measure) for each in compared]
    yield "high", [_signed(each.high, measure) for each in compared]
    yield "p", [p_text(each.p) for each in compared]
    yield "significant", ["yes" if each.significant else "no" for each in compared]


def _write_tests(result: MetaResult, pair: PairResult, page: Page) -> Iterator[Note]:
    """Write metrics against metrics, controls apart, and yield what a reader of them needs to know.

    Against each baseline by every measure, if there are baselines; else every two by the first measure.
    """
    names = ranked_metrics([pair])
    if result.baselines:
        for measure in result.measures:
            if measure in pair.comparisons:
                _write_against(pair, measure, result.baselines, page)
        yield Note(f"Against a baseline: {_tested(result, result.measures)}.")
        return
    measure = result.measures[0]
    if len(names) < _FEWEST_TESTED or measure not in pair.comparisons:
        return
    page.out.write("\n")
    page.heading(f"{measure}: row less column")
    cells = [[_test_cell(pair, measure, column, row) for column in names] for row in names]
    page.matrix(names, cells)
    yield Note(f"Row less column: difference and p, *: significant; {_tested(result, [measure])}.")


def _tested(result: MetaResult, measures: Sequence[AgreementMeasure]) -> str:
    """Return how metrics were tested against one another."""
    shared = _ON_SHARED if PAIRWISE & set(measures) else ""
    test = str(result.test) if str(result.test).endswith("test") else f"{result.test} test"
    return f"{test}, p not corrected for the number of comparisons{shared}"


def _write_against(
    pair: PairResult, measure: AgreementMeasure, baselines: Sequence[str], page: Page
) -> None:
    compared = [
        found
        for baseline in baselines
        for name in ranked_metrics([pair])
        if name not in baselines and (found := pair.comparison(measure, baseline, name)) is not None
    ]
    if not compared:
        return
    page.out.write("\n")
    against = ("baseline", [each.first for each in compared])
    page.table(
        "metric", [each.second for each in compared], [against, *_test_columns(compared, measure)]
    )


def _test_cell(pair: PairResult, measure: AgreementMeasure, column: str, row: str) -> str:
    """Return how far the metric of a row agrees better than that of a column, and its p-value."""
    if row == column:
        return "."
    found = pair.comparison(measure, column, row)
    if found is None or found.difference is None:
        return "-"
    star = "*" if found.significant else ""
    return f"{_signed(found.difference, measure)} {p_text(found.p).replace('0.', '.', 1)}{star}"


def _write_pairs(result: MetaResult, page: Page, marks: Sequence[Note]) -> None:
    """Write one table a measure: metrics x language pairs, with average rank and score. [PEF] table 3"""
    pairs = result.pairs
    shared = [metric for metric in pairs[0].metrics if metric.name in result.names]
    lines = list(_lines(shared))
    for number, measure in enumerate(result.measures):
        page.out.write("\n" if number else "")
        means = [result.averages.get(measure, {}).get(line.metric) for line in lines]
        columns: list[tuple[str, Sequence[str]]] = []
        for pair in pairs:
            columns += _columns(pair.name, pair, measure, lines)
        columns.append(("average rank", [f"{mean.rank:.2f}" if mean else "-" for mean in means]))
        columns.append(
            ("average", [_number(mean.score, measure) if mean else "-" for mean in means])
        )
        page.table(str(measure), [line.label for line in lines], columns)
        _write_verdicts(result.new_baseline_draw.get(measure), measure, page)
    for pair in pairs:
        _write_beyond_controls(pair, result.measures[0], page, corner=pair.name)
    signatures = dict.fromkeys(metric.signature for pair in pairs for metric in pair.metrics)
    page.notes(
        [
            *(Note(f"{pair.name}: {_summary(pair, result)}") for pair in pairs),
            *marks,
            *(note for pair in pairs for note in _unscored(pair, f"{pair.name}: ")),
            *(Note("", signature) for signature in signatures),
        ]
    )


def _write_verdicts(
    table: Mapping[str, Mapping[str, NewBaselineDraw]] | None,
    measure: AgreementMeasure,
    page: Page,
) -> None:
    """Write new / baseline / draw, a star where the new metric is better more often. [PC] table 3"""
    if not table:
        return
    page.out.write("\n")
    columns = [
        (
            baseline,
            [f"{row[baseline]}{'*' if row[baseline].wins else ''}" for row in table.values()],
        )
        for baseline in next(iter(table.values()))
    ]
    page.table(f"{measure} N/B/D", list(table), columns)


def _summary(pair: PairResult, result: MetaResult) -> str:
    listed = ", ".join(judgment_counts(pair.counts))
    idle = pair.counts.get("systems_without_judgment", 0)
    others = f" ({idle} more without judgment)" if idle else ""
    apart = _drawn_apart(result)
    ties = f"; ties {result.tie_rule}" if AgreementMeasure.SEGMENT_TAU in result.measures else ""
    pairs_too = f" ({' and '.join(apart)}: over segments)" if apart else ""
    return (
        f"{counted(len(pair.systems), 'system')}{others} x {counted(pair.segments, 'segment')}; "
        f"judgments: {listed}; ± half of the 95% interval over {result.resample}{pairs_too}, "
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


def _cell(agreement: Agreement, measure: AgreementMeasure) -> str:
    if agreement.value is None:
        return "undefined"
    if agreement.low is None or agreement.high is None:
        return _number(agreement.value, measure)
    half = (agreement.high - agreement.low) / 2
    return f"{_number(agreement.value, measure)} ±{_number(half, measure)}"


def _number(value: float | None, measure: str = "") -> str:
    return "-" if value is None else f"{value:.{decimals(measure)}f}"


def _signed(value: float | None, measure: str) -> str:
    # A difference of 0 the other way round is -0.
    return "-" if value is None else f"{value + 0.0:+.{decimals(measure)}f}"


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

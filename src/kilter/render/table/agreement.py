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
    drawn_of,
    ranked_metrics,
)
from kilter.results.sensitivity_result import LabelResult, PerturbationResult

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
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
    from kilter.results.sensitivity_result import Reaction, Share
    from kilter.results.tune_result import TunedMetrics, TuneResult

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
_NOUNS = ("pairs", "scores", "ties")
_COUNTS = (*_NOUNS, "missing", "repeated", "identical", "unscored")


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


def judgment_counts(counts: Mapping[str, int]) -> Iterator[str]:
    """Yield how many judgments of each kind there are, without kinds that do not occur."""
    for key in _COUNTS:
        if counts.get(key):
            noun = key.removesuffix("s") if key in _NOUNS else ""
            yield counted(counts[key], noun) if noun else f"{counts[key]} {key}"


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


def decimals(measure: str) -> int:
    """Return with how many decimals a measure is written: percentages have fewer than shares."""
    return 2 if measure == AgreementMeasure.CONSISTENCY else 4


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


_TIES = {"consistency": "are not consistent", "tau": "are left out"}


def write_tuning(tuned: TunedMetrics, out: TextIO, *, form: TableFormat, width: int = PAGE) -> None:
    """Write each metric, then its folds and curves; text is laid out for so many columns."""
    page = Page(out, form, width)
    page.start([result.specification for result in tuned.metrics])
    for number, result in enumerate(tuned.metrics):
        out.write("\n" if number else "")
        _write_metric(result, page)
    first = tuned.metrics[0]
    counts = ", ".join(judgment_counts(first.counts))
    page.notes(
        [
            Note(
                f"{counted(first.systems, 'system')} x "
                f"{counted(first.segments, 'segment')}; judgments: {counts}; metric ties "
                f"{_TIES[first.objective]}; seed {first.seed}"
            ),
            *(Note("", result.signature) for result in tuned.metrics),
        ]
    )


def _write_metric(result: TuneResult, page: Page) -> None:
    objective = result.objective
    rows = {
        "metric": result.specification,
        f"{objective} in training": _number_tuning(result.training, objective),
        f"{objective} on held-out segments": _number_tuning(result.held_out, objective),
        f"{objective} of {result.start}": _number_tuning(result.start_value, objective),
    }
    if result.folds:
        rows[f"{objective} of {result.start} on held-out segments"] = _number_tuning(
            result.start_held_out, objective
        )
    page.table("tuned", list(rows), [(str(result.method), list(rows.values()))])
    if result.folds:
        page.out.write("\n")
        _write_folds(result, page)
    for place, (name, curve) in enumerate(result.curves.items()):
        page.out.write("\n")
        given, best = result.start_values[place], result.values[place]
        said = [
            ", ".join(
                word
                for word, value in (("as given", given), ("best", best))
                if value == point.value
            )
            for point in curve
        ]
        columns = [
            (objective, [_number_tuning(point.agreement, objective) for point in curve]),
            ("", said),
        ]
        page.table(name, [f"{point.value:.6g}" for point in curve], columns)


def _write_folds(result: TuneResult, page: Page) -> None:
    folds, objective = result.folds, result.objective
    columns = [
        (name, [f"{fold.values[place]:.6g}" for fold in folds])
        for place, name in enumerate(result.option_names)
    ]
    columns.append(("training", [_number_tuning(fold.training, objective) for fold in folds]))
    columns.append(("held out", [_number_tuning(fold.held_out, objective) for fold in folds]))
    page.table("fold", [str(number) for number in range(1, len(folds) + 1)], columns)


def curve_rows(tuned: TunedMetrics) -> LongTable:
    """Return the points of all curves."""
    return LongTable(
        ["metric", "option", "value", tuned.metrics[0].objective],
        [
            (result.start, name, point.value, point.agreement)
            for result in tuned.metrics
            for name, curve in result.curves.items()
            for point in curve
        ],
    )


def _number_tuning(value: float | None, objective: str) -> str:
    return "undefined" if value is None else f"{value:.{decimals(objective)}f}"


_KIND_NAMES = [
    "metric",
    "kind",
    "lexical",
    "items",
    "lower",
    "equal",
    "higher",
    "noticed",
    "noticed_low",
    "noticed_high",
    "drop",
    "drop_low",
    "drop_high",
]
_AUC_NAMES = [
    "metric",
    "auc",
    "auc_low",
    "auc_high",
    "matched_auc",
    "matched_low",
    "matched_high",
    "matched_pairs",
]


Sensitivity = PerturbationResult | LabelResult


def write_sensitivity(
    result: Sensitivity, out: TextIO, *, form: TableFormat, width: int = PAGE
) -> None:
    """Write what metrics notice, by kind of change, or areas under the curve.

    Text is laid out for so many columns.
    """
    page = Page(out, form, width)
    page.start(result.metrics)
    if isinstance(result, PerturbationResult):
        _write_kinds(result, page)
    else:
        _write_areas(result, page)
    page.notes(Note("", result.signatures[name]) for name in result.metrics)


def sensitivity_rows(result: Sensitivity) -> LongTable:
    """Return one row a metric and kind of change, or a metric."""
    if isinstance(result, PerturbationResult):
        return LongTable(_KIND_NAMES, _kind_rows(result))
    return LongTable(_AUC_NAMES, _auc_rows(result))


def _kind_rows(result: PerturbationResult) -> list[list[object]]:
    return [
        [
            name,
            kind,
            kind in result.lexical,
            reaction.items,
            reaction.lower,
            reaction.equal,
            reaction.higher,
            *reaction.share,
            *reaction.drop,
        ]
        for name, row in result.metrics.items()
        for kind, reaction in row.items()
    ]


def _auc_rows(result: LabelResult) -> list[list[object]]:
    return [
        [name, *every.auc, *matched.auc, matched.pairs]
        for name, (every, matched) in result.metrics.items()
    ]


def _write_kinds(result: PerturbationResult, page: Page) -> None:
    tables: dict[str, Callable[[Reaction], str]] = {
        "noticed, %": lambda found: _cell_sensitivity(found.share, percent=True),
        "scored higher, %": lambda found: _percentage(found.higher, found.items),
        "mean drop": lambda found: _cell_sensitivity(found.drop),
    }
    for number, (title, cell) in enumerate(tables.items()):
        page.out.write("\n" if number else "")
        columns = [
            (
                f"{kind} (lexical)" if kind in result.lexical else kind,
                [cell(row[kind]) for row in result.metrics.values()],
            )
            for kind in result.kinds
        ]
        page.table(title, list(result.metrics), columns)
    listed = ", ".join(f"{items} {kind}" for kind, items in result.kinds.items())
    page.notes(
        [
            Note(
                f"{listed}; {counted(result.unchanged, 'unchanged pair')} left out; ± half of the "
                f"95% interval over pairs, {counted(result.resamples, 'resample')}, seed {result.seed}"
            )
        ]
    )


def _write_areas(result: LabelResult, page: Page) -> None:
    areas = result.metrics.values()
    columns = [
        ("auc", [_cell_sensitivity(every.auc) for every, _ in areas]),
        ("auc, matched length", [_cell_sensitivity(matched.auc) for _, matched in areas]),
        ("pairs", [str(matched.pairs) for _, matched in areas]),
    ]
    page.table("metric", list(result.metrics), columns)
    page.notes(
        [
            Note(
                f"{result.wrong} of {counted(result.outputs, 'output')} labelled as wrong; "
                f"lengths matched up to {result.window}; ± half of the 95% interval over outputs, "
                f"{counted(result.resamples, 'resample')}, seed {result.seed}"
            )
        ]
    )


def _cell_sensitivity(share: Share, *, percent: bool = False) -> str:
    value, low, high = share
    if value is None:
        return "undefined"
    scale, decimals = (100.0, 1) if percent else (1.0, 4)
    if low is None or high is None:
        return f"{scale * value:.{decimals}f}"
    return f"{scale * value:.{decimals}f} ±{scale * (high - low) / 2:.{decimals}f}"


def _percentage(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}" if whole else "undefined"

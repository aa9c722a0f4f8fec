"""Intervals and significance matrices as people and programs read them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from kilter.reports.short_name import short_names
from kilter.reports.table import (
    FULL_FORMATS,
    TableFormat,
    latex_text,
    table_writer,
    text_width,
    write_cells,
)
from kilter.structures.comparison import SignificanceTest
from kilter.structures.significance import Mark

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import TextIO

    from kilter.structures.comparison import Comparison, Interval, MetricComparison, Pair

# A terminal's width: eight systems fit side by side, more are continued below.
_PAGE = 100
_NAME_WIDTH = 16
_MATRIX_NAME_WIDTH = 9
_MATRIX_COLUMNS = 8
# Corrected p-values from here on say nothing that the mark 0 does not say.
_SMALL = 0.05
_TEST_HEADINGS = {
    SignificanceTest.BOOTSTRAP: "p boot",
    SignificanceTest.RANDOMISATION: "p rand",
    SignificanceTest.PERMUTATION: "p perm",
}
_TEST_NAMES = {
    SignificanceTest.BOOTSTRAP: "paired bootstrap",
    SignificanceTest.RANDOMISATION: "approximate randomisation",
    SignificanceTest.PERMUTATION: "sign-flip permutation",
}


def write_comparison(comparison: Comparison, out: TextIO, *, form: TableFormat) -> None:
    """Write everything a comparison found, in the layout of the format."""
    if form is TableFormat.JSON:
        json.dump(comparison.to_json(), out, ensure_ascii=False, indent=1, allow_nan=False)
        out.write("\n")
    elif form in FULL_FORMATS:
        _write_rows(list(_pair_rows(comparison)), _pair_columns(comparison), out, form)
    else:
        _write_pages(comparison, out, form)


def write_intervals(
    systems: Sequence[str],
    intervals: Mapping[str, Sequence[Interval]],
    out: TextIO,
    *,
    form: TableFormat,
    header: Mapping[str, Any] | None = None,
) -> None:
    """Write each metric's scores with their intervals: one row a system, or one a score in full."""
    if form not in FULL_FORMATS:
        _write_interval_pages(systems, intervals, out, form)
        return
    rows = [
        {
            "metric": metric,
            "system": system,
            "score": interval.score,
            "low": interval.low,
            "high": interval.high,
            "undefined_resamples": interval.undefined,
        }
        for metric, values in intervals.items()
        for system, interval in zip(systems, values, strict=True)
    ]
    names = ["metric", "system", "score", "low", "high", "undefined_resamples"]
    _write_rows(rows, names, out, form, header or {})


def _write_rows(
    rows: Sequence[Mapping[str, Any]],
    names: Sequence[str],
    out: TextIO,
    form: TableFormat,
    header: Mapping[str, Any] | None = None,
) -> None:
    writer = table_writer(form, out, names, header=header or {})
    writer.start()
    writer.rows({name: [row[name] for row in rows] for name in names})
    writer.end()


def _pair_columns(comparison: Comparison) -> list[str]:
    sides = [f"{side}_{key}" for side in ("first", "second") for key in ("score", "low", "high")]
    tests = [f"{kind}_{t}" for t in comparison.tests for kind in ("p", "holm", "holm_baseline")]
    return [
        *("metric", "first", "second", *sides, "difference", "low", "high", "share", "mark"),
        *(*tests, "exact_permutation", "standardised", "better", "equal", "worse"),
        "undefined_resamples",
    ]


def _pair_rows(comparison: Comparison) -> Iterator[dict[str, Any]]:
    for metric in comparison.metrics:
        intervals = dict(zip(comparison.systems, metric.intervals, strict=True))
        for pair in metric.pairs:
            row: dict[str, Any] = {"metric": metric.name, "first": pair.first}
            row["second"] = pair.second
            for side, system in (("first", pair.first), ("second", pair.second)):
                row[f"{side}_score"] = intervals[system].score
                row[f"{side}_low"] = intervals[system].low
                row[f"{side}_high"] = intervals[system].high
            for key in ("difference", "low", "high", "share"):
                row[key] = getattr(pair, key)
            row["mark"] = None if pair.mark is None else str(pair.mark)
            for test in comparison.tests:
                row[f"p_{test}"] = pair.p[test]
                row[f"holm_{test}"] = pair.holm[test]
                baseline = pair.holm_baseline
                row[f"holm_baseline_{test}"] = None if baseline is None else baseline[test]
            row["exact_permutation"] = pair.exact
            for key in ("standardised", "better", "equal", "worse"):
                row[key] = getattr(pair.effect, key)
            row["undefined_resamples"] = pair.undefined
            yield row


def _write_pages(comparison: Comparison, out: TextIO, form: TableFormat) -> None:
    """Write the intervals, then each metric against the baseline and pair by pair, then the legend."""
    level = f"{100 * comparison.resampling.level:g}%"
    _heading(out, form, f"scores with {level} intervals, {comparison.segments} segments")
    intervals = {metric.name: metric.intervals for metric in comparison.metrics}
    _write_interval_pages(comparison.systems, intervals, out, form)
    for metric in comparison.metrics:
        if not metric.pairs:
            continue
        out.write("\n")
        _heading(out, form, f"{metric.name}: against {comparison.baseline}")
        _write_baseline(comparison, metric, out, form)
        if len(comparison.systems) > 2:
            out.write("\n")
            _heading(out, form, f"{metric.name}: row against column")
            _write_matrix(comparison, metric, out, form)
    _write_legend(comparison, out, form)


def _heading(out: TextIO, form: TableFormat, text: str) -> None:
    if form is TableFormat.MD:
        out.write(f"### {text}\n\n")
    else:
        out.write(f"% {text}\n" if form is TableFormat.LATEX else f"{text}\n")


def _write_interval_pages(
    systems: Sequence[str],
    intervals: Mapping[str, Sequence[Interval]],
    out: TextIO,
    form: TableFormat,
) -> None:
    labels = _labels(systems, form, _NAME_WIDTH)
    columns = [
        (_labels([metric], form, _PAGE // 3)[0], [_interval_cell(each) for each in values])
        for metric, values in intervals.items()
    ]
    for place, band in enumerate(_bands(columns, form, max(map(text_width, ["system", *labels])))):
        if place:
            out.write("\n")
        names = ["system", *(name for name, _ in band)]
        rows = zip(labels, *(cells for _, cells in band), strict=True)
        write_cells(form, out, names, list(rows))


def _bands(
    columns: Sequence[tuple[str, list[str]]], form: TableFormat, used: int
) -> Iterator[list[tuple[str, list[str]]]]:
    """Yield as many columns at a time as fit the page; documents wrap for themselves."""
    band: list[tuple[str, list[str]]] = []
    width = used
    for name, cells in columns:
        needed = 2 + max(map(text_width, [name, *cells]))
        if band and form is TableFormat.TEXT and width + needed > _PAGE:
            yield band
            band, width = [], used
        band.append((name, cells))
        width += needed
    if band:
        yield band


def _write_baseline(
    comparison: Comparison, metric: MetricComparison, out: TextIO, form: TableFormat
) -> None:
    pairs = [pair for pair in metric.pairs if pair.holm_baseline is not None]
    names = ["system", "diff.", "interval", "mark", *(_TEST_HEADINGS[t] for t in comparison.tests)]
    labels = _labels([pair.second for pair in pairs], form, _NAME_WIDTH)
    rows = [
        [
            label,
            _signed(pair.difference),
            _bounds(pair.low, pair.high, _signed),
            "-" if pair.mark is None else str(pair.mark),
            *(_p_cell((pair.holm_baseline or {})[test]) for test in comparison.tests),
            _signed(pair.effect.standardised, digits=3),
            _segment_shares(pair),
        ]
        for label, pair in zip(labels, pairs, strict=True)
    ]
    write_cells(form, out, [*names, "d_z", "+/=/- %"], rows)


def _write_matrix(
    comparison: Comparison, metric: MetricComparison, out: TextIO, form: TableFormat
) -> None:
    systems = comparison.systems
    short = _labels(systems, form, _MATRIX_NAME_WIDTH)
    label = dict(zip(systems, short, strict=True))
    test = comparison.tests[0]
    for start in range(0, len(systems), _MATRIX_COLUMNS):
        band = systems[start : start + _MATRIX_COLUMNS]
        if start:
            out.write("\n")
        rows = [
            [label[row], *(_matrix_cell(metric, column, row, test) for column in band)]
            for row in systems
        ]
        write_cells(form, out, ["", *(label[column] for column in band)], rows)


def _matrix_cell(metric: MetricComparison, first: str, second: str, test: SignificanceTest) -> str:
    """Return mark and corrected p-value of the second system against the first."""
    if first == second:
        return "."
    pair = metric.pair(first, second)
    mark = None if pair is None else pair.mark
    if pair is None:
        pair = metric.pair(second, first)
        mark = None if pair is None or pair.mark is None else pair.mark.reversed()
    if pair is None or mark is None:
        return "-"
    p = pair.holm[test]
    if mark is Mark.OPEN and (p is None or p >= _SMALL):
        return str(mark)
    return f"{mark} {_p_cell(p).replace('0.', '.', 1)}"


def _write_legend(comparison: Comparison, out: TextIO, form: TableFormat) -> None:
    lines = list(_legend(comparison))
    if form is TableFormat.TEXT:
        lines.extend(_full_names(comparison.systems))
    if form is TableFormat.MD:
        out.write("\n" + "".join(f"- {line.replace('*', chr(92) + '*')}\n" for line in lines))
    elif form is TableFormat.LATEX:
        text = "\n".join(latex_text(line) for line in lines)
        out.write(f"\n\\par\\noindent{{\\footnotesize\n{text}\\par}}\n")
    else:
        out.write("\n" + "".join(f"{line}\n" for line in lines))


def _legend(comparison: Comparison) -> Iterator[str]:
    """Yield what a reader needs to know to read the tables; lines fit the page."""
    drawn = comparison.resampling
    yield f"{drawn.resamples} resamples of {comparison.segments} segments, seed {drawn.seed}."
    for metric in comparison.metrics:
        direction = "higher" if metric.higher_is_better else "lower"
        yield f"{metric.signature}: {direction} is better."
    if len(comparison.systems) < 2:
        return
    yield (
        f"Marks: the system (row) is better {Mark.SURELY_BETTER} / {Mark.BETTER} or worse "
        f"{Mark.SURELY_WORSE} / {Mark.WORSE} in at least 95% / 90%"
    )
    yield "of paired bootstrap resamples, a tie counting half; 0: neither."
    tests = ", ".join(_TEST_NAMES[test] for test in comparison.tests)
    yield f"p: two-sided, no difference; {tests}."
    yield f"p in matrices: {_TEST_NAMES[comparison.tests[0]]}; left out where the mark is 0 and p >= {_SMALL}."
    pairs = len(comparison.systems) * (len(comparison.systems) - 1) // 2
    yield (
        f"Multiple comparisons: p-values are Holm-corrected, over {len(comparison.systems) - 1} "
        f"against the baseline and {pairs} in"
    )
    yield "matrices, for each metric by itself; marks are not corrected, nor is anything across metrics."
    smallest = pairs / (1 + drawn.resamples)
    if smallest >= _SMALL / 5:
        yield (
            f"{drawn.resamples} resamples cannot give a corrected p below {smallest:.3f} "
            f"over {pairs} comparisons; more can."
        )
    yield "d_z: mean difference of segments over its standard deviation, + better."
    yield "+/=/- %: segments better / equal / worse than the baseline's."
    if SignificanceTest.PERMUTATION in comparison.tests:
        yield "The permutation test and d_z are for metrics that are means over segments; - elsewhere."
    undefined = sum(each.undefined for m in comparison.metrics for each in m.intervals)
    if undefined:
        yield (
            f"Undefined: a metric had no value in {undefined} resamples of systems, left out here."
        )


def _full_names(systems: Sequence[str]) -> Iterator[str]:
    labels = [short_names(systems, width=width) for width in (_NAME_WIDTH, _MATRIX_NAME_WIDTH)]
    for name, *short in zip(systems, *labels, strict=True):
        cut = dict.fromkeys(label for label in short if label != name)
        if cut:
            yield f"{', '.join(cut)}: {name}"


def _labels(names: Sequence[str], form: TableFormat, width: int) -> list[str]:
    return short_names(names, width=width) if form is TableFormat.TEXT else list(names)


def _score(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"


def _signed(value: float | None, digits: int = 4) -> str:
    return "-" if value is None else f"{value:+.{digits}f}"


def _bounds(low: float | None, high: float | None, show: Any) -> str:
    return "-" if low is None or high is None else f"[{show(low)}, {show(high)}]"


def _interval_cell(interval: Interval) -> str:
    if interval.score is None:
        return "-"
    return f"{_score(interval.score)} {_bounds(interval.low, interval.high, _score)}"


def _p_cell(p: float | None) -> str:
    if p is None:
        return "-"
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def _segment_shares(pair: Pair) -> str:
    counts = (pair.effect.better, pair.effect.equal, pair.effect.worse)
    segments = sum(counts)
    if not segments:
        return "-"
    return "/".join(f"{100 * count / segments:.0f}" for count in counts)

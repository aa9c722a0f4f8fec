"""Intervals and significance matrices as people and programs read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.core.counted import counted
from kilter.core.estimate import p_text
from kilter.core.table import Note
from kilter.render.markup import visible
from kilter.render.table.long_table import LongTable, write_result
from kilter.render.table.page import PAGE, Page
from kilter.render.table.score import purpose_notes
from kilter.results.comparison import TEST_NAMES, SignificanceTest, mark_note
from kilter.stats.significance import LEAST_SEGMENTS, Mark, MarkRule, evidence_note
from kilter.stats.split import apportioned

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import TextIO

    from kilter.core.estimate import Estimate
    from kilter.render.table.table import TableFormat
    from kilter.results.comparison import (
        Comparison,
        MetricComparison,
        Pair,
    )

PART_NOTE = (
    "Parts: what each contributes to a difference, by Shapley values in each segment; they add up to it, as "
    "printed too (largest remainders). p as above, for each part by itself."
)


def part_names(comparison: Comparison) -> list[str]:
    """Return the parts that some difference consists of."""
    pairs = (pair for metric in comparison.metrics for pair in metric.pairs)
    return list(dict.fromkeys(part.name for pair in pairs for part in pair.parts))


def part_columns(comparison: Comparison) -> list[str]:
    """Return the columns that programs read: difference, interval and p-values of each part."""
    kinds = [f"{kind}_{t}" for t in comparison.tests for kind in ("p", "holm", "holm_baseline")]
    keys = ["difference", "low", "high", *kinds]
    return [f"{name}_{key}" for name in part_names(comparison) for key in keys]


def part_cells(pair: Pair, tests: Iterable[SignificanceTest]) -> dict[str, object]:
    """Return what stands in these columns for one pair."""
    cells: dict[str, object] = {}
    for part in pair.parts:
        for key in ("difference", "low", "high"):
            cells[f"{part.name}_{key}"] = getattr(part, key)
        for test in tests:
            baseline = part.holm_baseline
            cells[f"{part.name}_p_{test}"] = part.p[test]
            cells[f"{part.name}_holm_{test}"] = part.holm[test]
            cells[f"{part.name}_holm_baseline_{test}"] = baseline[test] if baseline else None
    return cells


def printed_parts(pair: Pair) -> list[str]:
    """Return the parts with four decimals that add up to those of the difference."""
    total = 0.0 if pair.difference is None else pair.difference
    return [
        f"{value:+.4f}" for value in apportioned(total, [part.difference for part in pair.parts])
    ]


def part_table(
    pairs: Sequence[Pair], labels: dict[str, str], headings: dict[SignificanceTest, str]
) -> tuple[list[str], list[tuple[str, list[str]]]]:
    """Return the labels and columns of a table with one row for each part of each pair with the baseline."""
    rows = [
        (pair, part, shown)
        for pair in pairs
        for part, shown in zip(pair.parts, printed_parts(pair), strict=True)
    ]
    columns = [
        ("part", [part.name for _, part, _ in rows]),
        ("diff.", [shown for *_, shown in rows]),
        (
            "interval",
            [
                "-"
                if part.low is None or part.high is None
                else f"[{part.low:+.4f}, {part.high:+.4f}]"
                for _, part, _ in rows
            ],
        ),
    ]
    for test, heading in headings.items():
        p_values = [(part.holm_baseline or part.holm)[test] for _, part, _ in rows]
        columns.append((heading, [p_text(p, digits=3) for p in p_values]))
    return [labels[pair.second] for pair, *_ in rows], columns


def part_sentences(metric: str, pairs: Sequence[Pair], test: SignificanceTest) -> Iterator[str]:
    """Yield what each difference consists of in a sentence that can be quoted."""
    for pair in pairs:
        if pair.difference is None:
            continue
        parts = ", ".join(
            f"{shown} by {part.name}{bracketed_p((part.holm_baseline or part.holm)[test])}"
            for part, shown in zip(pair.parts, printed_parts(pair), strict=True)
        )
        first, second = visible(pair.first), visible(pair.second)
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
    if p is None:
        return ""
    cell = p_text(p, digits=3).replace("0.", ".", 1)
    return f" (p {cell})" if cell.startswith("<") else f" (p = {cell})"


# Corrected p-values from here on say nothing that the mark 0 does not say.
_SMALL = 0.05
_TEST_HEADINGS = {
    SignificanceTest.BOOTSTRAP: "p boot",
    SignificanceTest.RANDOMISATION: "p rand",
    SignificanceTest.PERMUTATION: "p perm",
}


def write_comparison(
    comparison: Comparison, out: TextIO, *, form: TableFormat, width: int = PAGE
) -> None:
    """Write everything a comparison found, in the layout of the format; text for so many columns."""
    write_result(
        out,
        form,
        document=comparison.to_dict,
        rows=lambda: LongTable.of(_pair_columns(comparison), _pair_rows(comparison)),
        page=lambda: _write_page(comparison, Page(out, form, width)),
    )


def _pair_columns(comparison: Comparison) -> list[str]:
    sides = [f"{side}_{key}" for side in ("first", "second") for key in ("score", "low", "high")]
    tests = [f"{kind}_{t}" for t in comparison.tests for kind in ("p", "holm", "holm_baseline")]
    return [
        *("metric", "first", "second", *sides, "difference", "low", "high"),
        *("share", "mark", "mark_baseline"),
        *(*tests, "exact_permutation", "standardised", "better", "equal", "worse"),
        *("undefined_resamples", "signature"),
        *part_columns(comparison),
    ]


def _pair_rows(comparison: Comparison) -> Iterator[dict[str, object]]:
    missing = dict.fromkeys(part_columns(comparison))
    for metric in comparison.metrics:
        intervals = dict(zip(comparison.systems, metric.intervals, strict=True))
        for pair in metric.pairs:
            row: dict[str, object] = {"metric": metric.name, "first": pair.first}
            row["second"] = pair.second
            for side, system in (("first", pair.first), ("second", pair.second)):
                row[f"{side}_score"] = intervals[system].value
                row[f"{side}_low"] = intervals[system].low
                row[f"{side}_high"] = intervals[system].high
            for key in ("difference", "low", "high", "share"):
                row[key] = getattr(pair, key)
            for key in ("mark", "mark_baseline"):
                mark = getattr(pair, key)
                row[key] = None if mark is None else str(mark)
            for test in comparison.tests:
                row[f"p_{test}"] = pair.p[test]
                row[f"holm_{test}"] = pair.holm[test]
                baseline = pair.holm_baseline
                row[f"holm_baseline_{test}"] = None if baseline is None else baseline[test]
            row["exact_permutation"] = pair.exact
            for key in ("standardised", "better", "equal", "worse"):
                row[key] = getattr(pair.effect, key)
            row["undefined_resamples"] = pair.undefined
            row["signature"] = metric.signature
            yield {**missing, **row, **part_cells(pair, comparison.tests)}


def _write_page(comparison: Comparison, page: Page) -> None:
    """Write the intervals, then each metric against the baseline and pair by pair, then the legend."""
    systems = comparison.systems
    level = f"{100 * comparison.resampling.level:g}%"
    page.start([*systems, *(metric.name for metric in comparison.metrics)])
    page.heading(f"scores with {level} intervals, {_segments(comparison)}")
    intervals = [
        (metric.name, [_interval_cell(each) for each in metric.intervals])
        for metric in comparison.metrics
    ]
    page.table("system", page.labels(systems), intervals)
    for metric in comparison.metrics:
        if not metric.pairs:
            continue
        page.out.write("\n")
        page.heading(f"{metric.name}: against {comparison.baseline}")
        _write_baseline(comparison, metric, page)
        _write_parts(comparison, metric, page)
        if len(systems) > 2:
            page.out.write("\n")
            page.heading(f"{metric.name}: row against column")
            test = comparison.tests[0]
            cells = [
                [_matrix_cell(metric, first, row, test) for first in systems] for row in systems
            ]
            page.matrix(systems, cells)
    page.notes([*_legend(comparison), *page.full_names(systems)])


def write_means(comparison: Comparison, page: Page, *, before: str = "") -> list[Note]:
    """Write the means of ratings and their pairs above other tables; return what marks stand for."""
    systems, (metric, *_) = comparison.systems, comparison.metrics
    drawn = comparison.resampling
    resamples = counted(drawn.count, "resample")
    page.heading(f"{before}ratings: means with {100 * drawn.level:g}% intervals, {resamples}")
    cells = [_interval_cell(each) for each in metric.intervals]
    page.table("system", page.labels(systems), [(metric.name, cells)])
    page.out.write("\n")
    page.heading(f"{before}ratings: row against column")
    test = comparison.tests[0]
    page.matrix(
        systems, [[_matrix_cell(metric, first, row, test) for first in systems] for row in systems]
    )
    page.out.write("\n")
    few = comparison.decision_note
    return [mark_note(comparison), *([Note(f"{few[0].upper()}{few[1:]}.")] if few else [])]


def _segments(comparison: Comparison) -> str:
    return counted(comparison.segments, "segment")


def _write_parts(comparison: Comparison, metric: MetricComparison, page: Page) -> None:
    """Write what the differences from the baseline consist of, where the metric tells."""
    pairs = [pair for pair in metric.pairs if pair.holm_baseline is not None and pair.parts]
    if not pairs:
        return
    page.out.write("\n")
    labels = dict(zip(comparison.systems, page.labels(comparison.systems), strict=True))
    page.heading(
        f"{metric.name}: what the differences from {labels[comparison.baseline]} consist of"
    )
    headings = {test: _TEST_HEADINGS[test] for test in comparison.tests}
    page.table("system", *part_table(pairs, labels, headings))
    page.notes(map(Note, part_sentences(metric.name, pairs, comparison.tests[0])))


def _write_baseline(comparison: Comparison, metric: MetricComparison, page: Page) -> None:
    pairs = [pair for pair in metric.pairs if pair.holm_baseline is not None]
    columns: list[tuple[str, list[str]]] = [
        ("diff.", [_signed(pair.difference) for pair in pairs]),
        ("interval", [_bounds(pair.low, pair.high, _signed) for pair in pairs]),
        (
            "mark",
            ["-" if pair.mark_baseline is None else str(pair.mark_baseline) for pair in pairs],
        ),
    ]
    for test in comparison.tests:
        p_values = [(pair.holm_baseline or {})[test] for pair in pairs]
        columns.append((_TEST_HEADINGS[test], [p_text(p, digits=3) for p in p_values]))
    columns.append(("d_z", [_signed(pair.effect.standardised, digits=3) for pair in pairs]))
    columns.append(("+/=/- %", [_segment_shares(pair) for pair in pairs]))
    # Shortened as in every other table, so that a label means the same system everywhere.
    labels = dict(zip(comparison.systems, page.labels(comparison.systems), strict=True))
    page.table("system", [labels[pair.second] for pair in pairs], columns)


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
    if mark in (Mark.OPEN, Mark.UNDECIDED) and (p is None or p >= _SMALL):
        return str(mark)
    return f"{mark} {p_text(p, digits=3).replace('0.', '.', 1)}"


def _legend(comparison: Comparison) -> Iterator[Note]:
    """Yield what a reader needs to know to read the tables."""
    drawn = comparison.resampling
    if comparison.segments < LEAST_SEGMENTS:
        yield Note(f"{_segments(comparison)}; nothing is resampled.")
    else:
        drawing = f"{counted(drawn.count, 'resample')} of {_segments(comparison)}"
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
            f"against the baseline and {pairs} in matrices, for each metric by itself; "
            + ("marks are not corrected, nor is" if by_share else "nothing is corrected")
            + (" anything across metrics." if by_share else " across metrics.")
        )
    else:
        yield Note("Multiple comparisons: nothing is corrected across metrics.")
    if few := comparison.decision_note:
        yield Note(f"{few[0].upper()}{few[1:]}.")
    if part_names(comparison):
        yield Note(PART_NOTE)
    yield Note(
        "d_z: mean difference of segments over its standard deviation, + better; - where a score is no "
        "mean over all segments."
    )
    yield Note(
        "+/=/- %: segments better / equal / worse than the baseline's. For both, a segment is scored as a "
        "system of its own."
    )
    if SignificanceTest.PERMUTATION in comparison.tests:
        yield Note(
            "The permutation test: - where a score is no mean over segments, or scores of some are missing."
        )
    undefined = sum(each.undefined for m in comparison.metrics for each in m.intervals)
    if undefined:
        yield Note(
            f"Undefined: a metric had no value in {counted(undefined, 'resample')} of systems, left "
            "out here."
        )


def _score(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"


def _signed(value: float | None, digits: int = 4) -> str:
    return "-" if value is None else f"{value:+.{digits}f}"


def _bounds(low: float | None, high: float | None, show: Callable[[float], str]) -> str:
    return "-" if low is None or high is None else f"[{show(low)}, {show(high)}]"


def _interval_cell(interval: Estimate) -> str:
    if interval.value is None or interval.low is None or interval.high is None:
        return _score(interval.value)
    return f"{_score(interval.value)} {_bounds(interval.low, interval.high, _score)}"


def _segment_shares(pair: Pair) -> str:
    counts = (pair.effect.better, pair.effect.equal, pair.effect.worse)
    segments = sum(counts)
    if not segments:
        return "-"
    return "/".join(f"{100 * count / segments:.0f}" for count in counts)

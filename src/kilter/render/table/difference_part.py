"""What differences consist of, as a table and in sentences to quote; printed parts add up to the whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.render.markup import visible
from kilter.render.table.p_value import p_cell
from kilter.stats.split import apportioned

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from kilter.results.comparison import Comparison, Pair, SignificanceTest

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
        columns.append((heading, [p_cell(p, digits=3) for p in p_values]))
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
    cell = p_cell(p, digits=3).replace("0.", ".", 1)
    return f" (p {cell})" if cell.startswith("<") else f" (p = {cell})"

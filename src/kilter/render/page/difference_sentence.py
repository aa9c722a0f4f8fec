"""What the difference between two systems consists of, in one sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kilter.core.counted import counted
from kilter.render.table.difference_part import bracketed_p, printed_parts
from kilter.render.table.p_value import p_cell
from kilter.results.order_error import ErrorKind, WordState

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kilter.results.comparison import MetricComparison, Pair, PartDifference
    from kilter.results.reported_systems import ReportedSystems

_SURE = 0.05
_MINUS = "\u2212"
_KINDS = {
    ErrorKind.SWAP: "swaps",
    ErrorKind.WORD: "words",
    ErrorKind.PHRASE: "phrases",
    ErrorKind.INVERSION: "inversions",
    ErrorKind.COMPLEX: "complex",
}
# The metrics of order of which the first that was computed is told in numbers.
_ORDERS = ("order", "kendall")


def difference_sentences(report: ReportedSystems) -> Iterator[tuple[str, str]]:
    """Yield the name of each system but the baseline, and in a sentence how it differs from that.

    In numbers by the first metric and by one of order; of the others, by how many it is better or worse; then its
    order errors, with those of the baseline in brackets.
    """
    comparison = report.comparison
    told = _told(report)
    for system in comparison.systems:
        if system == comparison.baseline:
            continue
        pairs = [(each, each.pair(comparison.baseline, system)) for each in comparison.metrics]
        found = [(metric, pair) for metric, pair in pairs if pair is not None]
        parts = [_in_numbers(report, metric, pair) for metric, pair in found if metric.name in told]
        others = [_verdict(metric, pair) for metric, pair in found if metric.name not in told]
        if others:
            parts.append(_counted_verdicts(others))
        if report.errors:
            parts.append(_in_errors(report, system))
        yield system, f"Against {comparison.baseline}, it is {'; '.join(parts)}."


def _told(report: ReportedSystems) -> list[str]:
    names = list(report.metrics)
    tools = {facts.tool: name for name, facts in reversed(report.metrics.items())}
    order = next((tools[tool] for tool in _ORDERS if tool in tools), None)
    return list(dict.fromkeys([names[0], order or names[min(1, len(names) - 1)]]))


def _verdict(metric: MetricComparison, pair: Pair) -> str:
    """Return better, worse or equal, or that it is not sure; in the words of a sentence."""
    if pair.difference is None:
        return "undefined"
    if pair.difference == 0:
        return "equal"
    better = (pair.difference > 0) == metric.higher_is_better
    p = _corrected(pair)
    sure = "" if p is not None and p < _SURE else "not significantly "
    return sure + ("better" if better else "worse")


def _in_numbers(report: ReportedSystems, metric: MetricComparison, pair: Pair) -> str:
    verdict = f"{_verdict(metric, pair)} by {metric.name}"
    if pair.difference is None:
        return verdict
    numbers = _signed(pair.difference)
    if pair.low is not None and pair.high is not None:
        level = round(100 * report.comparison.resampling.level)
        numbers += f", {level}% interval {_signed(pair.low)} to {_signed(pair.high)}"
    p = _corrected(pair)
    if p is not None:
        numbers += f", corrected p {p_cell(p)}"
    return f"{verdict} ({numbers}){_in_parts(pair)}"


def _in_parts(pair: Pair) -> str:
    """Return what the difference consists of, as `compare` prints it; nothing for a metric without parts."""
    if not pair.parts:
        return ""
    listed = [
        f"{shown.replace('-', _MINUS)} by {part.name}{bracketed_p(_corrected(part))}"
        for part, shown in zip(pair.parts, printed_parts(pair), strict=True)
    ]
    return f", of which {', '.join(listed)}"


def _signed(value: float) -> str:
    """Return a difference with its sign, as the page's tables write it; zero has none."""
    shown = f"{value:+.4f}".replace("-", _MINUS)
    return shown if float(f"{value:.4f}") else shown[1:]


def _counted_verdicts(verdicts: list[str]) -> str:
    kinds = dict.fromkeys(verdicts)
    listed = ", ".join(f"{kind} by {verdicts.count(kind)}" for kind in kinds)
    return f"of {counted(len(verdicts), 'further metric')} {listed}"


def _in_errors(report: ReportedSystems, system: str) -> str:
    """Return how many order errors the system has, and of which kinds, beside those of the baseline."""
    baseline = report.systems.index(report.comparison.baseline)
    counts, place = report.error_counts, report.systems.index(system)
    mine, theirs = counts[place], counts[baseline]
    kinds = ", ".join(
        f"{name} {mine[kind]} ({theirs[kind]})"
        for kind, name in _KINDS.items()
        if mine[kind] or theirs[kind]
    )
    listed = f": {kinds}" if kinds else ""
    other = report.comparison.baseline
    rates = [
        f"{100 * row.sum() / max(1, np.sum(errors.hypothesis_states == WordState.LINKED)):.1f}"
        for row, errors in ((mine, report.errors[place]), (theirs, report.errors[baseline]))
    ]
    return (
        f"it has {counted(int(mine.sum()), 'order error')} worth a look, {rates[0]} in 100 linked words, "
        f"{other} has {theirs.sum()}, {rates[1]} in 100{listed}"
    )


def _corrected(pair: Pair | PartDifference) -> float | None:
    """Return the p-value of the first test, corrected for all pairs with the baseline, as in `compare`."""
    corrected = pair.holm if pair.holm_baseline is None else pair.holm_baseline
    return next(iter(corrected.values()), None)

"""The hypotheses about variants and configurations. Section 13.4"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.core.counted import counted
from kilter.core.table import Table
from kilter.render.chart.frame import Caption, statement
from kilter.render.chart.mark import Bar
from kilter.render.chart.row_chart import Row, RowGroup, row_pages
from kilter.render.page.sub_report import Cell, SubReport, figure_pages
from kilter.run.meta.hypothesis import HypothesisResult
from kilter.stats.undefined import Undefined
from kilter.study.chapter.tool_family import variant_colour

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def hypothesis_figures(results: Sequence[HypothesisResult], *, simulated: bool) -> tuple[str, ...]:
    """Return the margins by which each variant supports the hypotheses, or fails to; the same ones once."""
    sections, drawn = list[RowGroup](), list[HypothesisResult]()
    for result in results:
        heading = f"{result.id}: {result.alternative}"
        if isinstance(result.supported, Undefined):
            sections.append(RowGroup(heading, result.supported))
            continue
        heading += f": {result.result}"
        same = [other.id for other in drawn if result.numbers.items() <= other.numbers.items()]
        if same:
            sections.append(RowGroup(f"{heading} (margins: see {same[0]})", ()))
            continue
        drawn.append(result)
        rows = [
            Row(name, [Bar(value=value, text=f"{value:+.3f}")], variant_colour(name))
            for name, value in result.numbers.items()
        ]
        sections.append(RowGroup(heading, rows))
    caption = Caption(
        title="Hypotheses: margins by variant",
        notes=[
            "Positive margins support the alternative.",
            "EVAL_CONF: spreads over configurations; it holds if none is above the threshold.",
        ],
        simulated=simulated,
    )
    if not sections:
        return (statement(caption, Undefined("there is no hypothesis")),)
    return row_pages(sections, caption=caption, axis="difference of correlations", rule=0.0)


def hypothesis_report(
    results: Sequence[HypothesisResult],
    *,
    baselines: Mapping[str, Sequence[float]],
    unadjusted: Sequence[HypothesisResult] = (),
    adjusted: bool,
    simulated: bool,
) -> SubReport:
    """Return the sub-report of the hypothesis table.

    `baselines` are correlations with order of what variants must outperform; `unadjusted` are the same
    hypotheses from unadjusted answers, where `results` are from adjusted ones.
    """
    plain = {each.id: each for each in unadjusted}
    beside = ("unadjusted",) if plain else ()
    return SubReport(
        name="hypotheses",
        title="Hypotheses",
        figures=figure_pages(hypothesis_figures(results, simulated=simulated)),
        text=(_outcome(results), *_differing(results, plain), _baseline_text(baselines)),
        data=Table(
            columns=(
                "id", "alternative", "result", *(f"{name} result" for name in beside), "supporting", "variant",
                "number",
            ),
            rows=tuple(row for each in results for row in _rows(each, plain.get(each.id))),
            left=5 + len(beside),
        ),
        shown=(
            Table(
                columns=("id", "supported when", "result", *beside, "supporting", "numbers"),
                rows=tuple(
                    (
                        each.id,
                        each.alternative,
                        _result(each),
                        *(_result(plain[each.id]) for _ in beside),
                        ", ".join(each.variants) or None,
                        _numbers(each),
                    )
                    for each in results
                ),
                left=5 + len(beside),
            ),
        ),
        notes=(
            (
                f"n: {counted(len(results), 'hypothesis', plural='hypotheses')}, from correlations over configurations on "
                f"translations, {'adjusted' if adjusted else 'unadjusted'}; variants without correlations are left out."
            ),
            (
                "T outperforms U if the smallest correlation of T is above the largest of U; T is at least as accurate "
                "if its largest is above the smallest of U. No test is made: a margin of 0.001 counts."
            ),
            (
                "Numbers are margins, positive where a variant supports the alternative; for EVAL_CONF they are "
                "differences between configurations, and the threshold is the standard deviation of all correlations "
                "of structured variants."
            ),
        ),
    )  # fmt: skip


def _outcome(results: Sequence[HypothesisResult]) -> str:
    supported = [
        f"{each.alternative} ({', '.join([each.id, *each.variants])})"
        for each in results
        if each.supported is True
    ]
    against = [each.id for each in results if each.supported is False]
    unknown = [each.id for each in results if isinstance(each.supported, Undefined)]
    return (
        f"Supported: {'; '.join(supported) or 'none'}. Not supported: {', '.join(against) or 'none'}. "
        f"Undefined: {', '.join(unknown) or 'none'}."
    )


def _differing(
    results: Sequence[HypothesisResult], plain: Mapping[str, HypothesisResult]
) -> tuple[str, ...]:
    """Return whether the adjustment of answers decides a hypothesis."""
    if not plain:
        return ()
    differ = [each.id for each in results if each.supported != plain[each.id].supported]
    if differ:
        return (f"With unadjusted answers the outcome of {', '.join(differ)} is another.",)
    return ("With unadjusted answers every outcome is the same.",)


def _baseline_text(baselines: Mapping[str, Sequence[float]]) -> str:
    """Return what variants are compared with, and which of these is the best."""
    known = {name: values for name, values in baselines.items() if values}
    absent = [name for name, values in baselines.items() if not values]
    if not known:
        return "There is no baseline with a correlation that a variant could outperform."
    best = max(known, key=lambda name: max(known[name]))
    listed = ", ".join(f"{name} {_span(values)}" for name, values in known.items())
    text = (
        f"The baselines are, with their correlations with order: {listed}. The highest is that of {best}: "
        f"a variant outperforms every baseline if all its configurations are above {max(known[best]):.3f}."
    )
    return text + (f" Without a correlation: {', '.join(absent)}." if absent else "")


def _span(values: Sequence[float]) -> str:
    low, high = min(values), max(values)
    return f"{high:.3f}" if len(values) == 1 else f"{low:.3f} to {high:.3f}"


def _result(each: HypothesisResult) -> str | Undefined:
    return each.supported if isinstance(each.supported, Undefined) else each.result


def _rows(each: HypothesisResult, plain: HypothesisResult | None) -> list[tuple[Cell, ...]]:
    said = (each.id, each.alternative, _result(each), *([] if plain is None else [_result(plain)]))
    supporting = " ".join(each.variants)
    if not each.numbers:
        return [(*said, supporting, None, None)]
    return [(*said, supporting, name, value) for name, value in each.numbers.items()]


def _numbers(each: HypothesisResult) -> str | None:
    return ", ".join(f"{name} {value:+.3f}" for name, value in each.numbers.items()) or None

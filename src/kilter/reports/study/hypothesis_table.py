"""The hypotheses about variants and configurations. Section 13.4"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.agreement.hypothesis import HypothesisResult
from kilter.counted import counted
from kilter.reports.chart.frame import Caption, statement
from kilter.reports.chart.mark import Bar
from kilter.reports.chart.row_chart import Row, RowGroup, row_chart
from kilter.reports.page.sub_report import Cell, Figure, ReportTable, SubReport
from kilter.statistics.undefined import Undefined

if TYPE_CHECKING:
    from collections.abc import Sequence


def hypothesis_figure(results: Sequence[HypothesisResult], *, simulated: bool) -> str:
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
            Row(name, [Bar(value=value, text=f"{value:+.3f}")])
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
        return statement(caption, Undefined("there is no hypothesis"))
    return row_chart(sections, caption=caption, axis="difference of correlations", rule=0.0)


def hypothesis_report(
    results: Sequence[HypothesisResult], *, adjusted: bool, simulated: bool
) -> SubReport:
    """Return the sub-report of the hypothesis table."""
    supported = [each.id for each in results if each.supported is True]
    against = [each.id for each in results if each.supported is False]
    unknown = [each.id for each in results if isinstance(each.supported, Undefined)]
    return SubReport(
        name="hypotheses",
        title="Hypotheses",
        figures=(Figure(svg=hypothesis_figure(results, simulated=simulated)),),
        text=(
            (
                f"Supported: {', '.join(supported) or 'none'}. Not supported: {', '.join(against) or 'none'}. "
                f"Undefined: {', '.join(unknown) or 'none'}."
            ),
        ),
        data=ReportTable(
            columns=("id", "alternative", "result", "supporting", "variant", "number"),
            rows=tuple(row for each in results for row in _rows(each)),
            left=5,
        ),
        shown=(
            ReportTable(
                columns=("id", "supported when", "result", "supporting", "numbers"),
                rows=tuple(
                    (
                        each.id,
                        each.alternative,
                        _result(each),
                        ", ".join(each.variants) or None,
                        _numbers(each),
                    )
                    for each in results
                ),
                left=5,
            ),
        ),
        notes=(
            (
                f"n: {counted(len(results), 'hypothesis', plural='hypotheses')}, from correlations over configurations on "
                f"translations, {'adjusted' if adjusted else 'unadjusted'}; variants without correlations are left out."
            ),
            (
                "T outperforms U if the smallest correlation of T is above the largest of U; T is at least as accurate "
                "if its largest is above the smallest of U."
            ),
            (
                "Numbers are margins, positive where a variant supports the alternative; for EVAL_CONF they are "
                "differences between configurations, and the threshold is the standard deviation of all correlations "
                "of structured variants."
            ),
        ),
    )


def _result(each: HypothesisResult) -> str | Undefined:
    return each.supported if isinstance(each.supported, Undefined) else each.result


def _rows(each: HypothesisResult) -> list[tuple[Cell, ...]]:
    supporting = " ".join(each.variants)
    if not each.numbers:
        return [(each.id, each.alternative, _result(each), supporting, None, None)]
    return [
        (each.id, each.alternative, _result(each), supporting, name, value)
        for name, value in each.numbers.items()
    ]


def _numbers(each: HypothesisResult) -> str | None:
    return ", ".join(f"{name} {value:+.3f}" for name, value in each.numbers.items()) or None

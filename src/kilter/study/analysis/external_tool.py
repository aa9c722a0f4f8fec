"""The table of external tools: how many translations they scored, and how well. Section 13.3"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.counted import counted
from kilter.core.table import Table, people_text
from kilter.render.chart.frame import Caption, statement
from kilter.render.chart.mark import Bar
from kilter.render.chart.row_chart import Row, RowGroup, row_pages
from kilter.render.page.sub_report import Cell, SubReport, figure_pages
from kilter.stats.undefined import Number, Undefined
from kilter.study.analysis.judged_correlation import (
    LEAST_COMMON,
    ChosenJudgments,
    Correlation,
    corrected,
)
from kilter.study.analysis.summary import said_p
from kilter.study.analysis.tool_correlation import COLUMNS, Correction, correlation_cells, stars
from kilter.study.analysis.tool_name import tool_label
from kilter.study.judgments.judgment_study import SentenceGroup

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kilter.study.analysis.adjustment import Adjustment, ToolKey
    from kilter.study.judgments.judgment_study import JudgmentStudy, ToolScores


@dataclass(frozen=True, slots=True, kw_only=True)
class ExternalCorrelation:
    """One row of the table of external tools: translations scored, their share in percent, rho and p.

    `unadjusted` is the correlation with answers as they were given.
    """

    question: str
    tool: str
    variant: str
    configuration: str
    count: int
    coverage: float
    correlation: Correlation | Undefined
    unadjusted: Correlation | Undefined


def external_correlations(
    study: JudgmentStudy,
    *,
    adjustments: Mapping[str, Adjustment] | None = None,
    by_tool: Mapping[ToolKey, Adjustment] | None = None,
) -> tuple[ExternalCorrelation, ...]:
    """Return the table of external tools on translations; fewer than 15 common sentences are undefined.

    Coverage is the percentage of the judged translations that a tool has scored. p-values are corrected
    over the tools of a question. `by_tool` are adjustments with the tool as the predictor.
    """
    chosen = study.rows(SentenceGroup.TRANSLATION)
    judged_sentences = np.unique(study.sentence[chosen])
    tools = [tool for tool in study.tools if tool.external]
    common = [int(np.count_nonzero(~np.isnan(tool.values[judged_sentences]))) for tool in tools]
    correlations = list[ExternalCorrelation]()
    for question in study.questions:
        plain = study.scores(question.name)
        adjustment = (adjustments or {}).get(question.name)
        found = {
            adjusted: corrected(
                _values(ChosenJudgments(study, plain, scores, chosen), tools, question.name, own)
            )
            for adjusted, scores, own in (
                (False, plain, None),
                (True, plain if adjustment is None else adjustment.scores, by_tool),
            )
        }
        correlations += [
            ExternalCorrelation(
                question=question.name,
                tool=tool.tool,
                variant=tool.variant,
                configuration=tool.configuration,
                count=count,
                coverage=100.0 * count / len(judged_sentences) if len(judged_sentences) else 0.0,
                correlation=value,
                unadjusted=before,
            )
            for tool, count, value, before in zip(
                tools, common, found[True], found[False], strict=True
            )
        ]
    return tuple(correlations)


def _values(
    judged: ChosenJudgments,
    tools: Sequence[ToolScores],
    question: str,
    by_tool: Mapping[ToolKey, Adjustment] | None,
) -> list[Correlation | Undefined]:
    if by_tool is None:
        return judged.correlations(tools)
    return [
        replace(
            judged, scores=by_tool[question, tool.name, tool.configuration].scores
        ).correlations([tool])[0]
        for tool in tools
    ]


def external_report(
    rows: Sequence[ExternalCorrelation], *, correction: Correction, simulated: bool
) -> SubReport:
    """Return the sub-report of tools whose scores were read from files."""
    kept = [row for row in rows if isinstance(row.correlation, Correlation)]
    tools = {(row.tool, row.variant, row.configuration) for row in rows}
    left_out = len(tools - {(row.tool, row.variant, row.configuration) for row in kept})
    text = "No scores of external tools were given."
    if rows:
        text = f"Scores of {counted(len(tools), 'external tool')} were read from files; "
        text += (
            f"without a correlation: {left_out}, for instance with fewer than {LEAST_COMMON} sentences in common "
            "with the study."
            if left_out
            else "all have a correlation."
        )
    return SubReport(
        name="external",
        title="External tools on translations",
        figures=figure_pages(external_figures(rows, simulated=simulated)) if rows else (),
        text=(text,),
        data=Table(
            columns=(
                "question",
                "tool",
                "variant",
                "configuration",
                "count",
                "coverage",
                *COLUMNS,
                "unadjusted_rho",
            ),
            rows=tuple(
                (
                    row.question,
                    row.tool,
                    row.variant,
                    row.configuration,
                    row.count,
                    row.coverage,
                    *correlation_cells(row.correlation),
                    _unadjusted(row),
                )
                for row in rows
            ),
            left=4,
        ),
        shown=(
            Table(
                columns=(
                    "question",
                    "tool",
                    "configuration",
                    "count",
                    "%",
                    "corr.",
                    "unadjusted",
                    "p-value",
                ),
                rows=tuple(
                    (
                        row.question,
                        tool_label(row.tool, row.variant),
                        row.configuration or None,
                        row.count,
                        f"{row.coverage:.1f}",
                        *_external_cells(row, correction),
                    )
                    for row in rows
                ),
                left=3,
            ),
        )
        if rows
        else (),
        notes=(
            (
                f"n: translations with a score (count), in percent of all judged ones; tools with fewer than "
                f"{LEAST_COMMON} common sentences are left out. corr.: with adjusted answers where there are any, "
                "unadjusted: with answers as they were given, which the test is made on; it takes judgments of one "
                "sentence for independent."
            ),
        ),
    )


def _external_cells(row: ExternalCorrelation, correction: Correction) -> tuple[Cell, Cell, Cell]:
    value = row.correlation
    if isinstance(value, Undefined):
        return value, value, value
    shown: Number = value.p
    if isinstance(shown, Undefined):
        return value.rho, _unadjusted(row), shown
    told = people_text(shown) if shown else said_p(shown)
    return value.rho, _unadjusted(row), told + stars([value], correction)


def _unadjusted(row: ExternalCorrelation) -> Number:
    return row.unadjusted if isinstance(row.unadjusted, Undefined) else row.unadjusted.rho


def external_figures(rows: Sequence[ExternalCorrelation], *, simulated: bool) -> tuple[str, ...]:
    """Return the correlations of tools whose scores were read from files, with their coverage."""
    caption = Caption(
        title="Correlation of external tools with judgments of translations",
        notes=["* significant at 0.05, uncorrected, by unadjusted judgments."],
        simulated=simulated,
    )
    if not rows:
        return (statement(caption, Undefined("no scores of external tools were given")),)
    questions = list(dict.fromkeys(row.question for row in rows))
    by_tool = {(row.tool, row.variant, row.configuration, row.question): row for row in rows}
    listed = []
    for tool, variant, configuration in dict.fromkeys(key[:3] for key in by_tool):
        entries = [by_tool[tool, variant, configuration, question] for question in questions]
        name = tool_label(tool, variant) + (f", {configuration}" if configuration else "")
        scored = f"{entries[0].count} sentences, {entries[0].coverage:.0f}%"
        listed.append(Row(f"{name} ({scored})", [_external(entry) for entry in entries]))
    return row_pages(
        [RowGroup("", listed)],
        caption=caption,
        axis="Spearman's rho",
        series=questions,
        rule=0.0,
    )


def _external(entry: ExternalCorrelation) -> Bar | Undefined:
    correlation = entry.correlation
    if isinstance(correlation, Undefined):
        return correlation
    star = " *" if correlation.is_significant else ""
    p = correlation.p if isinstance(correlation.p, Undefined) else _told(correlation.p)
    return Bar(value=correlation.rho, text=f"{correlation.rho:.3f} (p {p}){star}")


def _told(p: float) -> str:
    return f"{p:.3g}" if p else said_p(p)

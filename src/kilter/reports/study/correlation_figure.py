"""Figures of correlations with tools: by question, configuration and subgroup. Sections 13.3 to 13.5"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.agreement.hypothesis import HypothesisResult
from kilter.counted import counted
from kilter.reports.chart.drawing import INK, Style
from kilter.reports.chart.frame import Caption, Key, statement
from kilter.reports.chart.mark import Bar, Dot
from kilter.reports.chart.row_chart import Row, RowGroup, row_chart
from kilter.reports.chart.sentence_label import sentence_label
from kilter.reports.chart.tool_label import tool_label
from kilter.statistics.undefined import Undefined

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kilter.survey.analysis.external_tool import ExternalCorrelation
    from kilter.survey.analysis.judgment_study import SentenceGroup
    from kilter.survey.analysis.subgroup import Subgroup
    from kilter.survey.analysis.tool_correlation import ToolCorrelation

    Tool = tuple[str, str]

_STAR = "* significant at 0.05 in all configurations, uncorrected, by unadjusted judgments."
_AXIS = "Spearman's rho, bar: largest over configurations"
_LEAST = Key("smallest over configurations", "stroke", Style(INK, "", "", ""))
_NOTHING = Undefined("no tool was correlated with these judgments")


def correlation_figure(
    rows: Sequence[ToolCorrelation],
    *,
    sentences: SentenceGroup,
    adjusted: bool = True,
    group: str = "all",
    simulated: bool,
) -> str:
    """Return every tool's correlation with each question, for one group of sentences and participants."""
    chosen = _chosen(rows, sentences, adjusted=adjusted)
    series = {
        row.question: {
            _tool(other): other for other in chosen if _is_of(other, row.question, group)
        }
        for row in chosen
        if row.group == group
    }
    who = "" if group == "all" else f", participants {group}"
    title = f"Correlation of tools with judgments: {sentence_label(sentences)}{who}"
    return _side_by_side(series, series, title, adjusted=adjusted, simulated=simulated)


def subgroup_figure(
    rows: Sequence[ToolCorrelation],
    *,
    question: str,
    sentences: SentenceGroup,
    groups: Sequence[Subgroup],
    adjusted: bool = True,
    simulated: bool,
) -> str:
    """Return every tool's correlation with one question, subgroups of participants side by side."""
    chosen = _chosen(rows, sentences, adjusted=adjusted)
    series = {
        group.name: {_tool(row): row for row in chosen if _is_of(row, question, group.name)}
        for group in groups
    }
    sizes = {
        group.name: f"{group.name} ({counted(group.participants, 'participant')}, "
        f"{counted(group.judgments, 'judgment')})"
        for group in groups
    }
    title = f"Correlation of tools with {question} by subgroup: {sentence_label(sentences)}"
    return _side_by_side(series, sizes, title, adjusted=adjusted, simulated=simulated)


def _side_by_side(
    series: Mapping[str, Mapping[Tool, ToolCorrelation]],
    names: Mapping[str, object],
    title: str,
    *,
    adjusted: bool,
    simulated: bool,
) -> str:
    everything = [row for found in series.values() for row in found.values()]
    missing = max((row.missing for row in everything), default=0)
    left_out = [f"Judgments without answer, left out: {missing}."] if missing else []
    caption = Caption(
        title=f"{title} ({'adjusted' if adjusted else 'unadjusted'})",
        notes=[_STAR, "f: flattened.", *left_out],
        simulated=simulated,
    )
    tools = list(dict.fromkeys(tool for found in series.values() for tool in found))
    if not tools:
        return statement(caption, _NOTHING)
    nothing = Undefined("not correlated with these judgments")
    listed = [
        Row(
            tool_label(*tool),
            [_bar(found[tool]) if tool in found else nothing for found in series.values()],
        )
        for tool in tools
    ]
    labels = [name if isinstance(name, str) else key for key, name in names.items()]
    return row_chart(
        [RowGroup("", listed)],
        caption=caption,
        axis=f"{_AXIS} ({_judgments(everything)})",
        series=labels,
        keys=[_LEAST],
        rule=0.0,
    )


def configuration_figure(
    rows: Sequence[ToolCorrelation],
    *,
    question: str,
    sentences: SentenceGroup,
    adjusted: bool = True,
    group: str = "all",
    simulated: bool,
) -> str:
    """Return the correlations of every tool in each configuration, and their range."""
    chosen = [
        row for row in _chosen(rows, sentences, adjusted=adjusted) if _is_of(row, question, group)
    ]
    caption = Caption(
        title=f"Correlation of tools with {question} in each configuration: {sentence_label(sentences)} "
        f"({'adjusted' if adjusted else 'unadjusted'})",
        notes=[
            "The marker is the mean over configurations, the line their range.",
            "f: flattened.",
        ],
        simulated=simulated,
    )
    if not chosen:
        return statement(caption, _NOTHING)
    listed = [Row(tool_label(row.tool, row.variant), [_range(row)]) for row in chosen]
    return row_chart(
        [RowGroup("", listed)],
        caption=caption,
        axis=f"Spearman's rho ({_judgments(chosen)})",
        keys=[Key("one configuration", "stroke", Style(INK, "", "", ""))],
        rule=0.0,
    )


def external_figure(rows: Sequence[ExternalCorrelation], *, simulated: bool) -> str:
    """Return the correlations of tools whose scores were read from files, with their coverage."""
    caption = Caption(
        title="Correlation of external tools with judgments of translations",
        notes=["* significant at 0.05, uncorrected, by unadjusted judgments."],
        simulated=simulated,
    )
    if not rows:
        return statement(caption, Undefined("no scores of external tools were given"))
    questions = list(dict.fromkeys(row.question for row in rows))
    found = {(row.tool, row.variant, row.configuration, row.question): row for row in rows}
    listed = []
    for tool, variant, configuration in dict.fromkeys(key[:3] for key in found):
        entries = [found[tool, variant, configuration, question] for question in questions]
        name = tool_label(tool, variant) + (f", {configuration}" if configuration else "")
        scored = f"{entries[0].count} sentences, {entries[0].coverage:.0f}%"
        listed.append(Row(f"{name} ({scored})", [_external(entry) for entry in entries]))
    return row_chart(
        [RowGroup("", listed)],
        caption=caption,
        axis="Spearman's rho",
        series=questions,
        rule=0.0,
    )


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


def _chosen(
    rows: Sequence[ToolCorrelation], sentences: SentenceGroup, *, adjusted: bool
) -> list[ToolCorrelation]:
    return [row for row in rows if row.sentences == sentences and row.adjusted == adjusted]


def _is_of(row: ToolCorrelation, question: str, group: str) -> bool:
    return (row.question, row.group) == (question, group)


def _tool(row: ToolCorrelation) -> Tool:
    return row.tool, row.variant


def _bar(row: ToolCorrelation) -> Bar | Undefined:
    """Return the largest correlation as a bar and the smallest as a stroke; a reason if there is none."""
    if isinstance(row.highest, Undefined) or isinstance(row.lowest, Undefined):
        reasons = [value for value in row.configurations.values() if isinstance(value, Undefined)]
        return reasons[0] if reasons else _NOTHING
    star = " *" if row.is_starred else ""
    several = len(row.configurations) > 1
    text = f"{row.highest:.3f}" + (f" (min {row.lowest:.3f})" if several else "") + star
    return Bar(value=row.highest, least=row.lowest if several else None, text=text)


def _range(row: ToolCorrelation) -> Dot | Undefined:
    values = [
        value.rho for value in row.configurations.values() if not isinstance(value, Undefined)
    ]
    if not values:
        return next(
            (value for value in row.configurations.values() if isinstance(value, Undefined)),
            _NOTHING,
        )
    low, high, mean = min(values), max(values), sum(values) / len(values)
    text = f"{low:.3f} to {high:.3f} (of {len(values)})" if len(values) > 1 else f"{mean:.3f}"
    return Dot(value=mean, low=low, high=high, strokes=values, text=text)


def _external(entry: ExternalCorrelation) -> Bar | Undefined:
    found = entry.correlation
    if isinstance(found, Undefined):
        return found
    star = " *" if found.is_significant else ""
    p = found.p if isinstance(found.p, Undefined) else f"{found.p:.3g}"
    return Bar(value=found.rho, text=f"{found.rho:.3f} (p {p}){star}")


def _judgments(rows: Sequence[ToolCorrelation]) -> str:
    """Return how many judgments the correlations are of."""
    counts = {
        value.judgments
        for row in rows
        for value in row.configurations.values()
        if not isinstance(value, Undefined)
    }
    if not counts:
        return "n = 0 judgments"
    low, high = min(counts), max(counts)
    return f"n = {counted(high, 'judgment')}" if low == high else f"n = {low} to {high} judgments"

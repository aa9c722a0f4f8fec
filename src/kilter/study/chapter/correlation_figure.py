"""Figures of the correlations of judgments with every tool. Section 13.3"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from kilter.core.counted import counted
from kilter.render.chart.drawing import INK, Style
from kilter.render.chart.frame import Caption, Key, statement
from kilter.render.chart.mark import Bar, Dot
from kilter.render.chart.row_chart import Row, RowGroup, row_pages
from kilter.stats.undefined import Undefined
from kilter.study.chapter.sentence_label import sentence_label
from kilter.study.chapter.tool_family import (
    PUBLISHED,
    ToolFamily,
    family_colour,
    family_keys,
    tool_family,
    tool_place,
)
from kilter.study.chapter.tool_label import tool_label

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kilter.render.chart.mark import Mark
    from kilter.study.analysis.judgment_study import SentenceGroup
    from kilter.study.analysis.tool_correlation import ToolCorrelation

    Tool = tuple[str, str]

_STAR = "* significant at 0.05 in all configurations, uncorrected, by unadjusted judgments."
_AXIS = "Spearman's rho, bar: largest over configurations"
_LEAST = Key("smallest over configurations", "stroke", Style(INK, "", "", ""))
_NOTHING = Undefined("no tool was correlated with these judgments")


def correlation_figures(
    rows: Sequence[ToolCorrelation],
    *,
    sentences: SentenceGroup,
    adjusted: bool = True,
    group: str = "all",
    simulated: bool,
) -> tuple[str, ...]:
    """Return every tool's correlation with each question, for one group of sentences and participants."""
    chosen = on_sentences_of(rows, sentences, adjusted=adjusted)
    series = {
        row.question: {
            tool_of(other): other for other in chosen if is_of(other, row.question, group)
        }
        for row in chosen
        if row.group == group
    }
    who = "" if group == "all" else f", participants {group}"
    title = f"Correlation of tools with judgments: {sentence_label(sentences)}{who}"
    return side_by_side(series, series, title, adjusted=adjusted, simulated=simulated)


def side_by_side(
    series: Mapping[str, Mapping[Tool, ToolCorrelation]],
    names: Mapping[str, object],
    title: str,
    *,
    adjusted: bool,
    simulated: bool,
) -> tuple[str, ...]:
    """Return the figures of several series of correlations, tool by tool, coloured by family."""
    everything = [row for by_tool in series.values() for row in by_tool.values()]
    missing = max((row.missing for row in everything), default=0)
    left_out = [f"Judgments without answer, left out: {missing}."] if missing else []
    caption = Caption(
        title=f"{title} ({'adjusted' if adjusted else 'unadjusted'})",
        notes=[_STAR, "f: flattened.", *left_out],
        simulated=simulated,
    )
    families = {
        tool_of(row): tool_family(row.tool, row.variant, external=row.external)
        for row in sorted(everything, key=_placed)
    }
    if not families:
        return (statement(caption, _NOTHING),)
    nothing = Undefined("not correlated with these judgments")
    listed = {
        tool: [_bar(by_tool[tool]) if tool in by_tool else nothing for by_tool in series.values()]
        for tool in families
    }
    labels = [name if isinstance(name, str) else key for key, name in names.items()]

    def pages(tools: Mapping[Tool, ToolFamily], titled: Caption) -> tuple[str, ...]:
        return row_pages(
            _by_family({tool: listed[tool] for tool in tools}, tools),
            caption=titled,
            axis=f"{_AXIS} ({_judgments(everything)})",
            series=labels,
            keys=[*family_keys(tools.values()), _LEAST],
            rule=0.0,
        )

    together = pages(families, caption)
    if len(together) == 1:
        return together
    # Where one page cannot hold all, what [TH] compares stands by itself, on a scale of its own.
    published = {tool: family for tool, family in families.items() if family in PUBLISHED}
    others = {tool: family for tool, family in families.items() if family not in PUBLISHED}
    parts = {"published tools": published, "other tools": others}
    return tuple(
        page
        for name, tools in parts.items()
        if tools
        for page in pages(tools, replace(caption, title=f"{caption.title}, {name}"))
    )


def _placed(row: ToolCorrelation) -> tuple[int, int]:
    return tool_place(row.tool, row.variant, external=row.external)


def _by_family(
    marks: Mapping[Tool, Sequence[Mark | Undefined]], families: Mapping[Tool, ToolFamily]
) -> list[RowGroup]:
    """Return rows of tools by family: those that [TH] compares stand together, the others after them."""
    published = [tool for family in PUBLISHED for tool in marks if families[tool] is family]
    others = [
        [tool for tool in marks if families[tool] is family]
        for family in ToolFamily
        if family not in PUBLISHED
    ]
    return [
        RowGroup(
            "",
            [Row(tool_label(*tool), marks[tool], family_colour(families[tool])) for tool in tools],
        )
        for tools in (published, *others)
        if tools
    ]


def configuration_figures(
    rows: Sequence[ToolCorrelation],
    *,
    question: str,
    sentences: SentenceGroup,
    adjusted: bool = True,
    group: str = "all",
    simulated: bool,
) -> tuple[str, ...]:
    """Return the correlations of every tool in each configuration, and their range."""
    chosen = [
        row
        for row in on_sentences_of(rows, sentences, adjusted=adjusted)
        if is_of(row, question, group)
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
        return (statement(caption, _NOTHING),)
    families = {
        tool_of(row): tool_family(row.tool, row.variant, external=row.external) for row in chosen
    }
    return row_pages(
        _by_family(
            {tool_of(row): [_range_dot(row)] for row in sorted(chosen, key=_placed)}, families
        ),
        caption=caption,
        axis=f"Spearman's rho ({_judgments(chosen)})",
        keys=[
            *family_keys(families.values(), shape="marker"),
            Key("one configuration", "stroke", Style(INK, "", "", "")),
        ],
        rule=0.0,
    )


def on_sentences_of(
    rows: Sequence[ToolCorrelation], sentences: SentenceGroup, *, adjusted: bool
) -> list[ToolCorrelation]:
    """Return the correlations on these sentences, with adjusted judgments or without."""
    return [row for row in rows if row.sentences == sentences and row.adjusted == adjusted]


def is_of(row: ToolCorrelation, question: str, group: str) -> bool:
    """Return whether a correlation is of this question and group of participants."""
    return (row.question, row.group) == (question, group)


def tool_of(row: ToolCorrelation) -> Tool:
    """Return what a correlation is of: a tool and its variant."""
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


def _range_dot(row: ToolCorrelation) -> Dot | Undefined:
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

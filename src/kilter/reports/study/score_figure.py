"""Figures of scores: distributions of every tool, permutations whose length changed. Section 13.1"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.reports.chart.frame import Caption, statement
from kilter.reports.chart.mark import Bar, Histogram
from kilter.reports.chart.row_chart import Row, RowGroup, row_chart
from kilter.reports.chart.tool_label import tool_label
from kilter.statistics.undefined import Undefined

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kilter.survey.analysis.score_distribution import ScoreDistribution, TokenChange


def score_figure(distributions: Sequence[ScoreDistribution], *, simulated: bool) -> str:
    """Return the distribution of scores of every tool and variant, by configuration."""
    caption = Caption(
        title="Scores of tools",
        notes=[
            "Columns count sentences, the most frequent equally high in each row; triangles are medians.",
        ],
        simulated=simulated,
    )
    if not distributions:
        return statement(caption, Undefined("no tool has scored the sentences"))
    sections = [
        RowGroup(
            configuration or "without aligner and parser",
            [
                Row(tool_label(found.tool, found.variant), [_histogram(found)])
                for found in distributions
                if found.configuration == configuration
            ],
        )
        for configuration in dict.fromkeys(found.configuration for found in distributions)
    ]
    return row_chart(sections, caption=caption, axis="score")


def _histogram(found: ScoreDistribution) -> Histogram | Undefined:
    summary = found.summary
    if isinstance(summary.median, Undefined):
        return summary.median
    missing = f", {summary.missing} missing" if summary.missing else ""
    return Histogram(
        edges=found.edges,
        counts=found.counts,
        median=summary.median,
        text=f"median {summary.median:.3f} (n = {summary.count}{missing})",
    )


def token_change_figure(changes: Sequence[TokenChange] | Undefined, *, simulated: bool) -> str:
    """Return the share of permutations whose number of words changed, by type."""
    caption = Caption(title="Permutations whose number of words changed", simulated=simulated)
    if isinstance(changes, Undefined):
        return statement(caption, changes)
    rows = [
        Row(
            f"{change.type} (n = {change.sentences})",
            [
                change.changed
                if isinstance(change.changed, Undefined)
                else Bar(value=100 * change.changed, text=f"{100 * change.changed:.1f}%")
            ],
        )
        for change in changes
    ]
    return row_chart(
        [RowGroup("", rows)],
        caption=caption,
        axis="share of permutations in percent",
        reach=(0.0, 100.0),
    )

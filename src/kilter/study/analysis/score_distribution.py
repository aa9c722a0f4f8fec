"""Scores of every tool, and permutations whose number of words changed. Section 13.1"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.counted import counted
from kilter.core.table import Table
from kilter.render.chart.frame import Caption, statement
from kilter.render.chart.mark import Bar, Histogram
from kilter.render.chart.row_chart import Row, RowGroup, row_chart, row_pages
from kilter.render.page.sub_report import Figure, SubReport, figure_pages
from kilter.stats.undefined import Number, Undefined
from kilter.study.analysis.summary import SUMMARY, Summary, summarise, summary_cells
from kilter.study.analysis.tool_name import (
    ToolFamily,
    family_colour,
    family_keys,
    tool_family,
    tool_label,
    variant_name,
)
from kilter.study.judgments.judgment_study import SentenceGroup

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kilter.study.judgments.judgment_study import JudgmentStudy


BINS = 20
_UNCHANGED = 0.5
"""The fb score of two sentences of equal length: every word of both is renamed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreDistribution:
    """A tool's scores of the sentences of a group; `edges` has one number more than `counts`."""

    tool: str
    variant: str
    configuration: str
    external: bool
    sentences: SentenceGroup
    summary: Summary
    edges: tuple[float, ...]
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenChange:
    """Permutations of one type: how many there are, and the share whose flat b score is not 0.5."""

    type: SentenceGroup
    sentences: int
    changed: Number


def score_distributions(
    study: JudgmentStudy, *, sentences: SentenceGroup = SentenceGroup.ALL
) -> tuple[ScoreDistribution, ...]:
    """Return the distribution of every tool, variant and configuration.

    Bins are equally wide between 0 and 1, or between the smallest and largest score where these are
    outside.
    """
    chosen = study.group(sentences)
    distributions = []
    for scores in study.tools:
        values = scores.values[chosen]
        known = values[~np.isnan(values)]
        low, high = min(0.0, known.min(initial=0.0)), max(1.0, known.max(initial=1.0))
        counts, edges = np.histogram(known, bins=BINS, range=(low, high))
        distributions.append(
            ScoreDistribution(
                tool=scores.tool,
                variant=scores.variant,
                configuration=scores.configuration,
                external=scores.external,
                sentences=sentences,
                summary=summarise(values),
                edges=tuple(edges.tolist()),
                counts=tuple(counts.tolist()),
            )
        )
    return tuple(distributions)


def token_changes(study: JudgmentStudy) -> tuple[TokenChange, ...] | Undefined:
    """Return the share of permuted sentences, by type, whose fb score differs from 0.5.

    It is that of two sentences of equal length; a difference says that the number of words changed.
    """
    flat = [scores for scores in study.tools if variant_name(scores.tool, scores.variant) == "fb"]
    if not flat:
        return Undefined("there are no fb scores; score with dted:variant=b,flat=true")
    values = flat[0].values
    changes = []
    for kind in study.reported[1:]:
        known = values[study.group(kind)]
        known = known[~np.isnan(known)]
        changed: Number = Undefined(f"there is no scored permutation of type {kind}")
        if len(known):
            changed = float(np.mean(np.abs(known - _UNCHANGED) > 1e-12))
        changes.append(TokenChange(type=kind, sentences=len(known), changed=changed))
    return tuple(changes)


_GROUPS = (SentenceGroup.ALL, SentenceGroup.TRANSLATION, SentenceGroup.PERMUTATION)


def score_figures(
    distributions: Sequence[ScoreDistribution], *, simulated: bool
) -> tuple[str, ...]:
    """Return the distribution of scores of every tool and variant, by configuration."""
    caption = Caption(
        title="Scores of tools",
        notes=[
            "Columns count sentences, the most frequent equally high in each row; triangles are medians.",
        ],
        simulated=simulated,
    )
    if not distributions:
        return (statement(caption, Undefined("no tool has scored the sentences")),)
    families = {id(each): _family(each) for each in distributions}
    sections = [
        RowGroup(
            configuration or "without aligner and parser",
            [
                Row(
                    tool_label(each.tool, each.variant),
                    [_histogram(each)],
                    family_colour(families[id(each)]),
                )
                for each in distributions
                if each.configuration == configuration
            ],
        )
        for configuration in dict.fromkeys(
            distribution.configuration for distribution in distributions
        )
    ]
    return row_pages(
        sections, caption=caption, axis="score", keys=family_keys(families.values(), shape="shade")
    )


def _family(each: ScoreDistribution) -> ToolFamily:
    return tool_family(each.tool, each.variant, external=each.external)


def _histogram(distribution: ScoreDistribution) -> Histogram | Undefined:
    summary = distribution.summary
    if isinstance(summary.median, Undefined):
        return summary.median
    missing = f", {summary.missing} missing" if summary.missing else ""
    return Histogram(
        edges=distribution.edges,
        counts=distribution.counts,
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


def score_report(study: JudgmentStudy) -> SubReport:
    """Return the sub-report of score distributions."""
    distributions = [
        each for group in _GROUPS for each in score_distributions(study, sentences=group)
    ]
    everything = [each for each in distributions if each.sentences is SentenceGroup.ALL]
    tools = list(dict.fromkeys((each.tool, each.variant) for each in everything))
    first = {(each.tool, each.variant): each for each in reversed(everything)}
    lacking = sum(each.summary.missing > 0 for each in everything)
    return SubReport(
        name="scores",
        title="Scores of the tools",
        figures=figure_pages(
            score_figures([first[tool] for tool in tools], simulated=study.simulated)
        ),
        text=(
            (
                f"{counted(len(tools), 'tool')} or variants give {counted(len(everything), 'column')} of scores, one "
                f"for each configuration that matters; {lacking} of them lack some sentences."
            ),
        ),
        data=Table(
            columns=("tool", "variant", "configuration", "sentences", *SUMMARY, "bins", "counts"),
            rows=tuple(
                (
                    each.tool,
                    each.variant,
                    each.configuration,
                    str(each.sentences),
                    *summary_cells(each.summary),
                    _joined(each.edges),
                    _joined(each.counts),
                )
                for each in distributions
            ),
            left=4,
        ),
        shown=(
            Table(
                columns=(
                    "tool",
                    "configuration",
                    "n",
                    "missing",
                    "mean",
                    "deviation",
                    "median",
                    "range",
                ),
                rows=tuple(
                    (
                        tool_label(each.tool, each.variant),
                        each.configuration or None,
                        *summary_cells(each.summary)[:5],
                        _range(each),
                    )
                    for each in everything
                ),
                left=2,
                title="Scores of all judged sentences",
            ),
        ),
        notes=(
            (
                "n: sentences with a score; missing: sentences without one, which are left out. A configuration "
                "names the aligner and the parser where they matter; the figure shows the first one of each tool."
            ),
        ),
    )


def _joined(values: tuple[float, ...] | tuple[int, ...]) -> str:
    return " ".join(f"{value:g}" for value in values)


def _range(each: ScoreDistribution) -> str | Undefined:
    low, high = each.summary.lowest, each.summary.highest
    if isinstance(low, Undefined):
        return low
    if isinstance(high, Undefined):
        return high
    return f"{low:.3f} to {high:.3f}"


def token_report(study: JudgmentStudy) -> SubReport:
    """Return the sub-report of permutations whose number of words changed."""
    changes = token_changes(study)
    known = () if isinstance(changes, Undefined) else changes
    text = (
        str(changes).capitalize()
        if isinstance(changes, Undefined)
        else "; ".join(
            f"{each.type}: {each.changed if isinstance(each.changed, Undefined) else f'{each.changed:.1%}'}"
            for each in changes
        )
    )
    return SubReport(
        name="words",
        title="Permutations that change the number of words",
        figures=(Figure(svg=token_change_figure(changes, simulated=study.simulated)),),
        text=(f"Share of permuted sentences whose flat b score differs from 0.5: {text}.",),
        data=Table(
            columns=("type", "sentences", "changed"),
            rows=tuple((str(each.type), each.sentences, each.changed) for each in known),
        ),
        notes=(
            "n: permuted sentences with a score. Moving words can change how punctuation is split off.",
        ),
    )

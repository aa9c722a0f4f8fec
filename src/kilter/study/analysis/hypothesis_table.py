"""The hypotheses of [TH] from the correlations of a study. Section 13.4"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.run.meta.hypothesis import HypothesisResult, hypotheses
from kilter.study.analysis.judged_correlation import LEAST_COMMON, Correlation
from kilter.study.analysis.judgment_study import DEGREE_TOOL, RANK_TOOL, SentenceGroup
from kilter.study.analysis.variant import variant_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kilter.study.analysis.tool_correlation import ToolCorrelation

BASELINES = ("aligned", "tau", "bleu", "meteor", "meteor-chunk", RANK_TOOL, DEGREE_TOOL)
"""What variants must outperform, as published."""


def baseline_correlations(
    correlations: Sequence[ToolCorrelation],
    *,
    sentences: SentenceGroup = SentenceGroup.TRANSLATION,
    adjusted: bool = True,
    group: str = "all",
    baselines: Sequence[str] = (),
) -> dict[str, list[float]]:
    """Return the correlations with order, over configurations, of all that variants must outperform.

    They are the published baselines, and tools by name in `baselines`. What an external tool says of fewer
    than 15 sentences is no correlation.
    """
    found: dict[str, list[float]] = {}
    for row in _chosen(correlations, sentences, adjusted=adjusted, group=group):
        wanted = row.tool in BASELINES or row.name in baselines
        own = variant_name(row.tool, row.variant) is not None
        if row.question == "order" and wanted and not own:
            found[row.name] = [
                value.rho
                for value in row.configurations.values()
                if isinstance(value, Correlation)
                and not (row.external and value.sentences < LEAST_COMMON)
            ]
    return found


def hypothesis_table(
    correlations: Sequence[ToolCorrelation],
    *,
    sentences: SentenceGroup = SentenceGroup.TRANSLATION,
    adjusted: bool = True,
    group: str = "all",
    baselines: Sequence[str] = (),
) -> tuple[HypothesisResult, ...]:
    """Return the hypotheses on one group of sentences; what lacks correlations is undefined.

    `baselines` are further tools that variants must outperform, beside the published ones.
    """
    order: dict[str, list[float]] = {}
    holistic: dict[str, list[float]] = {}
    for row in _chosen(correlations, sentences, adjusted=adjusted, group=group):
        values = [
            value.rho for value in row.configurations.values() if isinstance(value, Correlation)
        ]
        name = variant_name(row.tool, row.variant)
        if name is not None and row.question in ("order", "holistic"):
            (order if row.question == "order" else holistic)[name] = values
    others = baseline_correlations(
        correlations, sentences=sentences, adjusted=adjusted, group=group, baselines=baselines
    )
    return hypotheses(order, holistic, others)


def _chosen(
    correlations: Sequence[ToolCorrelation], sentences: SentenceGroup, *, adjusted: bool, group: str
) -> list[ToolCorrelation]:
    return [
        row
        for row in correlations
        if (row.sentences, row.adjusted, row.group) == (sentences, adjusted, group)
    ]

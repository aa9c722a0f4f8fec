"""The hypotheses of [TH] from the correlations of a study. Section 13.4"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.agreement.hypothesis import HypothesisResult, hypotheses
from kilter.survey.analysis.judged_correlation import Correlation
from kilter.survey.analysis.judgment_study import DEGREE_TOOL, RANK_TOOL, SentenceGroup
from kilter.survey.analysis.variant import variant_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kilter.survey.analysis.tool_correlation import ToolCorrelation

BASELINES = ("aligned", "tau", "bleu", "meteor", "meteor-chunk", RANK_TOOL, DEGREE_TOOL)


def hypothesis_table(
    correlations: Sequence[ToolCorrelation],
    *,
    sentences: SentenceGroup = SentenceGroup.TRANSLATION,
    adjusted: bool = True,
    group: str = "all",
) -> tuple[HypothesisResult, ...]:
    """Return the hypotheses on one group of sentences; what lacks correlations is undefined."""
    order: dict[str, list[float]] = {}
    holistic: dict[str, list[float]] = {}
    baselines: dict[str, list[float]] = {}
    for row in correlations:
        if (row.sentences, row.adjusted, row.group) != (sentences, adjusted, group):
            continue
        values = [
            value.rho for value in row.configurations.values() if isinstance(value, Correlation)
        ]
        name = variant_name(row.tool, row.variant)
        if name is not None and row.question in ("order", "holistic"):
            (order if row.question == "order" else holistic)[name] = values
        elif row.tool in BASELINES and row.question == "order":
            baselines[row.name] = values
    return hypotheses(order, holistic, baselines)

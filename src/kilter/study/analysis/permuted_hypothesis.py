"""The hypotheses of [TH] on permutations. [TH] 7.1.1, section 13.4"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.study.analysis.hypothesis_table import hypothesis_table
from kilter.study.analysis.judgment_study import SentenceGroup
from kilter.study.analysis.tool_correlation import tool_correlations

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kilter.run.meta.hypothesis import HypothesisResult
    from kilter.study.analysis.adjustment import Adjustment, ToolKey
    from kilter.study.analysis.judgment_study import JudgmentStudy


def permuted_hypotheses(
    study: JudgmentStudy,
    *,
    adjustments: Mapping[str, Adjustment] | None = None,
    by_tool: Mapping[ToolKey, Adjustment] | None = None,
    baselines: Sequence[str] = (),
) -> dict[SentenceGroup, tuple[HypothesisResult, ...]]:
    """Return the hypotheses on all permutations together, and on each type that the study reports.

    Correlations are with adjusted answers where there are `adjustments`; `baselines` are further tools that
    variants must outperform.
    """
    types = (kind for kind in study.reported if kind is not SentenceGroup.TRANSLATION)
    kinds = (SentenceGroup.PERMUTATION, *types)
    correlations = tool_correlations(
        study, adjustments=adjustments, by_tool=by_tool, sentences=kinds
    )
    return {
        kind: hypothesis_table(
            correlations, sentences=kind, adjusted=bool(adjustments), baselines=baselines
        )
        for kind in kinds
    }

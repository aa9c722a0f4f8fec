"""The hypotheses of [TH] from the correlations of a study. Section 13.4"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.survey.analysis.judgment_study import SentenceGroup

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kilter.meta.hypothesis import HypothesisResult
    from kilter.survey.analysis.tool_correlation import ToolCorrelation

BASELINES = ("aligned", "tau", "bleu", "meteor", "meteor-chunk", "wmt-rank", "degree")


def variant_name(tool: str, variant: str) -> str | None:
    """Return what [TH] calls a variant of DTED or DERP, such as fco; None for other tools."""
    raise NotImplementedError


def hypothesis_table(
    correlations: Sequence[ToolCorrelation],
    *,
    sentences: SentenceGroup = SentenceGroup.TRANSLATION,
    adjusted: bool = True,
    group: str = "all",
) -> tuple[HypothesisResult, ...]:
    """Return the hypotheses on one group of sentences; what lacks correlations is undefined."""
    raise NotImplementedError

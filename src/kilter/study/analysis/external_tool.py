"""The table of external tools: how many translations they scored, and how well. Section 13.3"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from kilter.study.analysis.judged_correlation import ChosenJudgments, Correlation, corrected
from kilter.study.analysis.judgment_study import SentenceGroup

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kilter.stats.undefined import Undefined
    from kilter.study.analysis.adjustment import Adjustment, ToolKey
    from kilter.study.analysis.judgment_study import JudgmentStudy, ToolScores


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

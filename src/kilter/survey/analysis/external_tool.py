"""The table of external tools: how many translations they scored, and how well. Section 13.3"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kilter.counted import counted
from kilter.statistics.undefined import Undefined
from kilter.survey.analysis.judged_correlation import ChosenJudgments, Correlation, corrected
from kilter.survey.analysis.judgment_study import SentenceGroup

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kilter.survey.analysis.adjustment import Adjustment
    from kilter.survey.analysis.judgment_study import JudgmentStudy

LEAST_COMMON = 15
"""External tools with fewer common sentences have no correlation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExternalCorrelation:
    """One row of the table of external tools: translations scored, their share in percent, rho and p."""

    question: str
    tool: str
    variant: str
    configuration: str
    count: int
    coverage: float
    correlation: Correlation | Undefined


def external_correlations(
    study: JudgmentStudy, *, adjustments: Mapping[str, Adjustment] | None = None
) -> tuple[ExternalCorrelation, ...]:
    """Return the table of external tools on translations; fewer than 15 common sentences are undefined.

    Coverage is the percentage of the judged translations that a tool has scored. p-values are corrected
    over the tools of a question.
    """
    chosen = study.rows(SentenceGroup.TRANSLATION)
    judged_sentences = np.unique(study.sentence[chosen])
    tools = [tool for tool in study.tools if tool.external]
    common = [int(np.count_nonzero(~np.isnan(tool.values[judged_sentences]))) for tool in tools]
    correlations = list[ExternalCorrelation]()
    for question in study.questions:
        plain = study.scores(question.name)
        adjustment = (adjustments or {}).get(question.name)
        scores = plain if adjustment is None else adjustment.scores
        judged = ChosenJudgments(study, plain, scores, chosen)
        values = corrected(
            [
                value
                if count >= LEAST_COMMON
                else Undefined(
                    f"{counted(count, 'common sentence')}; fewer than {LEAST_COMMON} are left out"
                )
                for value, count in zip(judged.correlations(tools), common, strict=True)
            ]
        )
        correlations += [
            ExternalCorrelation(
                question=question.name,
                tool=tool.tool,
                variant=tool.variant,
                configuration=tool.configuration,
                count=count,
                coverage=100.0 * count / len(judged_sentences) if len(judged_sentences) else 0.0,
                correlation=value,
            )
            for tool, count, value in zip(tools, common, values, strict=True)
        ]
    return tuple(correlations)

"""Correlation of judgments with every tool, by question, sentences and participants. Section 13.3"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from kilter.stats.undefined import Number, Undefined
from kilter.study.analysis.judged_correlation import ChosenJudgments, Correlation, corrected
from kilter.study.analysis.judgment_study import (
    ALL_TYPES,
    DEGREE_TOOL,
    RANK_TOOL,
    SentenceGroup,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from kilter.stats.resampling import Resampling
    from kilter.study.analysis.adjustment import Adjustment, ToolKey
    from kilter.study.analysis.judgment_study import JudgmentStudy

    Floats = NDArray[np.float64]
    Key = tuple[str, str]

_INAPPLICABLE = {
    RANK_TOOL: (SentenceGroup.PERMUTATION, *ALL_TYPES),
    DEGREE_TOOL: (SentenceGroup.TRANSLATION,),
}

ENOUGH = 0.9
"""The share of sentences that a tool must have scored to be compared with tools that scored all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCorrelation:
    """One tool and variant: its correlation in each configuration, the largest and the smallest.

    `is_starred` says that all configurations are significant. `missing` counts judgments without answer,
    `judged` sentences with one, whether the tool has scored them or not.
    """

    question: str
    sentences: SentenceGroup
    adjusted: bool
    group: str
    tool: str
    variant: str
    configurations: Mapping[str, Correlation | Undefined]
    highest: Number
    lowest: Number
    is_starred: bool
    missing: int
    judged: int
    external: bool

    @property
    def covers_all(self) -> bool:
        """Whether it has scored so many of the judged sentences that it stands for all of them."""
        known = [v.sentences for v in self.configurations.values() if isinstance(v, Correlation)]
        return bool(known) and min(known) >= ENOUGH * self.judged

    @property
    def name(self) -> str:
        """The tool and its variant, as metrics are named."""
        return f"{self.tool}:{self.variant}" if self.variant else self.tool


def tool_correlations(
    study: JudgmentStudy,
    *,
    adjustments: Mapping[str, Adjustment] | None = None,
    by_tool: Mapping[ToolKey, Adjustment] | None = None,
    rows: NDArray[np.bool_] | None = None,
    group: str = "all",
    sentences: Sequence[SentenceGroup] | None = None,
    resampling: Resampling | None = None,
) -> tuple[ToolCorrelation, ...]:
    """Return the correlations of every tool with every question, unadjusted, then adjusted if given.

    `adjustments` are by question; `by_tool` are adjustments with the tool itself as the predictor, which take
    their place. `rows` chooses judgments, such as those of a subgroup named `group`;
    adjusted scores stay those that were estimated on everybody. Rank scores are for translations, degree
    scores for permutations only.
    """
    asked = np.ones(len(study), dtype=np.bool_) if rows is None else rows
    correlations = list[ToolCorrelation]()
    for question in study.questions:
        plain = study.scores(question.name)
        sides: list[tuple[bool, Floats]] = [(False, plain)]
        if adjustments is not None and question.name in adjustments:
            sides.append((True, adjustments[question.name].scores))
        for kind in study.reported if sentences is None else sentences:
            chosen = asked & study.rows(kind)
            for adjusted, scores in sides:
                judged = ChosenJudgments(study, plain, scores, chosen)
                correlations += [
                    replace(
                        row, question=question.name, sentences=kind, adjusted=adjusted, group=group
                    )
                    for row in _rows(
                        judged, kind, resampling, question.name, by_tool if adjusted else None
                    )
                ]
    return tuple(correlations)


def _rows(
    judged: ChosenJudgments,
    kind: SentenceGroup,
    resampling: Resampling | None,
    question: str,
    by_tool: Mapping[ToolKey, Adjustment] | None,
) -> list[ToolCorrelation]:
    """Return a row per tool and variant, p-values corrected over all of them."""
    tools = [tool for tool in judged.study.tools if kind not in _INAPPLICABLE.get(tool.tool, ())]
    values = corrected(
        judged.correlations(tools, resampling=resampling)
        if by_tool is None
        else [
            replace(
                judged, scores=by_tool[question, tool.name, tool.configuration].scores
            ).correlations([tool], resampling=resampling)[0]
            for tool in tools
        ]
    )
    grouped: dict[Key, dict[str, Correlation | Undefined]] = {}
    for tool, value in zip(tools, values, strict=True):
        grouped.setdefault((tool.tool, tool.variant), {})[tool.configuration] = value
    unanswered = np.isnan(judged.plain)
    missing = int(np.count_nonzero(judged.chosen & unanswered))
    sentences = len(np.unique(judged.study.sentence[judged.chosen & ~unanswered]))
    external = {(tool.tool, tool.variant) for tool in tools if tool.external}
    return [
        replace(
            _row(key, configurations), missing=missing, judged=sentences, external=key in external
        )
        for key, configurations in grouped.items()
    ]


def _row(key: Key, configurations: Mapping[str, Correlation | Undefined]) -> ToolCorrelation:
    known = [value for value in configurations.values() if isinstance(value, Correlation)]
    nothing = Undefined("no configuration has a correlation")
    return ToolCorrelation(
        question="",
        sentences=SentenceGroup.ALL,
        adjusted=False,
        group="",
        tool=key[0],
        variant=key[1],
        configurations=configurations,
        highest=max((value.rho for value in known), default=nothing),
        lowest=min((value.rho for value in known), default=nothing),
        is_starred=len(known) == len(configurations)
        and all(value.is_significant for value in known),
        missing=0,
        judged=0,
        external=False,
    )

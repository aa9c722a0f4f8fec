"""What an analysis of a judgment study computes, and how. Section 13"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kilter.core.errors import OptionError
from kilter.stats.resampling import Resampling
from kilter.study.analysis.adjustment import EffectSource, Estimator
from kilter.study.analysis.tool_correlation import Correction
from kilter.study.design.hypothesis import Hypotheses
from kilter.study.judgments.tool_scores import ALIGNERS, PARSERS, STUDY_METRICS

if TYPE_CHECKING:
    from kilter.study.judgments.judgment_study import JudgmentStudy


ALL_METRICS = ("all", *STUDY_METRICS, "chrf", "ter", "coverage")
"""Every metric of hypothesis and reference, and the variants of [TH]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysisSettings:
    """What is computed, and how; `adjustment` is None where judgments are taken as they are.

    `splits` are further fields of participants, each with a threshold, or None to split by value;
    `baselines` are names of further tools that variants must outperform; `smallest_group` is how many
    participants a group needs to be shown by itself; `by_tool` adjusts answers for each tool by its own scores;
    `published` shows figures of [TH] beside those of the study; `hypotheses` are those of [TH], stated ones, or both.
    """

    metrics: tuple[str, ...] = ALL_METRICS
    aligners: tuple[str, ...] = ALIGNERS
    parsers: tuple[str, ...] = PARSERS
    adjustment: Estimator | None = Estimator.ANOVA
    source: EffectSource = EffectSource.ALL
    splits: tuple[tuple[str, float | None], ...] = ()
    baselines: tuple[str, ...] = ()
    smallest_group: int = 5
    by_tool: bool = False
    published: bool = False
    hypotheses: Hypotheses = field(default_factory=Hypotheses)
    correction: Correction = Correction.HOLM
    resampling: Resampling = field(default_factory=Resampling)

    def check(self, study: JudgmentStudy) -> None:
        """Raise before anything is computed if a split names a field that nobody was asked for."""
        known = {asked for person in study.participants for asked in person.fields}
        known |= {"number_of_languages"} if "languages" in known else set()
        for name, _ in self.splits:
            if name not in known:
                raise OptionError(
                    f"there is no field {name!r} of participants to split them by; there are "
                    f"{', '.join(sorted(known)) or 'none'}"
                )

    def check_tools(self, study: JudgmentStudy) -> None:
        """Raise if a baseline or a hypothesis names no tool or question of the study, which has its scores."""
        known = {tool.name for tool in study.tools}
        asked = [question.name for question in study.questions]
        for stated in self.hypotheses.stated:
            if stated.question not in asked:
                raise OptionError(
                    f"the hypothesis {stated.id} is about the question {stated.question!r}; there are "
                    f"{', '.join(asked) or 'none on a scale'}"
                )
            for name in (*stated.better, *stated.than):
                if name not in known:
                    raise OptionError(
                        f"the hypothesis {stated.id} names the tool {name!r}, which has no scores; there are "
                        f"{', '.join(sorted(known))}"
                    )
        for name in self.baselines:
            if name not in known:
                raise OptionError(
                    f"there is no tool {name!r} to be a baseline; there are {', '.join(sorted(known))}"
                )

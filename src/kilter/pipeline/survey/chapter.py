"""What a results chapter says of a judgment study, section by section. Section 13"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from kilter.errors import OptionError
from kilter.pipeline.survey.scores import ALIGNERS, PARSERS, STUDY_METRICS
from kilter.reports.page.results_page import Section
from kilter.reports.study.adjustment import adjustment_report, effect_report
from kilter.reports.study.answer_distribution import level_report, question_report
from kilter.reports.study.demographics import participant_report
from kilter.reports.study.external_tool import external_report
from kilter.reports.study.hypothesis_table import hypothesis_report
from kilter.reports.study.judge_agreement import agreement_report, leave_one_out_report
from kilter.reports.study.permutation_degree import degree_report
from kilter.reports.study.power import power_report
from kilter.reports.study.sample_size import sample_size_report
from kilter.reports.study.score_distribution import score_report, token_report
from kilter.reports.study.sentence_length import language_report, length_report
from kilter.reports.study.subgroup import split_report, subgroup_report
from kilter.reports.study.tool_correlation import Correction, correlation_reports
from kilter.reports.study.uniformity import position_report, questionnaire_report
from kilter.statistics.resampling import Resampling
from kilter.statistics.undefined import Undefined
from kilter.survey.analysis.adjustment import Adjustment, EffectSource, Estimator, adjust
from kilter.survey.analysis.external_tool import external_correlations
from kilter.survey.analysis.hypothesis_table import baseline_correlations, hypothesis_table
from kilter.survey.analysis.subgroup import Split, published_splits, split_by
from kilter.survey.analysis.tool_correlation import tool_correlations

if TYPE_CHECKING:
    from collections.abc import Callable

    from kilter.survey.analysis.judgment_study import JudgmentStudy
    from kilter.survey.analysis.tool_correlation import ToolCorrelation

ALL_METRICS = ("all", *STUDY_METRICS, "chrf", "ter", "coverage")
"""Every metric of hypothesis and reference, and the variants of [TH]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysisSettings:
    """What is computed, and how; `adjustment` is None where judgments are taken as they are.

    `splits` are further fields of participants, each with a threshold, or None to split by value;
    `baselines` are names of further tools that variants must outperform.
    """

    metrics: tuple[str, ...] = ALL_METRICS
    aligners: tuple[str, ...] = ALIGNERS
    parsers: tuple[str, ...] = PARSERS
    adjustment: Estimator | None = Estimator.ANOVA
    source: EffectSource = EffectSource.ALL
    splits: tuple[tuple[str, float | None], ...] = ()
    baselines: tuple[str, ...] = ()
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
        """Raise if a baseline names no tool of the study, which has its scores."""
        known = {tool.name for tool in study.tools}
        for name in self.baselines:
            if name not in known:
                raise OptionError(
                    f"there is no tool {name!r} to be a baseline; there are {', '.join(sorted(known))}"
                )


def study_sections(
    study: JudgmentStudy, settings: AnalysisSettings
) -> tuple[Callable[[], Section], ...]:
    """Return what makes each section of the chapter, in order."""
    chapter = _Chapter(study, settings)
    return (
        chapter.sample, chapter.sentences, chapter.answers, chapter.tools, chapter.judges,
        chapter.correlation, chapter.hypotheses, chapter.groups, chapter.planning,
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Chapter:
    """The sections; what several of them need is computed once."""

    study: JudgmentStudy
    settings: AnalysisSettings

    @cached_property
    def adjustments(self) -> dict[str, Adjustment]:
        return {} if self.settings.adjustment is None else self._adjusted(self.settings.adjustment)

    @cached_property
    def correlations(self) -> tuple[ToolCorrelation, ...]:
        return tool_correlations(
            self.study, adjustments=self.adjustments, resampling=self.settings.resampling
        )

    @property
    def is_adjusted(self) -> bool:
        return bool(self.adjustments)

    def _adjusted(self, estimator: Estimator) -> dict[str, Adjustment]:
        return {
            question.name: adjust(
                self.study, question.name, estimator=estimator, source=self.settings.source
            )
            for question in self.study.questions
        }

    def sample(self) -> Section:
        return Section(
            name="sample",
            title="The participants",
            text="Who took part, and what they said of themselves.",
            reports=(participant_report(self.study),),
        )

    def sentences(self) -> Section:
        return Section(
            name="sentences",
            title="The sentences",
            text="What was judged, and whether positions and questionnaires are alike.",
            reports=(
                length_report(self.study),
                language_report(self.study),
                position_report(self.study),
                questionnaire_report(self.study),
            ),
        )

    def answers(self) -> Section:
        return Section(
            name="answers",
            title="The answers",
            text="How participants used the levels, how the two questions go together, and how answers fall with "
            "the degree of permutation.",
            reports=(
                level_report(self.study),
                question_report(self.study),
                degree_report(self.study),
            ),
        )

    def tools(self) -> Section:
        return Section(
            name="tools",
            title="The tools",
            text="How the scores of every metric, variant and configuration are distributed.",
            reports=(score_report(self.study), token_report(self.study)),
        )

    def judges(self) -> Section:
        return Section(
            name="judges",
            title="Differences and agreement between participants",
            text="How far participants agree, how much they differ in general, and what the adjustment takes from "
            "their answers.",
            reports=(
                agreement_report(self.study),
                leave_one_out_report(self.study),
                adjustment_report(self.study, self.adjustments),
                effect_report(self.adjustments, simulated=self.study.simulated),
            ),
        )

    def correlation(self) -> Section:
        external = external_correlations(self.study, adjustments=self.adjustments)
        return Section(
            name="correlations",
            title="Correlation of tools with judgments",
            text="Spearman's rho of every tool with the answers to each question, by kind of sentence. Correlations "
            "use adjusted answers where there are any, tests the unadjusted ones.",
            reports=(
                *correlation_reports(
                    self.correlations,
                    adjusted=self.is_adjusted,
                    correction=self.settings.correction,
                    simulated=self.study.simulated,
                ),
                external_report(
                    external,
                    correction=self.settings.correction,
                    simulated=self.study.simulated,
                ),
            ),
        )

    def hypotheses(self) -> Section:
        further = self.settings.baselines
        results, unadjusted = (
            hypothesis_table(self.correlations, adjusted=adjusted, baselines=further)
            for adjusted in (self.is_adjusted, False)
        )
        return Section(
            name="outcome",
            title="Outcome of the hypotheses",
            text="What the correlations say about structure, order and configurations.",
            reports=(
                hypothesis_report(
                    results,
                    baselines=baseline_correlations(
                        self.correlations, adjusted=self.is_adjusted, baselines=further
                    ),
                    unadjusted=unadjusted if self.is_adjusted else (),
                    adjusted=self.is_adjusted,
                    simulated=self.study.simulated,
                ),
            ),
        )

    def groups(self) -> Section:
        splits: dict[str, Split | Undefined] = published_splits(self.study)
        for asked, threshold in self.settings.splits:
            name = f"each {asked}" if threshold is None else f"{asked} {threshold:g}"
            splits[name] = split_by(self.study, asked, threshold=threshold)
        return Section(
            name="groups",
            title="Groups of participants compared",
            text="The same correlations for groups of participants.",
            reports=(
                split_report(splits, participants=len(self.study.participants)),
                *(
                    subgroup_report(
                        name,
                        split,
                        self._group_correlations(split),
                        adjusted=self.is_adjusted,
                        correction=self.settings.correction,
                        simulated=self.study.simulated,
                    )
                    for name, split in splits.items()
                ),
            ),
        )

    def _group_correlations(self, split: Split | Undefined) -> list[ToolCorrelation]:
        if isinstance(split, Undefined):
            return []
        return [
            row
            for group in split.groups
            for row in tool_correlations(
                self.study, adjustments=self.adjustments, rows=group.rows, group=group.name
            )
        ]

    def planning(self) -> Section:
        variances = (
            self.adjustments
            if self.settings.adjustment is Estimator.REML
            else self._adjusted(Estimator.REML)
        )
        power = power_report(self.study, variances, seed=self.settings.resampling.seed)
        return Section(
            name="planning",
            title="Planning the next study",
            text="How many judgments a comparison needs, and how often a study like this one would find what is "
            "there.",
            reports=(sample_size_report(self.study), power),
        )

"""What a results chapter says of a judgment study, section by section. Section 13"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from kilter.core.counted import counted
from kilter.core.table import Table
from kilter.render.page.sub_report import SubReport
from kilter.stats.undefined import Undefined
from kilter.study.analysis.adjustment import (
    Adjustment,
    Estimator,
    adjust,
    adjustment_report,
    effect_report,
    tool_adjustment_report,
    tool_adjustments,
)
from kilter.study.analysis.answer_distribution import level_report, question_report
from kilter.study.analysis.attention import attention_report, control_report
from kilter.study.analysis.careless_effect import careless_effect_report, careless_effects
from kilter.study.analysis.completion_time import completion_report
from kilter.study.analysis.correlation_overview import best_on_order, overview_report
from kilter.study.analysis.demographics import FURTHER, participant_report, recruitment_report
from kilter.study.analysis.external_tool import external_correlations, external_report
from kilter.study.analysis.hypothesis_table import (
    baseline_correlations,
    configuration_report,
    hypothesis_report,
    hypothesis_table,
    permuted_hypotheses,
    permuted_hypothesis_report,
    stated_report,
    stated_table,
)
from kilter.study.analysis.judge_agreement import agreement_report, leave_one_out_report
from kilter.study.analysis.judged_correlation import tool_correlations
from kilter.study.analysis.permutation_degree import degree_report
from kilter.study.analysis.power import power_report
from kilter.study.analysis.preference import (
    preference_agreement,
    preference_agreement_report,
    strength_report,
    strengths,
    win_rates,
    win_report,
)
from kilter.study.analysis.published_value import published_report, published_values
from kilter.study.analysis.question_wording import wording_report
from kilter.study.analysis.results_page import Findings, Section, StudyFinding
from kilter.study.analysis.sample_size import sample_size_report
from kilter.study.analysis.score_distribution import score_report, token_report
from kilter.study.analysis.sentence_kind import kind_report
from kilter.study.analysis.sentence_length import language_report, length_report
from kilter.study.analysis.shared_sentence import shared_sentence_report
from kilter.study.analysis.subgroup import (
    Split,
    further_splits,
    published_splits,
    split_by,
    split_report,
    subgroup_report,
)
from kilter.study.analysis.system_answer import design_report, system_answers
from kilter.study.analysis.tool_correlation import correlation_reports, further_reports
from kilter.study.analysis.tool_name import variant_name
from kilter.study.analysis.uniformity import position_report, questionnaire_report
from kilter.study.analysis.variant_size import kind_size_report, variant_size_report
from kilter.study.design.hypothesis import Preset
from kilter.study.judgments.judgment_study import SentenceGroup

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kilter.run.meta.hypothesis import HypothesisResult
    from kilter.study.analysis.adjustment import ToolKey
    from kilter.study.analysis.judged_correlation import ToolCorrelation
    from kilter.study.analysis.settings import AnalysisSettings
    from kilter.study.judgments.judgment_study import JudgmentStudy


def study_sections(
    study: JudgmentStudy, settings: AnalysisSettings
) -> tuple[Callable[[], Section], ...]:
    """Return what makes each section of the chapter, in order; appendices follow."""
    chapter = _Chapter(study, settings)
    design = chapter.design
    if not study.questions:
        return (
            chapter.asked, chapter.sample, chapter.preferences, chapter.care, chapter.places,
        )  # fmt: skip
    return (
        chapter.asked, chapter.sample, chapter.sentences, chapter.answers, chapter.care, chapter.judges,
        *([chapter.preferences] if study.preferences else []),
        chapter.correlation, *([chapter.hypotheses] if design.has_hypotheses or settings.hypotheses.stated else []), chapter.groups,
        chapter.planning, *([chapter.published] if settings.published else []), chapter.places, chapter.people,
        chapter.tools, *([chapter.kinds] if design.has_permutations else []), chapter.subgroups,
    )  # fmt: skip


def chapter_title(study: JudgmentStudy) -> str:
    """Return what the chapter is about: word order, where that was asked."""
    if "order" in [question.name for question in study.questions]:
        return "Word order judgments"
    return (
        "Preferences between translations" if not study.questions else "Judgments of translations"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Design:
    """What the design of a study gives to analyse."""

    has_permutations: bool
    has_variants: bool
    """Whether variants of DTED or DERP were scored, or something is named to compare them with."""
    asks_order: bool
    """Whether the two questions of [TH] were asked, and its hypotheses are to be tested."""

    @property
    def has_hypotheses(self) -> bool:
        """Whether the hypotheses of [TH] can be tested: they compare variants by both questions."""
        return self.has_variants and self.asks_order


@dataclass(frozen=True, eq=False)
class _Chapter:
    """The sections; what several of them need is computed once."""

    study: JudgmentStudy
    settings: AnalysisSettings

    @cached_property
    def design(self) -> _Design:
        return _Design(
            has_permutations=bool(self.study.group(SentenceGroup.PERMUTATION).any()),
            has_variants=bool(self.settings.baselines)
            or any(variant_name(each.tool, each.variant) for each in self.study.tools),
            asks_order=self.settings.hypotheses.preset is Preset.THESIS
            and {"holistic", "order"} <= {each.name for each in self.study.questions},
        )

    @cached_property
    def adjustments(self) -> dict[str, Adjustment]:
        return {} if self.settings.adjustment is None else self._adjusted(self.settings.adjustment)

    @cached_property
    def by_tool(self) -> dict[ToolKey, Adjustment] | None:
        """Adjustments that have a tool's scores as their predictor, where these are asked for."""
        if not self.settings.by_tool or self.settings.adjustment is None:
            return None
        return tool_adjustments(
            self.study, estimator=self.settings.adjustment, source=self.settings.source
        )

    @cached_property
    def correlations(self) -> tuple[ToolCorrelation, ...]:
        return tool_correlations(
            self.study,
            adjustments=self.adjustments,
            by_tool=self.by_tool,
            resampling=self.settings.resampling,
        )

    @cached_property
    def correlation_reports(self) -> tuple[SubReport, ...]:
        return correlation_reports(
            self.correlations,
            adjusted=self.is_adjusted,
            correction=self.settings.correction,
            simulated=self.study.simulated,
        )

    @cached_property
    def results(self) -> tuple[HypothesisResult, ...]:
        return hypothesis_table(
            self.correlations, adjusted=self.is_adjusted, baselines=self.settings.baselines
        )

    @cached_property
    def splits(self) -> dict[str, Split | Undefined]:
        smallest = self.settings.smallest_group
        splits = published_splits(self.study, smallest=smallest)
        splits |= further_splits(self.study, smallest=smallest)
        for asked, threshold in self.settings.splits:
            name = f"each {asked}" if threshold is None else f"{asked} {threshold:g}"
            splits[name] = split_by(self.study, asked, threshold=threshold, smallest=smallest)
        return splits

    @cached_property
    def group_correlations(self) -> dict[str, list[ToolCorrelation]]:
        return {name: self._group_correlations(split) for name, split in self.splits.items()}

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

    def asked(self) -> Section:
        answers = system_answers(self.study, resampling=self.settings.resampling)
        return Section(
            name="asked",
            title="The study",
            text="What was asked, of whom, and how the translations of each system were judged.",
            reports=(design_report(self.study, answers),),
        )

    def preferences(self) -> Section:
        drawn = self.settings.resampling
        return Section(
            name="preferences",
            title="Which translation is better",
            text="How often each system was preferred to each other, how strong systems are, and how far participants "
            "agree.",
            reports=(
                win_report(win_rates(self.study, resampling=drawn)),
                strength_report(
                    strengths(self.study, resampling=drawn), simulated=self.study.simulated
                ),
                preference_agreement_report(preference_agreement(self.study)),
            ),
        )

    def sample(self) -> Section:
        smallest = self.settings.smallest_group
        return Section(
            name="sample",
            title="The participants",
            text="Who took part, and what they said about themselves.",
            reports=(
                participant_report(self.study, smallest=smallest),
                *(
                    [recruitment_report(self.study, smallest=smallest)]
                    if self.study.recruitment
                    else []
                ),
            ),
        )

    def sentences(self) -> Section:
        return Section(
            name="sentences",
            title="The sentences",
            text="What was judged. Whether positions and questionnaires are alike is in an appendix.",
            reports=(length_report(self.study), language_report(self.study)),
        )

    def answers(self) -> Section:
        return Section(
            name="answers",
            title="The answers",
            text="How answers differ between kinds of sentences, how the questions are related, and how answers "
            "change with the degree of permutation."
            if self.design.has_permutations
            else "Mean answers, and how the questions are related.",
            reports=(
                kind_report(self.study),
                *([question_report(self.study)] if len(self.study.questions) > 1 else []),
                *([degree_report(self.study)] if self.design.has_permutations else []),
            ),
        )

    def care(self) -> Section:
        effects = careless_effects(self.study)
        return Section(
            name="care",
            title="Time and care",
            text="How long it took, how items with a known answer were judged, and who may have answered without care.",
            reports=(
                completion_report(self.study),
                *([control_report(self.study)] if self.study.questions else []),
                attention_report(self.study),
                *([careless_effect_report(self.study, effects)] if effects else []),
            ),
        )

    def judges(self) -> Section:
        return Section(
            name="judges",
            title="Differences and agreement between participants",
            text="How far participants agree, how much they differ in general, and what the adjustment takes from "
            "their answers.",
            reports=(
                agreement_report(self.study),
                adjustment_report(self.study, self.adjustments),
                *([] if self.by_tool is None else [tool_adjustment_report(self.by_tool)]),
            ),
        )

    def correlation(self) -> Section:
        external = external_correlations(
            self.study, adjustments=self.adjustments, by_tool=self.by_tool
        )
        return Section(
            name="correlations",
            title="Correlation of tools with judgments",
            text="Spearman's rho of every tool with the answers to each question. Correlations use adjusted answers "
            "where there are any, tests the unadjusted ones."
            + (
                " Each type of permutation is in an appendix."
                if self.design.has_permutations
                else ""
            ),
            reports=(
                overview_report(
                    self.correlations,
                    adjusted=self.is_adjusted,
                    correction=self.settings.correction,
                    simulated=self.study.simulated,
                ),
                self.correlation_reports[0],
                external_report(
                    external,
                    correction=self.settings.correction,
                    simulated=self.study.simulated,
                ),
            ),
        )

    def hypotheses(self) -> Section:
        stated = stated_table(
            self.correlations, self.settings.hypotheses.stated, adjusted=self.is_adjusted
        )
        own = [stated_report(stated, adjusted=self.is_adjusted, simulated=self.study.simulated)]
        return Section(
            name="outcome",
            title="Outcome of the hypotheses",
            text="What the correlations say about the hypotheses.",
            reports=(
                *(own if stated else []),
                *(self._published_hypotheses() if self.design.has_hypotheses else ()),
            ),
        )

    def _published_hypotheses(self) -> tuple[SubReport, ...]:
        further = self.settings.baselines
        unadjusted = hypothesis_table(self.correlations, adjusted=False, baselines=further)
        return (
            hypothesis_report(
                self.results,
                baselines=baseline_correlations(
                    self.correlations, adjusted=self.is_adjusted, baselines=further
                ),
                unadjusted=unadjusted if self.is_adjusted else (),
                adjusted=self.is_adjusted,
                simulated=self.study.simulated,
            ),
            configuration_report(self.correlations, adjusted=self.is_adjusted),
            permuted_hypothesis_report(
                permuted_hypotheses(
                    self.study,
                    adjustments=self.adjustments,
                    by_tool=self.by_tool,
                    baselines=self.settings.baselines,
                ),
                adjusted=self.is_adjusted,
                simulated=self.study.simulated,
            ),
        )

    def groups(self) -> Section:
        chosen = [row for row in self.correlations if row.adjusted is self.is_adjusted]
        return Section(
            name="groups",
            title="Groups of participants compared",
            text="How large groups are, and how far they differ. The correlations of all tools by group are in an "
            "appendix.",
            reports=(
                split_report(
                    self.splits,
                    self.group_correlations,
                    best=best_on_order(chosen),
                    participants=len(self.study.participants),
                    smallest=self.settings.smallest_group,
                ),
            ),
        )

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
            reports=(
                sample_size_report(self.study),
                *(
                    [variant_size_report(self.study), kind_size_report(self.study)]
                    if self.design.has_variants
                    else []
                ),
                power,
            ),
        )

    def published(self) -> Section:
        values = published_values(self.study, adjustments=self.adjustments, results=self.results)
        return Section(
            name="print",
            title="What was published",
            text="Figures of the published study beside those of this one.",
            reports=(published_report(values, simulated=self.study.simulated),),
        )

    def places(self) -> Section:
        return Section(
            name="places",
            title="Questions and questionnaires",
            text="What was asked, word for word, what all participants judged, and whether what stands at each position, "
            "and in each questionnaire, is alike.",
            reports=(
                wording_report(self.study),
                *(
                    [
                        shared_sentence_report(self.study),
                        position_report(self.study),
                        questionnaire_report(self.study),
                    ]
                    if self.study.questions
                    else []
                ),
            ),
            appendix=True,
        )

    def people(self) -> Section:
        return Section(
            name="people",
            title="Participants one by one",
            text="Use of levels, agreement with the others, and effects, participant by participant.",
            reports=(
                level_report(self.study),
                leave_one_out_report(self.study),
                effect_report(self.adjustments, simulated=self.study.simulated),
            ),
            appendix=True,
        )

    def tools(self) -> Section:
        return Section(
            name="tools",
            title="Scores of the tools",
            text="How further metrics correlate with answers, and how the scores of every metric, variant and "
            "configuration are distributed.",
            reports=(
                *further_reports(
                    self.correlations,
                    adjusted=self.is_adjusted,
                    correction=self.settings.correction,
                    simulated=self.study.simulated,
                ),
                score_report(self.study),
                token_report(self.study),
            ),
            appendix=True,
        )

    def kinds(self) -> Section:
        return Section(
            name="types",
            title="Correlation on each type of permutation",
            text="The same tables and figures as for translations.",
            reports=self.correlation_reports[1:],
            appendix=True,
        )

    def subgroups(self) -> Section:
        return Section(
            name="by-group",
            title="Correlation by group of participants",
            text="The same correlations for groups of participants.",
            reports=tuple(
                subgroup_report(
                    name,
                    split,
                    self.group_correlations[name],
                    adjusted=self.is_adjusted,
                    correction=self.settings.correction,
                    simulated=self.study.simulated,
                )
                for name, split in self.splits.items()
                # The sizes of groups say why others are not there; the published splits always are.
                if name not in FURTHER or isinstance(split, Split)
            ),
            appendix=True,
        )

    def _group_correlations(self, split: Split | Undefined) -> list[ToolCorrelation]:
        if isinstance(split, Undefined):
            return []
        return [
            row
            for group in split.groups
            for row in tool_correlations(
                self.study,
                adjustments=self.adjustments,
                by_tool=self.by_tool,
                rows=group.rows,
                group=group.name,
            )
        ]


_SENTENCES = {
    "design": ("The study", slice(0, 1)),
    "participants": ("Participants", slice(0, 1)),
    "wins": ("Preferences", slice(0, None)),
    "strengths": ("Strength of the systems", slice(0, None)),
    "preference-agreement": ("Agreement", slice(0, 1)),
    "times": ("Time", slice(0, 1)),
    "careless": ("Care", slice(0, 1)),
    "kinds": ("Answers by kind of sentence", slice(0, None)),
    "questions": ("The two questions", slice(0, 1)),
    "agreement": ("Agreement", slice(0, 1)),
    "adjustment": ("Participants as judges", slice(0, 1)),
    "correlation-translation": ("Tools on translations", slice(0, None)),
    "stated-hypotheses": ("Hypotheses of the study", slice(0, 1)),
    "hypotheses": ("Hypotheses", slice(0, 2)),
    "subgroups": ("Groups of participants", slice(-1, None)),
    "power": ("The next study", slice(-1, None)),
}
"""Sub-reports whose sentences stand on the first page, what these are about, and which of them."""
_FIGURES = {"kinds": "figure", "overview": "figure-best"}


def study_findings(sections: Sequence[Section]) -> Findings:
    """Return the first page: what sub-reports say in short, and the figures that show most of it."""
    reports = {report.name: report for section in sections for report in section.reports}
    listed = tuple(
        StudyFinding(subject=subject, text=" ".join(reports[name].text[chosen]), report=name)
        for name, (subject, chosen) in _SENTENCES.items()
        if name in reports
    )
    return Findings(listed=listed, report=findings_report(listed, reports))


def findings_report(listed: Sequence[StudyFinding], reports: dict[str, SubReport]) -> SubReport:
    """Return the findings as a sub-report of their own, with figures of others."""
    return SubReport(
        name="findings",
        title="Findings",
        text=tuple(f"{each.subject}. {each.text}" for each in listed),
        data=Table(
            columns=("subject", "text", "report"),
            rows=tuple((each.subject, each.text, each.report) for each in listed),
            left=3,
        ),
        shown=(),
        figures=tuple(
            replace(figure, name=f"figure-{name}")
            for name, wanted in _FIGURES.items()
            if name in reports
            for figure in reports[name].figures
            if figure.name == wanted
        ),
        notes=(
            (
                f"n: {counted(len(listed), 'finding')}; each section says how many values are missing, and how it was "
                "computed."
            ),
        ),
    )

"""Agreement between participants. Section 13.3"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.counted import counted
from kilter.reports.page.sub_report import Cell, Figure, ReportTable, SubReport
from kilter.reports.study.agreement_figure import agreement_figure, leave_one_out_figure
from kilter.reports.study.summary_cell import said
from kilter.statistics.krippendorff import ScaleLevel
from kilter.survey.analysis.judge_agreement import Weighting, judge_agreement
from kilter.survey.analysis.judgment_study import SentenceGroup

if TYPE_CHECKING:
    from kilter.survey.analysis.judge_agreement import JudgeAgreement
    from kilter.survey.analysis.judgment_study import JudgmentStudy

_GROUPS = (SentenceGroup.ALL, SentenceGroup.TRANSLATION, SentenceGroup.PERMUTATION)


def agreement_report(study: JudgmentStudy) -> SubReport:
    """Return the sub-report of alpha, weighted kappa and leave-one-out correlation."""
    found = [
        judge_agreement(study, question.name, sentences=group)
        for question in study.questions
        for group in _GROUPS
    ]
    everything = [each for each in found if each.sentences is SentenceGroup.ALL]
    return SubReport(
        name="agreement",
        title="Agreement between participants",
        figures=(Figure(svg=agreement_figure(everything, simulated=study.simulated)),),
        text=tuple(
            f"{each.question}: Krippendorff's alpha (ordinal) is {said(each.alpha[ScaleLevel.ORDINAL])} over "
            f"{counted(each.units, 'sentence')} with two answers or more; quadratically weighted kappa is on average "
            f"{said(each.kappa[Weighting.QUADRATIC].mean)}; a participant correlates with the mean of the "
            f"others by {said(each.mean_leave_one_out)} on average."
            for each in everything
        ),
        data=ReportTable(
            columns=(
                "question",
                "sentences",
                "units",
                "answers",
                *(f"alpha_{scale}" for scale in ScaleLevel),
                *(f"kappa_{w}_{part}" for w in Weighting for part in ("mean", "lowest", "highest")),
                "pairs",
                "undefined_pairs",
                "leave_one_out",
            ),
            rows=tuple(_row(each) for each in found),
            left=2,
        ),
        shown=(
            ReportTable(
                columns=(
                    "question",
                    "sentences",
                    "units",
                    "answers",
                    *(f"alpha {s}" for s in ScaleLevel),
                ),
                rows=tuple(
                    (
                        each.question,
                        str(each.sentences),
                        each.units,
                        each.answers,
                        *(each.alpha[scale] for scale in ScaleLevel),
                    )
                    for each in found
                ),
                left=2,
                caption="Krippendorff's alpha",
            ),
            ReportTable(
                columns=(
                    "question",
                    "sentences",
                    "pairs",
                    *(f"{w} kappa" for w in Weighting),
                    "leave-one-out rho",
                ),
                rows=tuple(
                    (
                        each.question,
                        str(each.sentences),
                        each.kappa[Weighting.LINEAR].pairs,
                        *(each.kappa[w].mean for w in Weighting),
                        each.mean_leave_one_out,
                    )
                    for each in found
                ),
                left=2,
                caption="Weighted kappa over pairs of participants, and correlation with the others",
            ),
        ),
        notes=(
            (
                "n: sentences (units) with two answers or more; sentences with one answer say nothing about agreement "
                "and are left out."
            ),
            (
                "Pairs of participants without a common sentence, or who always give the same answer, have no kappa "
                "and are left out of the mean."
            ),
        ),
    )


def _row(each: JudgeAgreement) -> tuple[Cell, ...]:
    kappas = [each.kappa[weighting] for weighting in Weighting]
    return (
        each.question, str(each.sentences), each.units, each.answers,
        *(each.alpha[scale] for scale in ScaleLevel),
        *(cell for kappa in kappas for cell in (kappa.mean, kappa.lowest, kappa.highest)),
        kappas[0].pairs, kappas[0].undefined, each.mean_leave_one_out,
    )  # fmt: skip


def leave_one_out_report(study: JudgmentStudy) -> SubReport:
    """Return the sub-report of each participant against the others."""
    found = [judge_agreement(study, question.name) for question in study.questions]
    return SubReport(
        name="leave-one-out",
        title="Each participant against the others",
        figures=(Figure(svg=leave_one_out_figure(found, simulated=study.simulated)),),
        text=(
            (
                "Spearman's rho of each participant with the mean of all others, on sentences that both judged; a "
                "low value may be a sign of careless answers."
            ),
        ),
        data=ReportTable(
            columns=("question", "participant", "sentences", "rho"),
            rows=tuple(
                (each.question, entry.participant, entry.sentences, entry.rho)
                for each in found
                for entry in each.leave_one_out
            ),
            left=2,
        ),
        notes=("n: sentences that the participant and somebody else answered; three are needed.",),
    )

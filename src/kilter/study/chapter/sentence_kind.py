"""Answers by kind of sentence. Section 13.1"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.core.table import Table
from kilter.render.chart.frame import Caption, statement
from kilter.render.chart.mark import Dot
from kilter.render.chart.row_chart import Row, RowGroup, row_chart
from kilter.render.page.sub_report import Figure, SubReport
from kilter.stats.undefined import Undefined
from kilter.study.analysis.sentence_kind import answers_by_kind, choice_check
from kilter.study.analysis.summary import mean_interval
from kilter.study.chapter.sentence_label import sentence_label
from kilter.study.chapter.summary_cell import SUMMARY, said, summary_cells

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kilter.study.analysis.judgment_study import JudgmentStudy
    from kilter.study.analysis.sentence_kind import ChoiceCheck, KindAnswers


def kind_report(study: JudgmentStudy) -> SubReport:
    """Return the sub-report of mean answers by kind of sentence."""
    answers = answers_by_kind(study)
    columns = ("question", "kind", "sentences", *SUMMARY)
    rows = tuple(
        (each.question, str(each.kind), each.sentences, *summary_cells(each.answers))
        for each in answers
    )
    return SubReport(
        name="kinds",
        title="Answers by kind of sentence",
        text=(*kind_sentences(answers), choice_sentence(choice_check(study))),
        data=Table(columns=columns, rows=rows, left=2),
        shown=(Table(columns=columns[:7], rows=tuple(row[:7] for row in rows), left=2),),
        figures=(Figure(svg=kind_figure(answers, simulated=study.simulated)),),
        notes=(
            (
                "n: answers, from 0, the worst, to 1; missing answers are left out. Translations are those of systems; "
                "the other kinds are references whose words were moved (order, phrase), exchanged (swap), replaced "
                "(choice), or replaced and then moved (both)."
            ),
            "Word choice is near the top if its mean is within one level of the best answer.",
        ),
    )


def kind_sentences(answers: Sequence[KindAnswers]) -> tuple[str, ...]:
    """Return what answers to each question are on average, the best kind first."""
    found = []
    for question in dict.fromkeys(each.question for each in answers):
        known = [
            (mean, each.kind)
            for each in answers
            if each.question == question and isinstance(mean := each.answers.mean, float)
        ]
        listed = [f"{kind} {mean:.2f}" for mean, kind in sorted(known, key=lambda pair: -pair[0])]
        told = ", ".join(listed) or "undefined (there is no answer)"
        found.append(f"Mean answers to {question}, from 0, the worst, to 1: {told}.")
    return tuple(found)


def choice_sentence(check: ChoiceCheck | Undefined) -> str:
    """Return whether people told order from the choice of words."""
    if isinstance(check, Undefined):
        return f"Whether word choice stays near the top cannot be said: {check.reason}."
    near = "stays" if check.holds else "does not stay"
    return (
        f"Where only words were replaced, {check.question} {near} near the top: its mean is number {check.place} of "
        f"{check.kinds} kinds, and {said(check.least, digits=2)} or more is within one level of the best."
    )


def kind_figure(answers: Sequence[KindAnswers], *, simulated: bool) -> str:
    """Return mean answers with 95% intervals by kind of sentence, a marker for each question."""
    caption = Caption(
        title="Mean answers by kind of sentence",
        notes=["Lines are 95% intervals of the mean, judgments taken as independent."],
        simulated=simulated,
    )
    if not answers:
        return statement(caption, Undefined("there is no judgment about a sentence"))
    questions = list(dict.fromkeys(each.question for each in answers))
    by_kind = {(each.kind, each.question): each for each in answers}
    rows = [
        Row(sentence_label(kind), [_dot(by_kind[kind, question]) for question in questions])
        for kind in dict.fromkeys(each.kind for each in answers)
    ]
    return row_chart(
        [RowGroup("", rows)],
        caption=caption,
        axis="mean answer, from 0 (worst) to 1 (best)",
        series=questions,
        reach=(0.0, 1.0),
    )


def _dot(each: KindAnswers) -> Dot | Undefined:
    mean = mean_interval(each.answers)
    if isinstance(mean, Undefined):
        return mean
    text = f"{mean.value:.3f} (n = {each.answers.count})"
    return Dot(value=mean.value, low=mean.low, high=mean.high, text=text)

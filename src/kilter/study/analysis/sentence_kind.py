"""Answers by kind of sentence: translations, and each type of permutation. Section 13.1"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.table import Table
from kilter.render.chart.frame import Caption, statement
from kilter.render.chart.mark import Dot
from kilter.render.chart.row_chart import Row, RowGroup, row_chart
from kilter.render.page.sub_report import Figure, SubReport
from kilter.stats.undefined import Undefined
from kilter.study.analysis.summary import (
    SUMMARY,
    Summary,
    mean_interval,
    said,
    summarise,
    summary_cells,
)
from kilter.study.judgments.judgment_study import REPORTED, SentenceGroup, sentence_label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kilter.study.judgments.judgment_study import JudgmentStudy


@dataclass(frozen=True, slots=True, kw_only=True)
class KindAnswers:
    """Answers, from 0 to 1, to one question about one kind of sentences."""

    question: str
    kind: SentenceGroup
    sentences: int
    answers: Summary


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceCheck:
    """Whether answers about order stay near the top where only words were replaced.

    Replacing words leaves their order as it was: answers of people who answer what they are asked lie within
    one level of the best. `place` counts from 1 for the kind with the highest mean, among `kinds`.
    """

    question: str
    mean: float
    least: float
    place: int
    kinds: int

    @property
    def holds(self) -> bool:
        """Whether the mean is within one level of the best."""
        return self.mean >= self.least


def answers_by_kind(study: JudgmentStudy) -> tuple[KindAnswers, ...]:
    """Return answers by question and kind of sentence; only kinds that occur."""
    answers = []
    for question in study.questions:
        scores = study.scores(question.name)
        for kind in REPORTED:
            rows = study.rows(kind)
            if rows.any():
                answers.append(
                    KindAnswers(
                        question=question.name,
                        kind=kind,
                        sentences=len(np.unique(study.sentence[rows])),
                        answers=summarise(scores[rows]),
                    )
                )
    return tuple(answers)


def choice_check(study: JudgmentStudy, question: str = "order") -> ChoiceCheck | Undefined:
    """Return how near the top answers about order are where only the choice of words was changed."""
    if question not in [each.name for each in study.questions]:
        return Undefined(f"the study has no question {question} on a scale")
    means = {
        each.kind: each.answers.mean
        for each in answers_by_kind(study)
        if each.question == question and isinstance(each.answers.mean, float)
    }
    if SentenceGroup.CHOICE not in means:
        return Undefined("there is no answer about a permutation of type choice")
    own = means[SentenceGroup.CHOICE]
    levels = len(study.question(question).levels)
    return ChoiceCheck(
        question=question,
        mean=own,
        least=1.0 - 1.0 / (levels - 1),
        place=1 + sum(other > own for other in means.values()),
        kinds=len(means),
    )


def kind_report(study: JudgmentStudy) -> SubReport:
    """Return the sub-report of mean answers by kind of sentence."""
    answers = answers_by_kind(study)
    has_choice = study.rows(SentenceGroup.CHOICE).any()
    checked = [choice_sentence(choice_check(study))] if has_choice else []
    columns = ("question", "kind", "sentences", *SUMMARY)
    rows = tuple(
        (each.question, str(each.kind), each.sentences, *summary_cells(each.answers))
        for each in answers
    )
    return SubReport(
        name="kinds",
        title="Answers by kind of sentence",
        text=(*kind_sentences(answers), *checked),
        data=Table(columns=columns, rows=rows, left=2),
        shown=(Table(columns=columns[:7], rows=tuple(row[:7] for row in rows), left=2),),
        figures=(Figure(svg=kind_figure(answers, simulated=study.simulated)),),
        notes=(
            (
                "n: answers, from 0, the worst, to 1; missing answers are left out. Translations are those of systems; "
                "the other kinds are references whose words were moved (order, phrase), exchanged (swap), replaced "
                "(choice), or replaced and then moved (both)."
            ),
            *(
                ["Answers are near the top if their mean is within one level of the best answer."]
                if has_choice
                else []
            ),
        ),
    )


def kind_sentences(answers: Sequence[KindAnswers]) -> tuple[str, ...]:
    """Return mean answers to each question: of translations, then of permutations, the best type first."""
    found = []
    for question in dict.fromkeys(each.question for each in answers):
        known = [
            (mean, each.kind)
            for each in answers
            if each.question == question and isinstance(mean := each.answers.mean, float)
        ]
        known.sort(key=lambda pair: -pair[0])
        moved = ", ".join(
            f"{kind} {mean:.2f}" for mean, kind in known if kind is not SentenceGroup.TRANSLATION
        )
        parts = [
            *(
                f"translations {mean:.2f}"
                for mean, kind in known
                if kind is SentenceGroup.TRANSLATION
            ),
            *([f"permutations of type {moved}"] if moved else []),
        ]
        told = "; ".join(parts) or "undefined (there is no answer)"
        found.append(f'Mean answers to "{question}" (0 is worst, 1 is best): {told}.')
    return tuple(found)


def choice_sentence(check: ChoiceCheck | Undefined) -> str:
    """Return whether people told order from the choice of words."""
    if isinstance(check, Undefined):
        return f"Whether word choice stays near the top cannot be said: {check.reason}."
    near = "stay" if check.holds else "do not stay"
    rank = "the highest" if check.place == 1 else f"number {check.place}"
    return (
        f'Where only words were replaced, answers to "{check.question}" {near} near the top: their mean is '
        f"{said(check.mean, digits=2)}, {rank} of {check.kinds} kinds; {said(check.least, digits=2)} or more is within "
        "one level of the best."
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

"""Answers by type and degree of permutations. Section 13.3"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.counted import counted
from kilter.core.table import Table
from kilter.render.chart.chart import Curve, curve_chart
from kilter.render.chart.frame import Caption, statement
from kilter.render.page.sub_report import Figure, SubReport, file_name
from kilter.stats.undefined import Undefined
from kilter.study.analysis.summary import (
    SUMMARY,
    Summary,
    mean_interval,
    said,
    summarise,
    summary_cells,
)
from kilter.study.judgments.judgment_study import ALL_TYPES, TYPES, SentenceGroup

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kilter.study.judgments.judgment_study import JudgmentStudy


@dataclass(frozen=True, slots=True, kw_only=True)
class DegreeAnswers:
    """Answers, from 0 to 1, to one question about the permutations of a type and degree."""

    question: str
    type: SentenceGroup
    degree: int
    sentences: int
    answers: Summary


def answers_by_degree(study: JudgmentStudy) -> tuple[DegreeAnswers, ...]:
    """Return answers by question, type and degree; only what occurs."""
    degrees = np.array([sentence.degree or 0 for sentence in study.sentences])[study.sentence]
    answers = []
    for question in study.questions:
        scores = study.scores(question.name)
        for kind in ALL_TYPES:
            rows = study.rows(kind)
            for degree in np.unique(degrees[rows]).tolist():
                chosen = rows & (degrees == degree)
                answers.append(
                    DegreeAnswers(
                        question=question.name,
                        type=kind,
                        degree=degree,
                        sentences=len(np.unique(study.sentence[chosen])),
                        answers=summarise(scores[chosen]),
                    )
                )
    return tuple(answers)


ENOUGH = 10
"""Answers that a degree needs to be spoken of; the table and the figure have all degrees."""


def degree_figure(answers: Sequence[DegreeAnswers], *, question: str, simulated: bool) -> str:
    """Return mean answers to a question with 95% intervals by degree, a curve for each type."""
    chosen = [entry for entry in answers if entry.question == question]
    kinds = list(dict.fromkeys(entry.type for entry in chosen))
    curves, notes = list[Curve](), list[str]()
    for number, kind in enumerate(kinds):
        of_kind = [entry for entry in chosen if entry.type == kind]
        means = [(entry, mean_interval(entry.answers)) for entry in of_kind]
        known = [(entry, mean) for entry, mean in means if not isinstance(mean, Undefined)]
        notes += [
            f"{kind}, degree {entry.degree}: {mean}"
            for entry, mean in means
            if isinstance(mean, Undefined)
        ]
        total = sum(entry.answers.count for entry in of_kind)
        curves.append(
            Curve(
                name=f"{kind} (n = {counted(total, 'judgment')})",
                points=[(float(entry.degree), mean.value) for entry, mean in known],
                intervals=[(mean.low, mean.high) for _, mean in known],
                aside=5.0 * (number - (len(kinds) - 1) / 2),
            )
        )
    intervals = "Vertical lines are 95% intervals of the mean, judgments taken as independent."
    caption = Caption(
        title=f"Answers to {question} by type and degree of permutation",
        notes=[intervals, *notes],
        simulated=simulated,
    )
    if not curves:
        return statement(caption, Undefined("there is no judgment about a permutation"))
    return curve_chart(
        curves,
        caption=caption,
        x="degree",
        y="mean answer, from 0 (worst) to 1 (best)",
        reach=(0.0, 1.0),
    )


def degree_report(study: JudgmentStudy) -> SubReport:
    """Return the sub-report of answers by type and degree of permutation."""
    answers = answers_by_degree(study)
    absent = [str(kind) for kind in TYPES if not any(each.type is kind for each in answers)]
    text = [
        _ends(each.name, [entry for entry in answers if entry.question == each.name])
        for each in study.questions
    ]
    if absent:
        text.append(f"There is no judged permutation of type {', '.join(absent)}.")
    return SubReport(
        name="degrees",
        title="Answers by type and degree of permutation",
        figures=tuple(
            Figure(
                svg=degree_figure(answers, question=question.name, simulated=study.simulated),
                name=file_name("figure", question.name),
            )
            for question in study.questions
        ),
        text=tuple(text),
        data=Table(
            columns=("question", "type", "degree", "sentences", *SUMMARY),
            rows=tuple(
                (
                    each.question,
                    str(each.type),
                    each.degree,
                    each.sentences,
                    *summary_cells(each.answers),
                )
                for each in answers
            ),
            left=2,
        ),
        shown=(
            Table(
                columns=(
                    "question",
                    "type",
                    "degree",
                    "sentences",
                    "n",
                    "missing",
                    "mean",
                    "deviation",
                ),
                rows=tuple(
                    (
                        each.question,
                        str(each.type),
                        each.degree,
                        each.sentences,
                        *summary_cells(each.answers)[:4],
                    )
                    for each in answers
                ),
                left=2,
            ),
        ),
        notes=(
            (
                "n: answers, from 0, the worst, to 1; missing answers are left out of the means. The degree is the "
                f"number of words that are affected. The sentences above name degrees with {ENOUGH} answers or more."
            ),
        ),
    )


def _ends(question: str, answers: list[DegreeAnswers]) -> str:
    """Return the means of the lowest and the highest degree that have enough answers to speak of."""
    parts = []
    for kind in ALL_TYPES:
        known = [
            each for each in answers
            if each.type is kind and each.answers.count >= ENOUGH
        ]  # fmt: skip
        if len(known) > 1:
            parts.append(f"{kind} {_mean(known[0])} and {_mean(known[-1])}")
    told = "; ".join(parts)
    if not told:
        return f'There are too few answers to "{question}" to compare degrees.'
    return f'Mean answers to "{question}" at the lowest and the highest degree, by type of permutation: {told}.'


def _mean(each: DegreeAnswers) -> str:
    return f"{said(each.answers.mean, digits=2)} at degree {each.degree} (n = {each.answers.count})"

"""Answers by kind of sentence: translations, and each type of permutation. Section 13.1"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kilter.stats.undefined import Undefined
from kilter.study.analysis.judgment_study import REPORTED, SentenceGroup
from kilter.study.analysis.summary import Summary, summarise

if TYPE_CHECKING:
    from kilter.study.analysis.judgment_study import JudgmentStudy


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

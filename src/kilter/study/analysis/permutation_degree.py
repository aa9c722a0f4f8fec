"""Answers by type and degree of permutations. Section 13.3"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kilter.study.analysis.judgment_study import ALL_TYPES, SentenceGroup
from kilter.study.analysis.summary import Summary, summarise

if TYPE_CHECKING:
    from kilter.study.analysis.judgment_study import JudgmentStudy


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

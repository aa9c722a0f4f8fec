"""Answers by type and degree of permutations. Section 13.3"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kilter.survey.analysis.judgment_study import JudgmentStudy, SentenceGroup
    from kilter.survey.analysis.summary import Summary


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
    raise NotImplementedError

"""Which levels participants use, and how answers to two questions go together. Section 13.1"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kilter.survey.analysis.judgment_study import SentenceGroup

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kilter.structures.undefined import Number, Undefined
    from kilter.survey.analysis.judgment_study import JudgmentStudy


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelUse:
    """The share of each level among one participant's answers to a question; all people's if None."""

    participant: str | None
    question: str
    answered: int
    missing: int
    shares: Mapping[int, float] | Undefined
    never_used: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionTable:
    """How often each two levels of two questions were given together; counts[row][column]."""

    rows: str
    columns: str
    sentences: SentenceGroup
    row_levels: tuple[int, ...]
    column_levels: tuple[int, ...]
    counts: tuple[tuple[int, ...], ...]
    judgments: int
    missing: int
    pearson: Number


def level_use(study: JudgmentStudy) -> tuple[LevelUse, ...]:
    """Return the use of levels by question: of all people first, then of each participant."""
    raise NotImplementedError


def question_table(
    study: JudgmentStudy,
    *,
    rows: str = "holistic",
    columns: str = "order",
    sentences: SentenceGroup = SentenceGroup.ALL,
) -> QuestionTable | Undefined:
    """Return the table of two questions over a group of sentences, with Pearson's r."""
    raise NotImplementedError

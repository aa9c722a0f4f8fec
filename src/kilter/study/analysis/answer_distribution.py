"""Which levels participants use, and how answers to two questions go together. Section 13.1"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.counted import counted
from kilter.stats.correlation import pearson
from kilter.stats.undefined import Number, Undefined, number
from kilter.study.analysis.judged_correlation import LEAST_COMMON
from kilter.study.analysis.judgment_study import SentenceGroup

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from kilter.io.judgments.survey_export import QuestionScale
    from kilter.study.analysis.judgment_study import JudgmentStudy

# A table with more rows or columns than this is no table for people; sliders have more.
MOST_LEVELS = 11


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
    """Return the use of levels by question: of all people first, then of each participant.

    Control items and pairs are left out.
    """
    rows = study.rows()
    uses = []
    for question in study.questions:
        levels = study.levels[question.name]
        uses.append(_use(question, None, levels[rows]))
        uses += [
            _use(question, person.id, levels[rows & (study.participant == place)])
            for place, person in enumerate(study.participants)
        ]
    return tuple(uses)


def _use(question: QuestionScale, participant: str | None, levels: NDArray[np.float64]) -> LevelUse:
    known = levels[~np.isnan(levels)]
    counts = {level: int(np.count_nonzero(known == level)) for level in question.levels}
    shares: Mapping[int, float] | Undefined = Undefined("there is no answer")
    if len(known):
        shares = {level: count / len(known) for level, count in counts.items()}
    return LevelUse(
        participant=participant,
        question=question.name,
        answered=len(known),
        missing=len(levels) - len(known),
        shares=shares,
        never_used=tuple(level for level, count in counts.items() if not count),
    )


def question_table(
    study: JudgmentStudy,
    *,
    rows: str = "holistic",
    columns: str = "order",
    sentences: SentenceGroup = SentenceGroup.ALL,
) -> QuestionTable | Undefined:
    """Return the table of two questions over a group of sentences, with Pearson's r."""
    asked = {question.name: question for question in study.questions}
    for name in (rows, columns):
        if name not in asked:
            return Undefined(f"the study has no question {name} on a scale")
        if len(asked[name].levels) > MOST_LEVELS:
            return Undefined(
                f"{name} has {len(asked[name].levels)} levels, too many for a table of answers"
            )
    chosen = study.rows(sentences)
    first, second = study.levels[rows][chosen], study.levels[columns][chosen]
    both = ~np.isnan(first) & ~np.isnan(second)
    first, second = first[both], second[both]
    judged = len(np.unique(study.sentence[chosen][both]))
    if judged < LEAST_COMMON:
        r = None
        reason = (
            f"{counted(judged, 'sentence')} with both answers; a correlation needs {LEAST_COMMON}"
        )
    else:
        r = float(pearson(first, second))
        reason = "all answers to a question are the same"
    return QuestionTable(
        rows=rows,
        columns=columns,
        sentences=sentences,
        row_levels=tuple(asked[rows].levels),
        column_levels=tuple(asked[columns].levels),
        counts=tuple(
            tuple(
                int(np.count_nonzero((first == a) & (second == b))) for b in asked[columns].levels
            )
            for a in asked[rows].levels
        ),
        judgments=len(first),
        missing=len(both) - len(first),
        pearson=number(r, reason),
    )

"""Quality by place in the questionnaire and by questionnaire: means near 0.5 if all are alike. Section 13.1"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kilter.study.analysis.judgment_study import DEGREE_TOOL, RANK_TOOL
from kilter.study.analysis.summary import Summary, summarise

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from kilter.study.analysis.judgment_study import JudgmentStudy


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceQuality:
    """One position, or one questionnaire: items by kind, and summaries of the quality measures."""

    place: int
    judgments: int
    kinds: Mapping[str, int]
    rank_score: Summary
    degree_score: Summary
    answers: Mapping[str, Summary]


def quality_by_position(study: JudgmentStudy) -> tuple[PlaceQuality, ...]:
    """Return the quality of what stands at each position of the questionnaires, from 1."""
    return _by(study, study.position)


def quality_by_questionnaire(study: JudgmentStudy) -> tuple[PlaceQuality, ...]:
    """Return the quality of each questionnaire, by number."""
    return _by(study, study.questionnaire)


def _by(study: JudgmentStudy, place: NDArray[np.int64]) -> tuple[PlaceQuality, ...]:
    kinds = np.array([str(sentence.kind) for sentence in study.sentences], dtype=object)
    analysed = study.rows()
    rank, degree = (study.values_of(tool)[study.sentence] for tool in (RANK_TOOL, DEGREE_TOOL))
    scores = {question.name: study.scores(question.name) for question in study.questions}
    translated, permuted = kinds == "translation", kinds == "permutation"
    places = []
    for number in np.unique(place).tolist():
        rows = place == number
        sentence = study.sentence[rows]
        places.append(
            PlaceQuality(
                place=number,
                judgments=int(rows.sum()),
                kinds=dict(sorted(Counter(kinds[sentence].tolist()).items())),
                rank_score=summarise(rank[rows & translated[study.sentence]]),
                degree_score=summarise(degree[rows & permuted[study.sentence]]),
                answers={
                    name: summarise(values[rows & analysed]) for name, values in scores.items()
                },
            )
        )
    return tuple(places)

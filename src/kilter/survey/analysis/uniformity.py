"""Quality by place in the questionnaire and by questionnaire: means near 0.5 if all are alike. Section 13.1"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kilter.survey.analysis.judgment_study import JudgmentStudy
    from kilter.survey.analysis.summary import Summary


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
    raise NotImplementedError


def quality_by_questionnaire(study: JudgmentStudy) -> tuple[PlaceQuality, ...]:
    """Return the quality of each questionnaire, by number."""
    raise NotImplementedError

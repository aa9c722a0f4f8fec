"""Who took part: age, gender, nationality, education, languages. Section 13.1"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kilter.structures.undefined import Undefined
    from kilter.survey.analysis.judgment_study import JudgmentStudy
    from kilter.survey.analysis.summary import Summary

NUMERIC = ("age", "grammar_attention", "number_of_languages", "language_points")
NAMED = ("gender", "nationality", "education")


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldDescription:
    """One thing that participants said; `summary` only where answers are numbers."""

    field: str
    answered: int
    missing: int
    counts: Mapping[str, int]
    summary: Summary | None


def demographics(study: JudgmentStudy) -> dict[str, FieldDescription | Undefined]:
    """Return what is known of the participants, by field; a field that nobody filled in is undefined."""
    raise NotImplementedError

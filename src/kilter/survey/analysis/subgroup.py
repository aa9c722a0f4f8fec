"""Participants in groups: the published splits, and any field. Section 13.5"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kilter.statistics.undefined import Undefined
from kilter.survey.analysis.demographics import field_number, field_value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kilter.survey.analysis.judgment_study import JudgmentStudy

AGE = 30
LANGUAGE_POINTS = 11
EDUCATION = {
    "school or none": "up to undergraduate",
    "college diploma": "up to undergraduate",
    "undergraduate": "up to undergraduate",
    "masters": "masters or higher",
    "phd or higher": "masters or higher",
}


@dataclass(frozen=True, kw_only=True, eq=False)
class Subgroup:
    """Some participants, such as `age < 30`: how many, how many judgments, and which rows these are."""

    name: str
    participants: int
    judgments: int
    rows: NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True, eq=False)
class Split:
    """Participants by one field; those who left it empty are in no group."""

    field: str
    groups: tuple[Subgroup, ...]
    missing: int


def published_splits(study: JudgmentStudy) -> dict[str, Split | Undefined]:
    """Return the splits of [TH]: age 30, language points 11, education from Masters."""
    degrees = [field_value(person, "education") for person in study.participants]
    known = [EDUCATION.get((value or "").lower()) for value in degrees]
    return {
        "age": split_by(study, "age", threshold=AGE),
        "language_points": split_by(study, "language_points", threshold=LANGUAGE_POINTS),
        "education": _split(study, "education", known, tuple(dict.fromkeys(EDUCATION.values()))),
    }


def split_by(
    study: JudgmentStudy, field: str, *, threshold: float | None = None
) -> Split | Undefined:
    """Return the groups by a field of participants: by value, or below and from a threshold."""
    if threshold is None:
        values = [field_value(person, field) for person in study.participants]
        names: Sequence[str] = sorted({value for value in values if value is not None})
        return _split(study, field, values, names)
    names = (f"< {threshold:g}", f">= {threshold:g}")
    numbers = [field_number(person, field) for person in study.participants]
    sides = [None if np.isnan(value) else names[value >= threshold] for value in numbers]
    return _split(study, field, sides, names, answer="number")


def _split(
    study: JudgmentStudy,
    field: str,
    groups: Sequence[str | None],
    names: Sequence[str],
    *,
    answer: str = "known answer",
) -> Split | Undefined:
    """Return a split by the group of each participant; groups without participants are kept."""
    if not any(group is not None for group in groups):
        return Undefined(f"no participant can be placed by {field}: nobody gave a {answer}")
    found = []
    for name in names:
        members = np.array([group == name for group in groups], dtype=np.bool_)
        rows = members[study.participant]
        found.append(
            Subgroup(
                name=f"{field} {name}",
                participants=int(members.sum()),
                judgments=int(np.count_nonzero(rows & study.rows())),
                rows=rows,
            )
        )
    return Split(field=field, groups=tuple(found), missing=sum(group is None for group in groups))

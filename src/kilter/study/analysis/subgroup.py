"""Participants in groups: the published splits, and any field. Section 13.5"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kilter.stats.undefined import Undefined
from kilter.study.analysis.demographics import FURTHER, field_label, field_number, field_value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kilter.study.analysis.judgment_study import JudgmentStudy

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
    """Participants by one field; those who left it empty are in no group.

    `hidden` are participants whose group is too small to be shown, by itself or with other small ones.
    """

    field: str
    groups: tuple[Subgroup, ...]
    missing: int
    hidden: int = 0


_TWO = 2
OTHERS = "other answers"
"""What groups that were too small by themselves are called together."""


def published_splits(study: JudgmentStudy, *, smallest: int = 1) -> dict[str, Split | Undefined]:
    """Return the splits of [TH]: age 30, language points 11, education from Masters."""
    degrees = [field_value(person, "education") for person in study.participants]
    known = [EDUCATION.get((value or "").lower()) for value in degrees]
    return {
        "age": split_by(study, "age", threshold=AGE, smallest=smallest),
        "language_points": split_by(
            study, "language_points", threshold=LANGUAGE_POINTS, smallest=smallest
        ),
        "education": _split(
            study, "education", known, tuple(dict.fromkeys(EDUCATION.values())), smallest=smallest
        ),
    }


def further_splits(study: JudgmentStudy, *, smallest: int = 1) -> dict[str, Split | Undefined]:
    """Return splits by first language, disability and recruitment group, where answers differ."""
    splits = {}
    for name in FURTHER:
        if len({field_value(person, name) for person in study.participants} - {None}) > 1:
            splits[name] = split_by(study, name, smallest=smallest)
    return splits


def split_by(
    study: JudgmentStudy, field: str, *, threshold: float | None = None, smallest: int = 1
) -> Split | Undefined:
    """Return the groups by a field of participants: by value, or below and from a threshold.

    Groups with fewer participants than `smallest` are one group of other answers if these are enough
    together, and hidden otherwise; the sides of a threshold are hidden.
    """
    if threshold is None:
        values = [field_value(person, field) for person in study.participants]
        names: Sequence[str] = sorted({value for value in values if value is not None})
        return _split(study, field, values, names, smallest=smallest)
    names = (f"< {threshold:g}", f">= {threshold:g}")
    numbers = [field_number(person, field) for person in study.participants]
    sides = [None if np.isnan(value) else names[value >= threshold] for value in numbers]
    return _split(study, field, sides, names, answer="number", smallest=smallest)


def _split(
    study: JudgmentStudy,
    field: str,
    groups: list[str | None],
    names: Sequence[str],
    *,
    answer: str = "known answer",
    smallest: int,
) -> Split | Undefined:
    """Return a split by the group of each participant; groups without participants are kept."""
    if not any(group is not None for group in groups):
        return Undefined(f"no participant can be placed by {field}: nobody gave a {answer}")
    small = [name for name in names if 0 < groups.count(name) < smallest]
    together = sum(groups.count(name) for name in small)
    hidden = 0
    if answer != "number" and len(small) > 1 and together >= smallest:
        groups = [OTHERS if group in small else group for group in groups]
        names = [*(name for name in names if name not in small), OTHERS]
    else:
        hidden = together
        names = [name for name in names if name not in small]
    if smallest > 1 and sum(name in groups for name in names) < _TWO:
        return Undefined(
            f"fewer than two groups by {field_label(field)} have {smallest} participants, and smaller ones are "
            "not shown"
        )
    found = []
    for name in names:
        members = np.array([group == name for group in groups], dtype=np.bool_)
        rows = members[study.participant]
        found.append(
            Subgroup(
                name=f"{field_label(field)} {name}",
                participants=int(members.sum()),
                judgments=int(np.count_nonzero(rows & study.rows())),
                rows=rows,
            )
        )
    return Split(
        field=field,
        groups=tuple(found),
        missing=sum(group is None for group in groups),
        hidden=hidden,
    )

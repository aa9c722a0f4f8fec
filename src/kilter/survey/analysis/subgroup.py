"""Participants in groups: the published splits, and any field. Section 13.5"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kilter.structures.undefined import Undefined
    from kilter.survey.analysis.judgment_study import JudgmentStudy


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
    raise NotImplementedError


def split_by(
    study: JudgmentStudy, field: str, *, threshold: float | None = None
) -> Split | Undefined:
    """Return the groups by a field of participants: by value, or below and from a threshold."""
    raise NotImplementedError

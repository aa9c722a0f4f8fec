"""Agreement between participants: alpha, weighted kappa, leave-one-out correlation. Section 13.3"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kilter.structures.choice import Choice
from kilter.survey.analysis.judgment_study import SentenceGroup

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kilter.structures.undefined import Number
    from kilter.survey.agreement import Scale
    from kilter.survey.analysis.judgment_study import JudgmentStudy


class Weighting(Choice):
    """How much a disagreement counts: by its size, or by the square of it."""

    LINEAR = "linear"
    QUADRATIC = "quadratic"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kappa:
    """Weighted kappa over pairs of participants: the mean, the smallest and the largest."""

    mean: Number
    lowest: Number
    highest: Number
    pairs: int
    undefined: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveOneOut:
    """Spearman's rho of one participant with the mean of all others, on sentences that both judged."""

    participant: str
    sentences: int
    rho: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeAgreement:
    """How far participants agree about one question; `units` sentences have two or more answers."""

    question: str
    sentences: SentenceGroup
    units: int
    answers: int
    alpha: Mapping[Scale, Number]
    kappa: Mapping[Weighting, Kappa]
    leave_one_out: tuple[LeaveOneOut, ...]
    mean_leave_one_out: Number


def judge_agreement(
    study: JudgmentStudy, question: str, *, sentences: SentenceGroup = SentenceGroup.ALL
) -> JudgeAgreement:
    """Return the agreement of participants on sentences that several of them judged."""
    raise NotImplementedError

"""Judgments without the differences between participants. Section 13.2, [TH] chapter 7"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kilter.structures.choice import Choice

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kilter.structures.undefined import Number, Undefined
    from kilter.survey.analysis.judgment_study import JudgmentStudy, ToolScores


class Estimator(Choice):
    """How participants' effects are estimated: in closed form, or with crossed sentence effects."""

    ANOVA = "anova"
    REML = "reml"


class EffectSource(Choice):
    """Whose judgments effects are estimated on: all, or those about shared sentences."""

    ALL = "all"
    SHARED = "shared"


@dataclass(frozen=True, slots=True, kw_only=True)
class ParticipantEffect:
    """How far a participant judges above the others, with a 95% prediction interval."""

    participant: str
    judgments: int
    mean_residual: Number
    effect: float
    low: Number
    high: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class TTest:
    """Student's two-tailed test of two samples, variances pooled."""

    t: float
    freedom: int
    p: float


@dataclass(frozen=True, kw_only=True, eq=False)
class Adjustment:
    """Effects, variances, and the scores from 0 to 1 without the effects; `scores` follows the judgments.

    Scores are not clipped. Undefined variances come with effects of 0: scores are then unchanged.
    """

    question: str
    estimator: Estimator
    source: EffectSource
    predictor: str | None
    judgments: int
    missing: int
    intercept: Number
    slope: Number
    participant_variance: Number
    sentence_variance: Number
    residual_variance: Number
    effects: tuple[ParticipantEffect, ...]
    scores: NDArray[np.float64]
    change: TTest | Undefined


def adjust(
    study: JudgmentStudy,
    question: str,
    *,
    estimator: Estimator = Estimator.ANOVA,
    source: EffectSource = EffectSource.ALL,
    predictor: ToolScores | None = None,
) -> Adjustment:
    """Return the answers to a question without participants' effects."""
    raise NotImplementedError

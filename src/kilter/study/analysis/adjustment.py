"""Judgments without the differences between participants. Section 13.2, [TH] chapter 7"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.judgments import levelled
from kilter.core.settings import Choice
from kilter.stats.participant_effect import ParticipantEffects, anova_effects, reml_effects
from kilter.stats.significance import two_sided_p
from kilter.stats.undefined import Number, Undefined, number

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.study.analysis.judgment_study import JudgmentStudy, ToolScores

    Floats = NDArray[np.float64]

ToolKey = tuple[str, str, str]
"""A question, the name of a tool with its variant, and a configuration."""
_QUANTILE = NormalDist().inv_cdf(0.975)


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

    `judgments` are those that effects are estimated on; `missing` are others about the same sentences, which
    lack an answer or the predictor's score. Scores are not clipped. Undefined variances come with effects of 0: scores are then unchanged.
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
    """Return the answers to a question without participants' effects.

    Effects are estimated on translations and permutations, or the shared ones among them, with an answer
    and, if there is a predictor, its score; they are taken from every answer.
    """
    scores = study.scores(question)
    known = ~np.isnan(scores)
    asked = study.rows()
    if source is EffectSource.SHARED:
        asked = asked & study.shared[study.sentence]
    used = known & asked
    x = None if predictor is None else predictor.values[study.sentence]
    if x is not None:
        used &= ~np.isnan(x)
    estimate = _estimate(study, scores, used, x, estimator)
    # What is the same but for rounding must tie.
    adjusted = levelled(scores - estimate.effects[study.participant])
    tested = known & study.rows()
    counts = np.bincount(study.participant[used], minlength=len(study.participants))
    return Adjustment(
        question=question,
        estimator=estimator,
        source=source,
        predictor=None if predictor is None else predictor.name,
        judgments=int(used.sum()),
        missing=int(np.count_nonzero(asked & ~used)),
        intercept=number(estimate.intercept, _NO_JUDGMENT),
        slope=number(estimate.slope, _NO_JUDGMENT),
        participant_variance=estimate.participant_variance,
        sentence_variance=estimate.sentence_variance,
        residual_variance=estimate.residual_variance,
        effects=tuple(
            _effect(person.id, int(counts[place]), estimate, place)
            for place, person in enumerate(study.participants)
        ),
        scores=adjusted,
        change=t_test(scores[tested], adjusted[tested]),
    )


def tool_adjustments(
    study: JudgmentStudy,
    *,
    estimator: Estimator = Estimator.ANOVA,
    source: EffectSource = EffectSource.ALL,
) -> dict[ToolKey, Adjustment]:
    """Return an adjustment by question and tool, with the scores of the tool as the predictor."""
    return {
        (question.name, tool.name, tool.configuration): adjust(
            study, question.name, estimator=estimator, source=source, predictor=tool
        )
        for question in study.questions
        for tool in study.tools
    }


_NO_JUDGMENT = "there is no judgment to estimate it from"


def _estimate(
    study: JudgmentStudy,
    scores: Floats,
    used: NDArray[np.bool_],
    predictor: Floats | None,
    estimator: Estimator,
) -> ParticipantEffects:
    people = len(study.participants)
    if not used.any():
        nothing = Undefined(_NO_JUDGMENT)
        return ParticipantEffects.unknown(nothing, people, line=(np.nan, np.nan))
    x = None if predictor is None else predictor[used]
    participant = study.participant[used]
    if estimator is Estimator.ANOVA:
        return anova_effects(scores[used], participant, people, predictor=x)
    levels = (people, len(study.sentences))
    return reml_effects(scores[used], participant, study.sentence[used], levels=levels, predictor=x)


def _effect(
    name: str, judgments: int, estimate: ParticipantEffects, place: int
) -> ParticipantEffect:
    effect, deviation = float(estimate.effects[place]), float(estimate.deviations[place])
    reason = "variances are undefined" if judgments else "no judgment to estimate it from"
    if not judgments:
        deviation = np.nan
    return ParticipantEffect(
        participant=name,
        judgments=judgments,
        mean_residual=number(float(estimate.mean_residuals[place]), reason),
        effect=effect,
        low=number(effect - _QUANTILE * deviation, reason),
        high=number(effect + _QUANTILE * deviation, reason),
    )


def t_test(first: Floats, second: Floats) -> TTest | Undefined:
    """Return Student's two-tailed test of two samples with pooled variance.

    >>> import numpy as np
    >>> found = t_test(np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 6.0]))
    >>> round(found.t, 6), found.freedom, round(found.p, 6)
    (-1.549193, 4, 0.196261)
    """
    freedom = len(first) + len(second) - 2
    if min(len(first), len(second)) < 2:
        return Undefined("a test needs two answers")
    squares = float(((first - first.mean()) ** 2).sum() + ((second - second.mean()) ** 2).sum())
    if squares == 0.0:
        return Undefined("all answers are the same")
    error = sqrt(squares / freedom * (1.0 / len(first) + 1.0 / len(second)))
    t = float(first.mean() - second.mean()) / error
    return TTest(t=t, freedom=freedom, p=two_sided_p(t, freedom))

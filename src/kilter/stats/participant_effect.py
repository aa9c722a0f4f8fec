"""Differences between participants by analysis of variance, in closed form. Section 13.2, [TH] 7.2"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.counted import counted
from kilter.stats.crossed_intercepts import crossed_intercepts
from kilter.stats.undefined import Number, Undefined

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True, eq=False)
class ParticipantEffects:
    """What separates participants: a column of effects, and the variances that they were drawn to.

    `mean_residuals` is NaN for a participant without judgments, whose effect is 0. `deviations` are
    standard errors of prediction, NaN where variances are undefined; effects are then 0. The variance
    of sentences is undefined for an estimator that does not know them.
    """

    intercept: float
    slope: float
    participant_variance: Number
    sentence_variance: Number
    residual_variance: Number
    mean_residuals: Floats
    effects: Floats
    deviations: Floats

    @classmethod
    def unknown(
        cls,
        reason: Undefined,
        participants: int,
        *,
        line: tuple[float, float],
        means: Floats | None = None,
    ) -> ParticipantEffects:
        """Return no effects where there is a reason; `line` holds intercept and slope."""
        nothing = np.full(participants, np.nan)
        return cls(
            intercept=line[0],
            slope=line[1],
            participant_variance=reason,
            sentence_variance=reason,
            residual_variance=reason,
            mean_residuals=nothing if means is None else means,
            effects=np.zeros(participants),
            deviations=nothing,
        )


def anova_effects(
    scores: Floats, participant: Ints, participants: int, *, predictor: Floats | None = None
) -> ParticipantEffects:
    """Return u_p = n_p var_u / (n_p var_u + var_e) (mean residual of p - mean residual).

    Residuals are those of least squares on the predictor, if there is one; var_e = within / (N - P) and
    var_u = max(0, (between / (P - 1) - var_e) / n0), n0 = (N - sum n_p^2 / N) / (P - 1). Resolution A38

    >>> import numpy as np
    >>> found = anova_effects(np.array([0.0, 0.5, 0.5, 1.0]), np.array([0, 0, 1, 1]), 2)
    >>> found.participant_variance, found.residual_variance, found.effects.tolist()
    (0.0625, 0.125, [-0.125, 0.125])
    """
    intercept, slope = least_squares(scores, predictor)
    fitted = intercept if predictor is None else intercept + slope * predictor
    residuals = scores - fitted
    counts = np.bincount(participant, minlength=participants)
    means = group_means(residuals, participant, counts)
    offsets = np.where(counts > 0, means - residuals.mean(), 0.0)
    people, size = int(np.count_nonzero(counts)), len(scores)
    reason = too_few(people, size)
    if reason is not None:
        line = intercept, slope
        return ParticipantEffects.unknown(reason, participants, line=line, means=means)
    within = float(((residuals - means[participant]) ** 2).sum()) / (size - people)
    between = float((counts * offsets**2).sum()) / (people - 1)
    n0 = (size - float((counts * counts).sum()) / size) / (people - 1)
    variance = max(0.0, (between - within) / n0)
    weights = counts.astype(np.float64)
    shrinkage = _shares(weights * variance, weights * variance + within)
    return ParticipantEffects(
        intercept=intercept,
        slope=slope,
        participant_variance=variance,
        sentence_variance=NOT_MODELLED,
        residual_variance=within,
        mean_residuals=means,
        effects=shrinkage * offsets,
        deviations=_deviations(weights, variance, within, shrinkage),
    )


def reml_effects(
    scores: Floats,
    participant: Ints,
    sentence: Ints,
    *,
    levels: tuple[int, int],
    predictor: Floats | None = None,
) -> ParticipantEffects:
    """Return effects of participants beside those of sentences, by REML; `levels` counts both.

    Sentences judged once each cannot be told from noise: their variance is then undefined, and part of
    the residual one.
    """
    columns = [np.ones(len(scores))]
    if predictor is not None and not (predictor == predictor[0]).all():
        columns.append(predictor)
    design = np.column_stack(columns)
    people = len(np.unique(participant))
    reason = too_few(people, len(scores)) or _unfit(scores, design)
    if reason is None:
        fit = crossed_intercepts(scores, participant, sentence, design=design, levels=levels)
        if fit.residual_variance <= _NO_NOISE * float(scores.var()):
            reason = Undefined("participants and sentences explain every answer; no noise is left")
    if reason is not None:
        line = least_squares(scores, predictor)
        return ParticipantEffects.unknown(reason, levels[0], line=line)
    counts = np.bincount(participant, minlength=levels[0])
    once = len(np.unique(sentence)) == len(scores)
    return ParticipantEffects(
        intercept=float(fit.fixed[0]),
        slope=float(fit.fixed[1]) if len(fit.fixed) > 1 else 0.0,
        participant_variance=fit.first.variance,
        sentence_variance=_ONCE if once else fit.second.variance,
        residual_variance=fit.residual_variance,
        mean_residuals=group_means(scores - design @ fit.fixed, participant, counts),
        effects=fit.first.effects,
        deviations=fit.first.deviations,
    )


def _unfit(scores: Floats, design: Floats) -> Undefined | None:
    residuals = scores - design @ np.linalg.lstsq(design, scores, rcond=None)[0]
    if len(scores) <= design.shape[1] or float((residuals**2).max()) <= _NOTHING:
        return Undefined("answers do not vary")
    return None


_NOTHING = 1e-12
_NO_NOISE = 1e-6
_ONCE = Undefined("every sentence was judged once; its effect cannot be told from noise")
NOT_MODELLED = Undefined("the closed form knows no effects of sentences; choose the estimator reml")


def too_few(people: int, size: int) -> Undefined | None:
    """Return why so many judgments of so many participants say nothing about differences, or None."""
    if people < 2:
        return Undefined(f"differences between participants need two, not {people}")
    if size == people:
        return Undefined(f"{counted(people, 'participant')} have one judgment each")
    return None


def least_squares(scores: Floats, predictor: Floats | None) -> tuple[float, float]:
    """Return intercept and slope; a constant predictor explains nothing and has the slope 0."""
    middle = float(scores.mean())
    if predictor is None or (predictor == predictor[0]).all():
        return middle, 0.0
    x = predictor - predictor.mean()
    slope = float((x * (scores - middle)).sum() / (x * x).sum())
    return middle - slope * float(predictor.mean()), slope


def group_means(values: Floats, group: Ints, counts: Ints) -> Floats:
    """Return the mean of each group, NaN for an empty one."""
    sums = np.bincount(group, weights=values, minlength=len(counts))
    return np.asarray(np.divide(sums, counts, out=np.full(len(counts), np.nan), where=counts > 0))


def _shares(parts: Floats, wholes: Floats) -> Floats:
    return np.asarray(np.divide(parts, wholes, out=np.zeros(len(parts)), where=wholes > 0))


def _deviations(weights: Floats, variance: float, within: float, shrinkage: Floats) -> Floats:
    """Return the standard error of prediction: what shrinkage leaves open, and that of the mean."""
    precision = float(_shares(weights, weights * variance + within).sum())
    mean_variance = 1.0 / precision if precision > 0 else 0.0
    return np.asarray(np.sqrt(variance * (1.0 - shrinkage) + shrinkage**2 * mean_variance))

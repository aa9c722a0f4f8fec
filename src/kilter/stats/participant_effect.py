"""Differences between participants by analysis of variance, in closed form. Section 13.2, [TH] 7.2"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log, pi
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.counted import counted
from kilter.stats.undefined import Number, Undefined

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Function = Callable[[Floats], float]
    Ints = NDArray[np.int64]

_STEPS = 1000
_RESTARTS = 3
_GAIN = 1e-12


def minimise(
    function: Function, start: Sequence[float], *, tolerance: float = 1e-8
) -> tuple[tuple[float, ...], float]:
    """Return a place near `start` where a function is smallest, and its value there.

    The search ends when its simplex is smaller than the tolerance, and begins anew from where it ended
    as long as that helps: a simplex can collapse before it has arrived.

    >>> place, value = minimise(lambda x: float((x[0] - 1) ** 2 + (x[1] + 2) ** 2), (0.0, 0.0))
    >>> [round(number, 6) for number in place], round(value, 9)
    ([1.0, -2.0], 0.0)
    """
    best, value = _descend(function, np.asarray(start, dtype=np.float64), tolerance)
    for _ in range(_RESTARTS):
        again, improved = _descend(function, best, tolerance)
        if not improved < value - _GAIN * (1.0 + abs(value)):
            break
        best, value = again, improved
    return tuple(float(number) for number in best), value


def _descend(function: Function, start: Floats, tolerance: float) -> tuple[Floats, float]:
    corners = np.vstack([start, start + np.diag(0.1 + 0.25 * np.abs(start))])
    values = np.array([function(corner) for corner in corners])
    for _ in range(_STEPS):
        order = np.argsort(values, kind="stable")
        corners, values = corners[order], values[order]
        if np.abs(corners[1:] - corners[0]).max() <= tolerance * (1.0 + np.abs(corners[0]).max()):
            break
        place, value = _moved(function, corners, values)
        if value < values[-1]:
            corners[-1], values[-1] = place, value
        else:
            corners[1:] = corners[0] + 0.5 * (corners[1:] - corners[0])
            values[1:] = [function(corner) for corner in corners[1:]]
    least = int(values.argmin())
    return corners[least], float(values[least])


def _moved(function: Function, corners: Floats, values: Floats) -> tuple[Floats, float]:
    """Return where the worst corner goes: reflected, further if that is best, nearer if it is bad."""
    middle = corners[:-1].mean(axis=0)
    away = middle - corners[-1]
    place = middle + away
    value = function(place)
    if value < values[0]:
        further = middle + 2.0 * away
        reached = function(further)
        return (further, reached) if reached < value else (place, value)
    if value < values[-2]:
        return place, value
    nearer = middle + (0.5 if value < values[-1] else -0.5) * away
    return nearer, function(nearer)


# Criteria that differ by less are the same as far as rounding can tell; the simpler model is kept.
_SAME = 1e-9
# A factor that varies ten thousand times as much as the noise leaves no noise that rounding would show.
_LARGEST = 1e8
_START = 0.5
_NEAR = 0.1


@dataclass(frozen=True, kw_only=True, eq=False)
class Intercepts:
    """One factor: the variance of its levels, what each adds, and standard errors of prediction."""

    variance: float
    effects: Floats
    deviations: Floats


@dataclass(frozen=True, kw_only=True, eq=False)
class CrossedFit:
    """Fixed effects, both factors, the residual variance, and -2 log restricted likelihood."""

    fixed: Floats
    first: Intercepts
    second: Intercepts
    residual_variance: float
    criterion: float


def crossed_intercepts(
    scores: Floats, first: Ints, second: Ints, *, design: Floats, levels: tuple[int, int]
) -> CrossedFit:
    """Return the fit of scores = design x fixed + first[i] + second[i] + noise.

    `design` holds one row per score; it must have full column rank, and scores must vary around it. A
    factor whose levels all occur at most once, or that has one level, gets the variance 0: nothing
    tells it from the noise or the mean. Scores that both factors explain completely have a residual
    variance of about 0, and no other number means anything then.
    """
    turned = levels[0] > levels[1]
    factors = (second, first) if turned else (first, second)
    sizes = levels[::-1] if turned else levels
    equations = _Equations(scores, *factors, design=design, levels=sizes)
    small, large, criterion = _best_ratios(equations)
    fitted = equations.solve(small, large)
    parts = fitted.factors[::-1] if turned else fitted.factors
    return CrossedFit(
        fixed=fitted.fixed,
        first=parts[0],
        second=parts[1],
        residual_variance=fitted.residual_variance,
        criterion=criterion,
    )


@dataclass(frozen=True, eq=False)
class _Solved:
    fixed: Floats
    factors: tuple[Intercepts, Intercepts]
    residual_variance: float


class _Equations:
    """Mixed-model equations whose larger factor is eliminated, for any two ratios of variances.

    Columns are the levels of the small factor, the design, and the scores. With the ratio r of the
    large factor's variance to that of the noise, elimination takes r / (r n + 1) times the outer product
    of a level's column sums from the cross products, n being its number of scores; sums over levels of
    equal n are therefore made once.
    """

    def __init__(
        self, scores: Floats, small: Ints, large: Ints, *, design: Floats, levels: tuple[int, int]
    ) -> None:
        self.small, self.large = levels
        self.fixed = design.shape[1]
        self.size = len(scores)
        # Scores near 0 keep digits in what elimination leaves of their squares.
        self._centre = float(scores.mean())
        self._constant = np.linalg.lstsq(design, np.ones(self.size), rcond=None)[0]
        table = np.zeros((self.size, self.small + self.fixed + 1))
        table[np.arange(self.size), small] = 1.0
        table[:, self.small : -1] = design
        table[:, -1] = scores - self._centre
        self._whole = table.T @ table
        self._counts = np.bincount(large, minlength=self.large)
        self._sums = np.zeros((self.large, table.shape[1]))
        np.add.at(self._sums, large, table)
        self._different = np.unique(self._counts)
        self._repeated = np.array([np.count_nonzero(self._counts == n) for n in self._different])
        self._products = np.stack(
            [rows.T @ rows for n in self._different for rows in [self._sums[self._counts == n]]]
        )
        used = np.count_nonzero(np.bincount(small, minlength=self.small))
        self.small_varies = 1 < used < self.size
        self.large_varies = 1 < np.count_nonzero(self._counts) < self.size

    def criterion(self, small: float, large: float) -> float:
        """Return -2 log restricted likelihood for two ratios of variances; infinite if one is too large."""
        if max(small, large) > _LARGEST:
            return inf
        try:
            factor = np.linalg.cholesky(self._reduced(small, large))
        except np.linalg.LinAlgError:
            return inf
        pivots = 2.0 * np.log(np.diagonal(factor))
        freedom = self.size - self.fixed
        logs = float(self._repeated @ np.log1p(large * self._different)) + float(pivots[:-1].sum())
        return float(logs + freedom * (float(pivots[-1]) + 1.0 + log(2.0 * pi / freedom)))

    def _reduced(self, small: float, large: float) -> Floats:
        weights = large / (large * self._different + 1.0)
        left = self._whole - np.tensordot(weights, self._products, axes=1)
        scale = self._scale(small)
        left = left * scale[:, np.newaxis] * scale
        left[np.arange(self.small), np.arange(self.small)] += 1.0
        return left

    def _scale(self, small: float) -> Floats:
        scale = np.ones(len(self._whole))
        scale[: self.small] = np.sqrt(small)
        return scale

    def solve(self, small: float, large: float) -> _Solved:
        """Return effects and their standard errors for two ratios of variances."""
        reduced = self._reduced(small, large)
        inverse = np.linalg.inv(reduced[:-1, :-1])
        solution = inverse @ reduced[:-1, -1]
        left = max(0.0, float(reduced[-1, -1] - reduced[:-1, -1] @ solution))
        variance = left / (self.size - self.fixed)
        scale = self._scale(small)[:-1]
        unscaled = solution * scale
        few = Intercepts(
            variance=small * variance,
            effects=unscaled[: self.small],
            deviations=np.sqrt(small * variance * np.diagonal(inverse)[: self.small].clip(min=0.0)),
        )
        columns = self._sums[:, :-1]
        divisor = large * self._counts + 1.0
        many = large * (self._sums[:, -1] - columns @ unscaled) / divisor
        rows = columns * scale
        spread = np.einsum("ij,jk,ik->i", rows, inverse, rows)
        open_variance = variance * large * (1.0 / divisor + large * spread / divisor**2)
        much = Intercepts(
            variance=large * variance, effects=many, deviations=np.sqrt(open_variance)
        )
        fixed = unscaled[self.small :] + self._centre * self._constant
        return _Solved(fixed, (few, much), variance)


def _best_ratios(equations: _Equations) -> tuple[float, float, float]:
    """Return the ratios of variances with the smallest criterion, and the criterion.

    It is even in the square roots of the ratios, so that the search needs no bounds. Models without a
    factor are tried where it comes out small; a ratio of 0 that is as good is kept.
    """

    def of(small: float, large: float) -> float:
        return equations.criterion(small * small, large * large)

    varies = equations.small_varies, equations.large_varies
    tried: list[tuple[Sequence[float], float]] = [((0.0, 0.0), of(0.0, 0.0))]
    best: Sequence[float] = (_START * varies[0], _START * varies[1])
    if all(varies):
        best, value = minimise(lambda x: of(*x), best)
        tried.append((best, value))
    if varies[0] and abs(best[1]) < _NEAR:
        roots, value = minimise(lambda x: of(x[0], 0.0), best[:1])
        tried.insert(1, ((roots[0], 0.0), value))
    if varies[1] and abs(best[0]) < _NEAR:
        roots, value = minimise(lambda x: of(0.0, x[0]), best[1:])
        tried.insert(1, ((0.0, roots[0]), value))
    least = min(value for _, value in tried)
    (small, large), value = next(
        entry for entry in tried if entry[1] <= least + _SAME * (1.0 + abs(least))
    )
    return small * small, large * large, value


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

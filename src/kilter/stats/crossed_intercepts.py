"""Crossed random intercepts of participants and sentences by REML. Section 13.2

D. Bates, M. Maechler, B. Bolker, S. Walker, Fitting linear mixed-effects models using lme4 (2015): the
criterion is profiled over fixed effects and the residual variance, and depends on the ratios of the other
two variances to it. The factor with more levels has a diagonal block in the mixed-model equations, which
is eliminated first; what is left is dense and as small as the other factor.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log, pi
from typing import TYPE_CHECKING

import numpy as np

from kilter.stats.simplex import minimise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

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

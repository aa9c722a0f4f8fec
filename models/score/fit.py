"""Weights of parts that agree best with preferences, and how well they agree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import minimize
from scipy.stats import pearsonr, spearmanr

from kilter.metrics.fitted_weight import USUAL_LENGTH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

PENALTY = 1e-3
"""Of the square of each weight, in units of the part's spread over preferences."""
LEAST = 0.02
"""So much every part weighs in a segment, so that a score depends on it."""


def differences(parts: Floats, preferences: NDArray[np.int64]) -> Floats:
    """Return part by part what the better of two has more than the worse; `parts` x systems x segments."""
    segment, better, worse = preferences.T
    gained: Floats = (parts[:, better, segment] - parts[:, worse, segment]).T
    return gained


def segment_weights(rows: Sequence[Floats]) -> Floats:
    """Return the non-negative weights, of sum 1, with the least logistic loss; every corpus counts the same."""
    joined = np.concatenate(rows)
    shares = np.concatenate([np.full(len(each), 1.0 / len(each) / len(rows)) for each in rows])
    spread = joined.std(axis=0)
    scaled = joined / spread

    def loss(weights: Floats) -> tuple[float, Floats]:
        margin = scaled @ weights
        value = shares @ np.logaddexp(0.0, -margin) + PENALTY * weights @ weights
        slope = -(shares / (1.0 + np.exp(margin))) @ scaled + 2.0 * PENALTY * weights
        return float(value), slope

    start = np.full(joined.shape[1], 0.3)
    found = minimize(loss, start, jac=True, bounds=[(0.0, None)] * len(start), method="L-BFGS-B")
    weights: Floats = found.x / spread
    return weights / weights.sum()


def system_agreement(scores: Floats, wins: Floats) -> tuple[float, float]:
    """Return Spearman's and Pearson's correlation of scores of systems with how often they won."""
    return float(spearmanr(scores, wins).statistic), float(pearsonr(scores, wins).statistic)


def margin(gained: Floats) -> float:
    """Return the difference of scores that three of four judges agree with, by logistic regression through 0."""
    (slope,) = margin_slopes(gained, np.ones((len(gained), 1)))
    return float(np.log(3.0) / slope)


def margin_slopes(gained: Floats, columns: Floats) -> Floats:
    """Return how fast agreement rises with a difference, as a sum of columns: a logistic regression through 0."""
    scale = 0.1  # differences are small, and slopes large

    def loss(slopes: Floats) -> tuple[float, Floats]:
        steep = gained / scale
        exponent = (columns @ slopes) * steep
        slope = -((steep / (1.0 + np.exp(exponent))) @ columns) / len(gained)
        return float(np.logaddexp(0.0, -exponent).mean()), slope

    start = np.zeros(columns.shape[1])
    start[0] = 1.0
    found: Floats = minimize(loss, start, jac=True).x / scale
    return found


def agreement_loss(gained: Floats, columns: Floats, slopes: Floats) -> float:
    """Return the mean surprise at judges, in nats, of those who expect agreement by these slopes."""
    return float(np.logaddexp(0.0, -(columns @ slopes) * gained).mean())


def by_length(lengths: Floats) -> Floats:
    """Return the columns of slopes: 1, and the logarithm of the words of the reference beside the usual number."""
    return np.column_stack([np.ones(len(lengths)), np.log(np.maximum(lengths, 1.0) / USUAL_LENGTH)])


def segment_tau(scores: Floats, preferences: NDArray[np.int64]) -> float:
    """Return (agreeing - disagreeing) / both over preferences; ties of the metric are left out."""
    signs = np.sign(differences(scores[np.newaxis], preferences)[:, 0])
    return float(signs.sum() / np.count_nonzero(signs))


def tau_interval(
    scores: Floats, other: Floats, preferences: NDArray[np.int64], *, resamples: int = 1000
) -> tuple[float, float]:
    """Return the 95% interval of the difference in tau of two metrics, by resampled segments."""
    segments, place = np.unique(preferences[:, 0], return_inverse=True)
    counts = []
    for each in (scores, other):
        signs = np.sign(differences(each[np.newaxis], preferences)[:, 0])
        counts += [np.bincount(place, signs), np.bincount(place, np.abs(signs))]
    chance = np.random.default_rng(12)
    drawn = chance.multinomial(len(segments), np.full(len(segments), 1 / len(segments)), resamples)
    first, first_all, second, second_all = (drawn @ column for column in counts)
    low, high = np.quantile(first / first_all - second / second_all, [0.025, 0.975])
    return float(low), float(high)


def rounded(weights: Floats) -> list[float]:
    """Return weights in hundredths, none below `LEAST`; the largest takes what is missing to 1."""
    hundredths = np.maximum(np.rint(100.0 * weights), 100.0 * LEAST).astype(np.int64)
    hundredths[np.argmax(hundredths)] += 100 - hundredths.sum()
    return [int(each) / 100 for each in hundredths]

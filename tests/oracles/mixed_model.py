"""Mixed models by their definition: the covariance matrix of all scores, dense."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def covariance(first: Ints, second: Ints, variances: tuple[float, float, float]) -> Floats:
    same_first = first[:, None] == first[None, :]
    same_second = second[:, None] == second[None, :]
    return np.asarray(
        variances[0] * same_first + variances[1] * same_second + variances[2] * np.eye(len(first))
    )


def restricted_criterion(scores: Floats, design: Floats, spread: Floats) -> float:
    """Return -2 log restricted likelihood of scores with this covariance."""
    inverse = np.linalg.inv(spread)
    information = design.T @ inverse @ design
    residuals = scores - design @ fixed_effects(scores, design, spread)
    logs = np.linalg.slogdet(spread)[1] + np.linalg.slogdet(information)[1]
    freedom = len(scores) - design.shape[1]
    return float(logs + residuals @ inverse @ residuals + freedom * np.log(2 * np.pi))


def fixed_effects(scores: Floats, design: Floats, spread: Floats) -> Floats:
    inverse = np.linalg.inv(spread)
    return np.asarray(np.linalg.solve(design.T @ inverse @ design, design.T @ inverse @ scores))


def predictions(
    scores: Floats, design: Floats, spread: Floats, level: Ints, levels: int, variance: float
) -> tuple[Floats, Floats]:
    """Return the best linear unbiased prediction of each level, and its standard error."""
    inverse = np.linalg.inv(spread)
    residuals = scores - design @ fixed_effects(scores, design, spread)
    indicator = (level[:, None] == np.arange(levels)[None, :]).astype(float)
    known = np.linalg.inv(design.T @ inverse @ design)
    projection = inverse - inverse @ design @ known @ design.T @ inverse
    open_variance = variance - variance**2 * np.diagonal(indicator.T @ projection @ indicator)
    return variance * indicator.T @ inverse @ residuals, np.sqrt(open_variance)

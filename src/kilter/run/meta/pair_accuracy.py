"""How often metric and people say the same of a pair: consistency, accuracy. [LR] section 4

D. Deutsch, G. Foster and M. Freitag, Ties Matter (EMNLP 2023): accuracy with tie calibration.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kilter.run.meta.pair_count import PairKind, ratio

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def consistency(counts: Floats) -> Floats:
    """Return the percentage of pairs that people decided in which the metric prefers the same side.

    A tie of the metric is not consistent; no pair is NaN. [LR] section 4

    >>> import numpy as np
    >>> float(consistency(np.array([6.0, 2.0, 2.0, 5.0, 0.0, 0.0])))
    60.0
    """
    agree = counts[..., PairKind.CONCORDANT]
    decided = agree + counts[..., PairKind.DISCORDANT] + counts[..., PairKind.METRIC_TIE]
    return ratio(100.0 * agree, decided)


def accuracy(counts: Floats) -> Floats:
    """Return the share of pairs, ties included, in which metric and people say the same."""
    right = counts[..., PairKind.CONCORDANT] + counts[..., PairKind.BOTH_TIE]
    return ratio(right, counts[..., : PairKind.UNSCORED].sum(axis=-1))


def calibrated_threshold(difference: Floats, outcome: NDArray[np.int8]) -> float:
    """Return the difference up to which a metric should be taken to tie, so that accuracy is highest.

    The smallest of the best thresholds; 0 if nothing is to be gained. Every pair counts once.

    >>> import numpy as np
    >>> calibrated_threshold(np.array([0.1, -0.2, 0.9]), np.array([0, 0, 1], dtype=np.int8))
    0.2
    """
    known = ~np.isnan(difference)
    size, human = np.abs(difference[known]), outcome[known]
    order = np.argsort(size, kind="stable")
    size, human = size[order], human[order]
    right = np.sign(difference[known][order]) == human
    # Up to and with each pair all are ties: right where people tie; beyond, where the sign is right.
    ties = np.cumsum(human == 0)
    beyond = np.cumsum((right & (human != 0))[::-1])[::-1]
    gain = ties + np.append(beyond[1:], 0)
    ends = np.append(size[1:] != size[:-1], True) if len(size) else np.zeros(0, dtype=bool)
    at_zero = np.count_nonzero((size == 0) & (human == 0)) + np.count_nonzero(
        (size > 0) & right & (human != 0)
    )
    best, threshold = at_zero, 0.0
    if ends.any():
        top = int(np.argmax(np.where(ends, gain, -1)))
        if gain[top] > best:
            threshold = float(size[top])
    return threshold

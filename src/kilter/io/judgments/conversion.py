"""Answers of people as scores between 0 and 1. Section 12.7, [TH] equations 6.1 and 6.2"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def rank_score(
    rank: NDArray[np.int64], texts: NDArray[np.int64], *, whole_range: bool = False
) -> NDArray[np.float64]:
    """Return 1 - (rank - 1) / texts for ranks in tasks with so many different texts, 1 = best.

    As printed the worst of n texts scores 1 / n; `whole_range` divides by texts - 1 instead, so that it
    scores 0. A task with one text scores 1.

    >>> import numpy as np
    >>> rank_score(np.array([1, 2, 3]), np.array([3, 3, 3])).round(3).tolist()
    [1.0, 0.667, 0.333]
    """
    steps = np.maximum(texts - 1, 1) if whole_range else texts
    return np.asarray(np.where(texts <= 1, 1.0, 1.0 - (rank - 1) / steps), dtype=np.float64)


def degree_score(degree: NDArray[np.int64], largest: int) -> NDArray[np.float64]:
    """Return 1 - (degree - 1) / (largest - 1): 1 for the mildest permutation; 1 if there is one degree.

    >>> import numpy as np
    >>> degree_score(np.array([1, 2, 4]), 4).round(3).tolist()
    [1.0, 0.667, 0.0]
    """
    if largest <= 1:
        return np.ones(len(degree))
    return np.asarray(1.0 - (degree - 1) / (largest - 1), dtype=np.float64)

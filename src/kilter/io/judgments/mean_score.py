"""One score of each translation that several people judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kilter.core.judgments import JudgedScores

if TYPE_CHECKING:
    from numpy.typing import NDArray


def mean_scores(
    segment: NDArray[np.int64],
    system: NDArray[np.int64],
    value: NDArray[np.float64],
    line: NDArray[np.int64],
) -> JudgedScores:
    """Return one score per system and segment: the mean of all that were given."""
    places, first, which, count = np.unique(
        np.stack([segment, system]),
        axis=1,
        return_index=True,
        return_inverse=True,
        return_counts=True,
    )
    total = np.bincount(which.ravel(), weights=value, minlength=len(first))
    return JudgedScores(segment=places[0], system=places[1], value=total / count, line=line[first])

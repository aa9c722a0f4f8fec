"""How far judges agree: Krippendorff's alpha."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kilter.core.choice import Choice

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray


class ScaleLevel(Choice):
    """What the difference between two answers means."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"


def krippendorff_alpha(
    units: Iterable[Sequence[int]], *, values: Sequence[int], scale: ScaleLevel
) -> float | None:
    """Return 1 - observed / expected disagreement over units, each a list of its judges' answers.

    Units with fewer than two answers say nothing. Without any pair of answers, or if all answers are
    the same, alpha is undefined: None.

    >>> krippendorff_alpha([[1, 1], [2, 2], [3, 3]], values=[1, 2, 3], scale=ScaleLevel.ORDINAL)
    1.0
    """
    place = {value: number for number, value in enumerate(values)}
    coincidences = np.zeros((len(values), len(values)))
    for unit in units:
        if len(unit) < 2:
            continue
        counts = np.bincount([place[value] for value in unit], minlength=len(values)).astype(float)
        pairs = np.outer(counts, counts) - np.diag(counts)
        coincidences += pairs / (len(unit) - 1)
    totals = coincidences.sum(axis=0)
    size = totals.sum()
    distance = _distances(np.asarray(values, dtype=float), totals, scale)
    expected = float((np.outer(totals, totals) * distance).sum())
    if size < 2 or expected == 0:
        return None
    observed = float((coincidences * distance).sum())
    return 1.0 - (float(size) - 1.0) * observed / expected


def _distances(
    values: NDArray[np.float64], totals: NDArray[np.float64], scale: ScaleLevel
) -> NDArray[np.float64]:
    if scale is ScaleLevel.NOMINAL:
        return 1.0 - np.eye(len(values))
    if scale is ScaleLevel.INTERVAL:
        return np.asarray((values[:, None] - values[None, :]) ** 2, dtype=np.float64)
    # Ordinal: answers between two, and half of those at the two ends.
    middle = np.cumsum(totals) - totals / 2.0
    return np.asarray((middle[:, None] - middle[None, :]) ** 2, dtype=np.float64)

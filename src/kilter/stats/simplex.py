"""The minimum of a function of few numbers, without derivatives. J. Nelder and R. Mead (1965)"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Function = Callable[[Floats], float]

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

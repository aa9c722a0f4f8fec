"""What a difference consists of: shares of its factors, which add up to it as numbers and as printed."""

from __future__ import annotations

from itertools import combinations
from math import factorial, floor, frexp, fsum, ldexp, prod, ulp
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def product_shares(first: Sequence[Floats], second: Sequence[Floats]) -> list[Floats]:
    """Return what each factor contributes to the second product less the first: its Shapley value.

    That is its own change, times the other factors, averaged over all orders in which the factors could
    have changed one after another. Of two factors a and b it is (a2 - a1)(b1 + b2) / 2. The shares add up to the
    difference, and exchanging both sides turns their signs. L. Shapley, A value for n-person games (1953)

    >>> import numpy as np
    >>> one, other = [np.array([0.5]), np.array([0.8])], [np.array([1.0]), np.array([0.4])]
    >>> [round(share.item(), 12) for share in product_shares(one, other)]
    [0.3, -0.3]
    """
    count = len(first)
    shares = []
    for place in range(count):
        others = [k for k in range(count) if k != place]
        weight: Floats | float = 0.0
        for size in range(count):
            ways = factorial(size) * factorial(count - size - 1) / factorial(count)
            for changed in combinations(others, size):
                weight = weight + ways * prod(
                    (second[k] if k in changed else first[k]) for k in others
                )
        shares.append((second[place] - first[place]) * weight)
    return shares


def adding_up(total: float, parts: Sequence[float]) -> list[float]:
    """Return the parts, changed in their last bits so that they add up to the total.

    All are whole multiples of the last bit of the largest, so that adding rounds nothing, and the largest takes
    up what is missing. Bits of the total finer than that go to the smallest part; only if it cannot hold them
    either, the sum is off by less than the last bit of the largest. A part of nothing stays nothing.

    >>> parts = adding_up(0.1 + 0.2, [0.1, 0.2])
    >>> parts[0] + parts[1] == 0.1 + 0.2
    True
    """
    if not parts:
        return []
    largest = max(range(len(parts)), key=lambda k: abs(parts[k]))
    unit = ulp(parts[largest])
    found = [_multiple(part, unit) for part in parts]
    found[largest] = fsum([total, *(-part for k, part in enumerate(found) if k != largest)])
    finer = fsum([total, *(-part for part in found)])
    if finer:
        smallest = min((k for k, part in enumerate(found) if part), key=lambda k: abs(found[k]))
        found[smallest] += finer
    return found


def _multiple(value: float, unit: float) -> float:
    """Return the nearest multiple of a power of two."""
    _, exponent = frexp(unit)
    return ldexp(round(ldexp(value, 1 - exponent)), exponent - 1)


def apportioned(total: float, parts: Sequence[float], *, digits: int = 4) -> list[float]:
    """Return the parts rounded to so many decimals so that they add up to the rounded total.

    All are rounded down, and what is missing is added to those that lost most (the method of largest remainders);
    those of a negative total with their signs turned, so that exchanging two systems turns signs only.

    >>> apportioned(-0.0058, [-0.00005, -0.00575])
    [-0.0001, -0.0057]
    """
    shown = float(f"{total:.{digits}f}")
    lead = next((value for value in (shown, *parts) if value), 1.0)
    sign = 1.0 if lead > 0.0 else -1.0
    scale = 10**digits
    exact = [sign * part * scale for part in parts]
    units = [floor(value) for value in exact]
    missing = round(sign * shown * scale) - sum(units)
    lost = sorted(range(len(parts)), key=lambda k: (units[k] - exact[k], k))
    for place in lost[:missing]:
        units[place] += 1
    # Zero has no sign.
    return [sign * count / scale if count else 0.0 for count in units]

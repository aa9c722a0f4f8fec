"""Krippendorff's alpha from pairs of answers, as its definition says."""

from collections.abc import Callable, Sequence


def alpha(
    units: Sequence[Sequence[int]], distance: Callable[[int, int, list[int]], float]
) -> float | None:
    """Return 1 - observed / expected disagreement; `distance` also sees all pairable answers."""
    pairable = [unit for unit in units if len(unit) > 1]
    everything = [value for unit in pairable for value in unit]
    size = len(everything)
    observed = sum(
        distance(first, second, everything) / (len(unit) - 1)
        for unit in pairable
        for place, first in enumerate(unit)
        for other, second in enumerate(unit)
        if place != other
    )
    expected = sum(
        distance(first, second, everything)
        for place, first in enumerate(everything)
        for other, second in enumerate(everything)
        if place != other
    )
    if size < 2 or expected == 0:
        return None
    return 1 - (size - 1) * observed / expected


def nominal(first: int, second: int, _everything: list[int]) -> float:
    return float(first != second)


def interval(first: int, second: int, _everything: list[int]) -> float:
    return float((first - second) ** 2)


def ordinal(first: int, second: int, everything: list[int]) -> float:
    low, high = sorted((first, second))
    between = sum(low <= value <= high for value in everything)
    ends = (everything.count(low) + everything.count(high)) / 2
    return float(between - ends) ** 2 if low != high else 0.0


def kappa(pairs: Sequence[tuple[int, int]], *, power: int) -> float | None:
    """Return weighted kappa: disagreement as observed, and as of every answer with every other."""
    if not pairs:
        return None
    observed = sum(abs(a - b) ** power for a, b in pairs) / len(pairs)
    expected = sum(abs(a - b) ** power for a, _ in pairs for _, b in pairs) / len(pairs) ** 2
    return 1 - observed / expected if expected else None

"""What a difference consists of by its definition: every order in which factors could have changed."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations
from math import prod


def shares(first: Sequence[Fraction], second: Sequence[Fraction]) -> list[Fraction]:
    """Return each factor's mean gain over all orders of changing one factor after another."""
    gains = [Fraction(0)] * len(first)
    orders = list(permutations(range(len(first))))
    for order in orders:
        now = [*first]
        for place in order:
            before = prod(now, start=Fraction(1))
            now[place] = second[place]
            gains[place] += (prod(now, start=Fraction(1)) - before) / len(orders)
    return gains


def segment_parts(
    first: tuple[float, float, bool], second: tuple[float, float, bool]
) -> tuple[Fraction, Fraction]:
    """Return what order and coverage contribute in a segment, given both and whether a word is linked."""
    one, other = ([Fraction(value) for value in side[:2]] for side in (first, second))
    if not (first[2] and second[2]):
        return Fraction(0), prod(other, start=Fraction(1)) - prod(one, start=Fraction(1))
    order, coverage = shares(one, other)
    return order, coverage

"""Seeded chance that draws the same everywhere."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T")


class Chance:
    """Draws from a seed made of several parts.

    Everything is made of `Random.random`, whose sequence Python promises to keep; the draws for one
    sentence therefore never depend on another, on the order of work, or on the version of Python.

    >>> Chance(1, "order", 5).below(100)
    2
    """

    def __init__(self, *parts: int | str) -> None:
        # The repr of each part keeps ("1", "23") apart from ("12", "3").
        self._random = Random("\x1f".join(map(repr, parts))).random  # noqa: S311 - no secret

    def below(self, bound: int) -> int:
        """Return a number from 0 to bound - 1; `bound` may be larger than a float can say."""
        if bound <= 1 << 53:
            return int(self._random() * bound)
        digits = 0
        for _ in range(bound.bit_length() // 32 + 2):
            digits = (digits << 32) | int(self._random() * (1 << 32))
        return digits % bound

    def choice(self, options: Sequence[T]) -> T:
        """Return one of the options."""
        return options[self.below(len(options))]

    def shuffled(self, options: Sequence[T]) -> list[T]:
        """Return the options in random order."""
        mixed = list(options)
        for last in range(len(mixed) - 1, 0, -1):
            other = self.below(last + 1)
            mixed[last], mixed[other] = mixed[other], mixed[last]
        return mixed

    def sample(self, options: Sequence[T], size: int) -> list[T]:
        """Return some of the options in random order."""
        return self.shuffled(options)[:size]

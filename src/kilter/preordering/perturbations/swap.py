"""Pairs of words of one kind that exchange their places. [TH] section 6.2, algorithm swap"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from kilter.preordering.perturbations.draw import Draw, ImpossibleError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kilter.preordering.perturbations.chance import Chance
    from kilter.preordering.perturbations.word import Word


class SwapStep(NamedTuple):
    """The words at two positions (from 0) exchange their cores; punctuation stays in place."""

    first: int
    second: int

    def apply(self, words: Sequence[Word]) -> tuple[Word, ...]:
        """Return the words after the step."""
        now = list(words)
        one, other = now[self.first], now[self.second]
        now[self.first], now[self.second] = one.with_core_of(other), other.with_core_of(one)
        return tuple(now)


def draw_swap(words: Sequence[Word], tags: Sequence[str], degree: int, chance: Chance) -> Draw:
    """Exchange degree / 2 disjoint pairs of words with equal tags and different cores."""
    if degree % 2:
        raise ImpossibleError(f"swap changes words in pairs, and {degree} is odd")
    pairs = [
        SwapStep(first, second)
        for first, second in combinations(range(len(words)), 2)
        if tags[first] == tags[second] and words[first].core != words[second].core
    ]
    now, steps = tuple(words), list[SwapStep]()
    for _ in range(degree // 2):
        if not pairs:
            raise ImpossibleError(
                f"only {len(steps)} of {degree // 2} pairs of words with equal tags were found"
            )
        step = chance.choice(pairs)
        now = step.apply(now)
        steps.append(step)
        pairs = [pair for pair in pairs if not {*pair} & {*step}]
    return Draw(now, tuple(steps))

"""Words replaced by other words of their kind. [TH] section 6.2, algorithm choice"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from kilter.core.counted import counted
from kilter.preordering.perturbations.draw import Draw, ImpossibleError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kilter.preordering.perturbations.chance import Chance
    from kilter.preordering.perturbations.word import Word


class ChoiceStep(NamedTuple):
    """The core at a position (from 0) is replaced; its punctuation stays."""

    position: int
    replacement: str

    def apply(self, words: Sequence[Word]) -> tuple[Word, ...]:
        """Return the words after the step."""
        now = list(words)
        now[self.position] = now[self.position]._replace(core=self.replacement)
        return tuple(now)


def draw_choice(
    words: Sequence[Word],
    tags: Sequence[str],
    others: Sequence[tuple[str, str]],
    degree: int,
    chance: Chance,
) -> Draw:
    """Replace `degree` words by words of another sentence that have the same tag.

    `others` are pairs of core and tag. A replacement may occur neither in the sentence nor in what it
    has become, whatever its case. The position is drawn among those that have a candidate.
    """
    now, steps = tuple(words), list[ChoiceStep]()
    used = {word.core.casefold() for word in words}
    replaced = set[int]()
    while len(steps) < degree:
        candidates = {
            position: fitting
            for position in range(len(now))
            if position not in replaced
            and (
                fitting := [
                    core
                    for core, tag in others
                    if tag == tags[position] and core.casefold() not in used
                ]
            )
        }
        if not candidates:
            raise ImpossibleError(
                f"{len(steps)} out of {counted(degree, 'word')} can have a replacement with the same tag"
            )
        position = chance.choice(list(candidates))
        step = ChoiceStep(position, chance.choice(candidates[position]))
        now = step.apply(now)
        used.add(step.replacement.casefold())
        replaced.add(position)
        steps.append(step)
    return Draw(now, tuple(steps))

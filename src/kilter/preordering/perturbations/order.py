"""Words that move by ever fewer places. [TH] section 6.2, algorithm order"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from kilter.core.counted import counted
from kilter.preordering.perturbations.draw import Draw, ImpossibleError
from kilter.preordering.perturbations.word import Word

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kilter.preordering.perturbations.chance import Chance


class OrderStep(NamedTuple):
    """The word at a position (from 0) moves by a distance: to the right if it is positive."""

    position: int
    distance: int

    def apply(self, words: Sequence[Word]) -> tuple[Word, ...]:
        """Return the words after the step.

        To the right, the moved word takes the punctuation of the word that stood at its new place,
        which loses it; its own is lost. To the left, the word that now stands at its old place takes
        its punctuation (its own is lost) and the moved word has none.
        """
        position, distance = self
        target = position + distance
        moved = list(words)
        word = moved.pop(position)
        if distance > 0:
            giver = moved[target - 1]
            moved[target - 1] = _bare(giver)
            word = Word(giver.opening, word.core, giver.closing, word.place)
        else:
            taker = moved[position - 1]
            moved[position - 1] = Word(word.opening, taker.core, word.closing, taker.place)
            word = _bare(word)
        moved.insert(target, word)
        return tuple(moved)


def draw_order(words: Sequence[Word], degree: int, chance: Chance) -> Draw:
    """Move `degree` different words, by degree, degree - 1, ..., 1 places, either way.

    Only moves inside the sentence are drawn (ambiguity A34), each with the same probability; where there
    is none left, the draw is impossible. A word is a token, not a form (A33).
    """
    now, steps, moved = tuple(words), [], set[int]()
    for distance in range(degree, 0, -1):
        legal = [
            OrderStep(position, way)
            for position, word in enumerate(now)
            if word.place not in moved
            for way in (-distance, distance)
            if 0 <= position + way < len(now)
        ]
        if not legal:
            raise ImpossibleError(
                f"no word can move by {counted(distance, 'place')} in {counted(len(now), 'word')}"
            )
        step = chance.choice(legal)
        moved.add(now[step.position].place)
        now = step.apply(now)
        steps.append(step)
    return Draw(now, tuple(steps))


def _bare(word: Word) -> Word:
    return Word("", word.core, "", word.place)

"""Phrases that move as blocks. [TH] section 6.2, algorithm phrase"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from kilter.core.counted import counted
from kilter.preordering.perturbations.draw import Draw, ImpossibleError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kilter.core.dependency_tree import DependencyTree
    from kilter.preordering.perturbations.chance import Chance
    from kilter.preordering.perturbations.word import Word

LONGEST_PHRASE = 9


class PhraseStep(NamedTuple):
    """`length` words from `start` move before the word at `boundary`, all counted before the move."""

    start: int
    length: int
    boundary: int

    def apply(self, words: Sequence[Word]) -> tuple[Word, ...]:
        """Return the words after the step.

        To the right, the closing punctuation of the word before the phrase's new place goes to the
        phrase's last word, and the opening punctuation of its first word, if any, to the word that now
        stands where the phrase began. To the left, the closing punctuation of its last word goes to the
        word that now stands there. Givers lose what they give, receivers are overwritten (misprint M27).
        """
        start, length, boundary = self
        end = start + length
        phrase = list(words[start:end])
        if boundary > end:
            passed = list(words[end:boundary])
            closing = passed[-1].closing
            passed[-1] = passed[-1]._replace(closing="")
            phrase[-1] = phrase[-1]._replace(closing=closing)
            if phrase[0].opening:
                passed[0] = passed[0]._replace(opening=phrase[0].opening)
                phrase[0] = phrase[0]._replace(opening="")
            return (*words[:start], *passed, *phrase, *words[boundary:])
        passed = list(words[boundary:start])
        passed[-1] = passed[-1]._replace(closing=phrase[-1].closing)
        phrase[-1] = phrase[-1]._replace(closing="")
        return (*words[:boundary], *phrase, *passed, *words[end:])


def draw_phrase(words: Sequence[Word], tree: DependencyTree, degree: int, chance: Chance) -> Draw:
    """Move phrases with `degree` words in all, the longest first, each to a random phrase boundary.

    Phrases are the full subtrees of words that are contiguous and have at most 9 words. Every set of
    them that does not overlap and has `degree` words is drawn with the same probability. A boundary
    belongs to the word it precedes and moves with it (ambiguity A35).
    """
    phrases, boundaries = phrases_of(tree)
    chosen = _chosen(phrases, len(words), degree, chance)
    if chosen is None:
        raise ImpossibleError(f"no set of phrases has {counted(degree, 'word')} in all")
    inside = {place for start, length in chosen for place in range(start, start + length)}
    now, steps = tuple(words), list[PhraseStep]()
    for start, length in sorted(chosen, key=lambda phrase: -phrase[1]):
        step = _drawn_step(now, (words[start].place, length), (boundaries, inside), chance)
        now = step.apply(now)
        steps.append(step)
    return Draw(now, tuple(steps))


def phrases_of(tree: DependencyTree) -> tuple[list[tuple[int, int]], set[int]]:
    """Return phrases as (start, length), and the places of words that a boundary precedes.

    The end of the sentence is a boundary, too; it is the number of words.
    """
    phrases, boundaries = set[tuple[int, int]](), {len(tree)}
    for word in range(len(tree)):
        subtree = tree.subtree(word)
        boundaries.add(subtree[0])
        contiguous = subtree[-1] - subtree[0] + 1 == len(subtree)
        if contiguous and len(subtree) <= LONGEST_PHRASE:
            phrases.add((subtree[0], len(subtree)))
    return sorted(phrases), boundaries


def _chosen(
    phrases: list[tuple[int, int]], size: int, degree: int, chance: Chance
) -> list[tuple[int, int]] | None:
    """Return a set of disjoint phrases with `degree` words, all sets being equally likely."""
    starting: list[list[int]] = [[] for _ in range(size)]
    for start, length in phrases:
        starting[start].append(length)
    # ways[i][d]: sets with d words among the phrases that start at i or later.
    ways = [[0] * (degree + 1) for _ in range(size + 1)]
    for row in ways:
        row[0] = 1
    for start in range(size - 1, -1, -1):
        for left in range(1, degree + 1):
            ways[start][left] = ways[start + 1][left] + sum(
                ways[start + length][left - length] for length in starting[start] if length <= left
            )
    if degree > size or not ways[0][degree]:
        return None
    chosen, start, left = [], 0, degree
    while left:
        ticket = chance.below(ways[start][left]) - ways[start + 1][left]
        if ticket < 0:
            start += 1
            continue
        for length in starting[start]:  # from short to long: too long a phrase is never come to
            ticket -= ways[start + length][left - length]
            if ticket < 0:
                break
        chosen.append((start, length))
        start, left = start + length, left - length
    return chosen


def _drawn_step(
    now: tuple[Word, ...],
    phrase: tuple[int, int],
    borders: tuple[set[int], set[int]],
    chance: Chance,
) -> PhraseStep:
    first, length = phrase
    boundaries, inside = borders
    places = [word.place for word in now]
    start = places.index(first)
    allowed = [
        position
        for position, place in enumerate([*places, len(now)])
        if place in boundaries and place not in inside and position != start + length
    ]
    if not allowed:
        raise ImpossibleError("no boundary is left that a phrase could move to")
    return PhraseStep(start, length, chance.choice(allowed))

"""Words that move by ever fewer places. [TH] section 6.2, algorithm order"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from kilter.core.counted import counted
from kilter.preordering.perturbations.word import Draw, ImpossibleError, Word

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kilter.core.dependency_tree import DependencyTree
    from kilter.preordering.perturbations.word import Chance


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

"""Perturbations of a sentence: every algorithm, with truecasing and seeded chance. [TH] section 6.2"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kilter.core.errors import OptionError
from kilter.core.settings import Choice
from kilter.preordering.perturbations.order import draw_choice, draw_order, draw_phrase, draw_swap
from kilter.preordering.perturbations.word import Chance, Draw, ImpossibleError, join_words

if TYPE_CHECKING:
    from kilter.core.dependency_tree import DependencyTree
    from kilter.preordering.perturbations.case import CaseCounts, Sentence
    from kilter.preordering.perturbations.word import Step

DEGREES = range(1, 19)
ATTEMPTS = 20


class PerturbationType(Choice):
    """How words are moved or replaced."""

    ORDER = "order"
    SWAP = "swap"
    PHRASE = "phrase"
    CHOICE = "choice"
    BOTH = "both"


PUBLISHED_TYPES = (
    PerturbationType.ORDER,
    PerturbationType.SWAP,
    PerturbationType.PHRASE,
    PerturbationType.CHOICE,
)


@dataclass(frozen=True, slots=True)
class Perturbation:
    """A perturbed sentence and the steps that led there; without text, the reason why there is none.

    `permutation` tells for each word where its core came from, counted from 0; a replacement counts as
    the word it replaced.
    """

    type: PerturbationType
    degree: int
    text: str | None
    steps: tuple[Step, ...] = ()
    permutation: tuple[int, ...] = ()
    reason: str | None = None


def perturb(
    sentence: Sentence,
    kind: PerturbationType,
    *,
    degree: int,
    case: CaseCounts,
    seed: tuple[int | str, ...],
    attempts: int = ATTEMPTS,
) -> Perturbation:
    """Return the sentence perturbed, or the reason why that is impossible.

    A draw that runs out of moves, or that leaves the sentence as it was, is drawn again, `attempts`
    times in all. `seed` names the draw: the same parts give the same result.

    >>> from kilter.preordering.perturbations.case import CaseCounts
    >>> from kilter.preordering.perturbations.case import Sentence
    >>> cats = Sentence("The cat sleeps.")
    >>> perturb(cats, PerturbationType.ORDER, degree=1, case=CaseCounts(), seed=(1,)).text
    'The sleeps cat.'
    """
    if degree < 1 or attempts < 1:
        raise OptionError("degree and attempts are whole numbers from 1")
    chance = Chance(*seed, str(kind), degree)
    words = sentence.words()
    before = join_words(case.truecase(words))
    reason = ""
    for _ in range(attempts):
        try:
            drawn = _draw(sentence, kind, degree, chance)
        except ImpossibleError as error:
            reason = str(error)
            continue
        cased = case.truecase(drawn.words)
        text = join_words(cased)
        if text != before:
            places = tuple(word.place for word in cased)
            return Perturbation(kind, degree, text, drawn.steps, places)
        reason = "the sentence came out as it was"
    return Perturbation(kind, degree, None, reason=reason)


def _draw(sentence: Sentence, kind: PerturbationType, degree: int, chance: Chance) -> Draw:
    words = sentence.words()
    if kind is PerturbationType.ORDER:
        return draw_order(words, degree, chance)
    tree: DependencyTree = sentence.known_tree(str(kind))
    if kind is PerturbationType.SWAP:
        return draw_swap(words, tree.tags, degree, chance)
    if kind is PerturbationType.PHRASE:
        return draw_phrase(words, tree, degree, chance)
    replaced = draw_choice(words, tree.tags, sentence.known_hypothesis(), degree, chance)
    if kind is PerturbationType.CHOICE:
        return replaced
    moved = draw_order(replaced.words, degree, chance)
    return Draw(moved.words, (*replaced.steps, *moved.steps))

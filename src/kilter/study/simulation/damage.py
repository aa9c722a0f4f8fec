"""How far words of a hypothesis are out of order or wrong, for simulated participants to notice."""

from __future__ import annotations

from collections import defaultdict
from math import sqrt

from kilter.preordering.perturbations.word import split_sentence


def damages(hypothesis: str, reference: str) -> tuple[float, float]:
    """Return damage to the order and to the choice of words, each from 0 to 1.

    Equal words are matched first to first, case and punctuation aside. Order: the square root of the share
    of matched pairs that changed order, since few moved words hurt much. Choice: 1 - F1 of the words.

    >>> damages("b a c d", "a b c d"), damages("a x", "a b")
    ((0.408248290463863, 0.0), (0.0, 0.5))
    """
    words, wanted = _words(hypothesis), _words(reference)
    places = defaultdict[str, list[int]](list)
    for place, word in enumerate(wanted):
        places[word].append(place)
    order = [places[word].pop(0) for word in words if places[word]]
    pairs = len(order) * (len(order) - 1) // 2
    turned = sum(a > b for place, a in enumerate(order) for b in order[place + 1 :])
    size = len(words) + len(wanted)
    choice = 1.0 - 2.0 * len(order) / size if size else 0.0
    return (sqrt(turned / pairs) if pairs else 0.0), choice


def _words(text: str) -> list[str]:
    return [word.core.casefold() for word in split_sentence(text)]

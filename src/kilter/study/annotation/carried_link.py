"""Links that follow their words when a translation is changed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from kilter.study.annotation.drawn_link import DrawnLink


class Carried(NamedTuple):
    """The links that found their words again, and how many did not."""

    links: tuple[DrawnLink, ...]
    dropped: int


def carried(links: Iterable[DrawnLink], before: Sequence[str], after: Sequence[str]) -> Carried:
    """Return the links on the words of a changed translation.

    Words are matched with as few insertions, removals and replacements as possible; of several ways the one
    that replaces words by the most similar ones. A replaced word hands its links on. A word that was removed, or
    replaced by another, takes them along if it is inserted elsewhere: it was moved. Otherwise they are lost, as
    they are where no word stays and nothing is similar: that is another translation.

    >>> from kilter.study.annotation.drawn_link import DrawnLink
    >>> found = carried([DrawnLink(0, 0), DrawnLink(1, 1)], ["a", "dogs"], ["an", "old", "dog"])
    >>> [link.pair for link in found.links], found.dropped
    ([(0, 0), (1, 2)], 0)
    """
    listed = tuple(links)
    if list(before) == list(after):
        return Carried(listed, 0)
    places = with_moves(word_match(before, after), before, after)
    kept = {
        link.pair: link
        for link in (
            replace(link, target=places[link.target]) for link in listed if link.target in places
        )
    }
    return Carried(
        tuple(sorted(kept.values(), key=lambda link: link.pair)), len(listed) - len(kept)
    )


def word_match(before: Sequence[str], after: Sequence[str]) -> dict[int, int]:
    """Return for each word that stays or is replaced its place afterwards."""
    shorter = min(len(before), len(after))
    head = 0
    while head < shorter and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < shorter - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    places = {place: place for place in range(head)}
    ends = len(before) - tail, len(after) - tail
    places |= {ends[0] + step: ends[1] + step for step in range(tail)}
    middle = _middle_match(before[head : ends[0]], after[head : ends[1]])
    places |= {head + one: head + other for one, other in middle}
    return places


def with_moves(
    places: Mapping[int, int], before: Sequence[str], after: Sequence[str]
) -> dict[int, int]:
    """Return a match in which words that are gone from their place go with equal ones that are new.

    A word at the beginning of a sentence is the same word in lower case. Replacements stay where no word was
    moved to or from.

    >>> with_moves({0: 0, 1: 1, 2: 2}, ["I", "sing", "today"], ["Today", "sing", "i"])
    {0: 2, 1: 1, 2: 0}
    """
    found = {old: new for old, new in places.items() if before[old] == after[new]}
    taken = {*found.values()}
    new: dict[str, list[int]] = {}
    for place in range(len(after) - 1, -1, -1):
        if place not in taken:
            new.setdefault(after[place].lower(), []).append(place)
    for place, word in enumerate(before):
        if place not in found and new.get(word.lower()):
            found[place] = new[word.lower()].pop()
    taken = {*found.values()}
    stays = bool(found)
    found |= {
        old: other
        for old, other in places.items()
        if old not in found
        and other not in taken
        and (stays or _likeness(_pieces(before[old]), _pieces(after[other])))
    }
    return dict(sorted(found.items()))


def _middle_match(before: Sequence[str], after: Sequence[str]) -> list[tuple[int, int]]:
    """Return the pairs of an optimal match; every replacement costs 1 and a little for what is unlike."""
    pieces_before, pieces_after = map(_pieces, before), [*map(_pieces, after)]
    little = 1 / (2 * (min(len(before), len(after)) + 1))
    costs = [[float(place) for place in range(len(after) + 1)]]
    prices: list[list[float]] = []
    for word, own in zip(before, pieces_before, strict=True):
        above = costs[-1]
        row, price = [above[0] + 1], []
        for place, new in enumerate(after):
            same = word == new
            price.append(0.0 if same else 1 + little * (1 - _likeness(own, pieces_after[place])))
            row.append(min(above[place] + price[-1], above[place + 1] + 1, row[place] + 1))
        costs.append(row)
        prices.append(price)
    pairs = list[tuple[int, int]]()
    one, other = len(before), len(after)
    while one and other:
        here = costs[one][other]
        if here == costs[one - 1][other - 1] + prices[one - 1][other - 1]:
            one, other = one - 1, other - 1
            pairs.append((one, other))
        elif here == costs[one - 1][other] + 1:
            one -= 1
        else:
            other -= 1
    return pairs


def _pieces(word: str) -> frozenset[str]:
    """Return the pairs of neighbouring letters of a word, its ends among them."""
    marked = f" {word.lower()} "
    return frozenset(marked[place : place + 2] for place in range(len(marked) - 1))


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the share of common pieces, 1 for equal words."""
    return 2 * len(one & other) / (len(one) + len(other))

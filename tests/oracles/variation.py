"""Variation between translations by plain definitions: specification 20."""

from collections import Counter
from collections.abc import Hashable, Iterable
from itertools import combinations
from math import log2

Link = tuple[int, int]
Group = tuple[set[int], set[int]]


def entropy(values: Iterable[Hashable]) -> float:
    """Return the entropy in bits."""
    listed = list(values)
    shares = [count / len(listed) for count in Counter(listed).values()]
    return sum(-share * log2(share) for share in shares)


def groups(links: list[Link]) -> list[Group]:
    """Return the words that are linked together, directly or through others, by joining until nothing changes."""
    found: list[Group] = [({s}, {t}) for s, t in links]
    while True:
        joined = next(
            ((a, b) for a, b in combinations(found, 2) if a[0] & b[0] or a[1] & b[1]), None
        )
        if joined is None:
            return found
        found = [each for each in found if each not in joined]
        found.append((joined[0][0] | joined[1][0], joined[0][1] | joined[1][1]))


def crossings(links: list[Link]) -> int:
    """Return pairs of links of which one begins before and ends after the other."""
    return sum(
        (a[0] < b[0] and a[1] > b[1]) or (a[0] > b[0] and a[1] < b[1])
        for a, b in combinations(sorted(set(links)), 2)
    )


def is_monotone_one_to_one(links: list[Link], word: int) -> bool:
    """Return whether a word of one-to-one links stands right after the linked word before it."""
    place = dict(links)
    before = [place[s] for s in sorted(place) if s < word]
    return word in place and place[word] == (before[-1] + 1 if before else 0)

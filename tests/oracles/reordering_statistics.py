"""Statistics over sentence pairs with links, by plain loops and exact fractions."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise

from tests.oracles import links as link_oracle
from tests.oracles import permutation as oracle

Link = tuple[int, int]
Pair = tuple[int, int, list[Link]]
"""Words of the source, words of the target, links."""


def counts(pairs: list[Pair], ahead: int) -> dict[str, int]:
    """Return everything that is counted."""
    found: Counter[str] = Counter()
    for words, others, links in pairs:
        found["pairs"] += 1
        found["source_words"] += words
        found["target_words"] += others
        found["linked_source_words"] += len({s for s, _ in links})
        found["linked_target_words"] += len({t for _, t in links})
        found["links"] += len(links)
        found["link_pairs"] += len(links) * (len(links) - 1) // 2
        found["crossing"] += link_oracle.pair_counts(links)[1]
        found["links_ahead"] += sum(s - ahead + 1 > t for s, t in links)
        if links:
            ranks = link_oracle.birch(words, links)
            found["linked"] += 1
            found["monotone"] += ranks == sorted(ranks)
            found["jumps"] += words - 1
            found["straight"] += sum(b == a + 1 for a, b in pairwise(oracle.inverse(ranks)))
    return dict(found)


def distances(pairs: list[Pair]) -> tuple[Counter[int], Counter[int], Counter[int]]:
    """Return how many steps pass over so many words forward and backward, and how far words moved."""
    forward, backward, moved = Counter[int](), Counter[int](), Counter[int]()
    for words, _, links in pairs:
        if not links:
            continue
        ranks = link_oracle.birch(words, links)
        for one, other in pairwise(oracle.inverse(ranks)):
            if other > one:
                forward[other - one - 1] += 1
            else:
                backward[one - other - 1] += 1
        moved.update(abs(rank - place) for place, rank in enumerate(ranks, start=1))
    return forward, backward, moved


def scores(pairs: list[Pair]) -> dict[str, list[Fraction]]:
    """Return some scores of every pair that has links."""
    found: dict[str, list[Fraction]] = {"kendall": [], "fuzzy": [], "crossings": []}
    for words, _, links in pairs:
        if links:
            ranks = link_oracle.birch(words, links)
            found["kendall"].append(oracle.kendall(ranks))
            found["fuzzy"].append(oracle.fuzzy(ranks))
            several = len(links) * (len(links) - 1) // 2
            crossing = link_oracle.pair_counts(links)[1]
            found["crossings"].append(1 - Fraction(crossing, several) if several else Fraction(1))
    return found

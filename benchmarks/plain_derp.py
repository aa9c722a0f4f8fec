"""DERP as its definition reads: every path pair, label sequences compared by a library, Kruskal's algorithm."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from rapidfuzz.distance import Levenshtein

if TYPE_CHECKING:
    from kilter.core.dependency_tree import DependencyTree
    from kilter.core.links import Link


def derp_sums(
    hypothesis: DependencyTree, reference: DependencyTree, links: list[Link]
) -> tuple[int, int]:
    """Return the sums of L and L_max for one-to-one links."""
    above = [_paths_to_root(tree) for tree in (hypothesis, reference)]
    edges = []
    for (partner, word), (other_partner, other) in combinations(links, 2):
        up, down = _labels(hypothesis, above[0], partner, other_partner)
        own_up, own_down = _labels(reference, above[1], word, other)
        turned = (partner < other_partner) != (word < other)
        cost = Levenshtein.distance(up, own_up) + turned + Levenshtein.distance(down, own_down)
        most = max(len(up), len(own_up)) + 1 + max(len(down), len(own_down))
        edges.append((cost, most, word, other))
    edges.sort()
    joined = {word: word for _, word in links}

    def top(word: int) -> int:
        while joined[word] != word:
            joined[word] = joined[joined[word]]
            word = joined[word]
        return word

    total = [0, 0]
    for cost, most, word, other in edges:
        one, two = top(word), top(other)
        if one != two:
            joined[one] = two
            total[0] += cost
            total[1] += most
    return total[0], total[1]


def _paths_to_root(tree: DependencyTree) -> list[list[int]]:
    return [[word, *tree.ancestors(word)] for word in range(len(tree))]


def _labels(
    tree: DependencyTree, above: list[list[int]], first: int, second: int
) -> tuple[list[str], list[str]]:
    """Return the labels of the edges up from one word, and down to the other."""
    up, down = above[first], above[second]
    shared = 0
    while shared < min(len(up), len(down)) and up[-1 - shared] == down[-1 - shared]:
        shared += 1
    return (
        [tree.labels[word] for word in up[: len(up) - shared]],
        [tree.labels[word] for word in reversed(down[: len(down) - shared])],
    )

"""Naive path disparity and spanning trees: every path pair written out, Kruskal's algorithm. [TH] chapter 5

Trees are zero-based heads, -1 or None for the root, with a label per word. Links are (hypothesis,
reference). A path pair is (L, L_max, n, m, n', m') with reference words n < m and their partners.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

Heads = Sequence[int | None]
Labels = Sequence[str]
Link = tuple[int, int]
Encoding = tuple[tuple[str, ...], str, tuple[str, ...]]
PathPair = tuple[int, int, int, int, int, int]


@dataclass(frozen=True)
class Tree:
    """Heads and labels of one sentence."""

    heads: Heads
    labels: Labels

    def above(self, word: int) -> list[int]:
        """Return the word itself and everything above it."""
        found = [word]
        while (head := self.heads[found[-1]]) is not None and head >= 0:
            found.append(head)
        return found

    def encoding(self, first: int, second: int) -> Encoding:
        """Return chi, psi and omega of the path between two words: specification 10.1."""
        up, down = self.above(first), self.above(second)
        common = next(word for word in up if word in down)
        chi = tuple(self.labels[word] for word in up[: up.index(common)])
        omega = tuple(self.labels[word] for word in down[: down.index(common)][::-1])
        return chi, "left" if first < second else "right", omega

    def distance(self, first: int, second: int) -> int:
        """Return the number of edges between two words."""
        chi, _, omega = self.encoding(first, second)
        return len(chi) + len(omega)


def flat(size: int) -> Tree:
    return Tree(range(-1, size - 1), ["DEP"] * size)


def levenshtein(first: Sequence[str], second: Sequence[str]) -> int:
    if not first or not second:
        return len(first) + len(second)
    return min(
        levenshtein(first[1:], second) + 1,
        levenshtein(first, second[1:]) + 1,
        levenshtein(first[1:], second[1:]) + (first[0] != second[0]),
    )


def disparity(one: Encoding, other: Encoding) -> tuple[int, int]:
    """Return L and L_max of two encodings."""
    cost = levenshtein(one[0], other[0]) + (one[1] != other[1]) + levenshtein(one[2], other[2])
    most = max(len(one[0]), len(other[0])) + 1 + max(len(one[2]), len(other[2]))
    return cost, most


def path_pairs(hypothesis: Tree, reference: Tree, links: Sequence[Link]) -> Iterator[PathPair]:
    """Yield every path pair between four different words."""
    for first, n in links:
        for second, m in links:
            if n < m and first != second:
                paths = hypothesis.encoding(first, second), reference.encoding(n, m)
                yield (*disparity(*paths), n, m, first, second)


def groups(links: Sequence[Link]) -> list[tuple[set[int], set[int]]]:
    """Return the connected components of the link graph: hypothesis and reference words."""
    found: list[tuple[set[int], set[int]]] = []
    for first, n in links:
        touched = [group for group in found if first in group[0] or n in group[1]]
        found = [group for group in found if group not in touched]
        found.append(
            (
                {first}.union(*(group[0] for group in touched)),
                {n}.union(*(group[1] for group in touched)),
            )
        )
    return found


def is_many_to_many(links: Sequence[Link]) -> bool:
    return any(len(one) > 1 and len(other) > 1 for one, other in groups(links))


class Parts:
    """Sets of words that are joined step by step."""

    def __init__(self, words: set[int]) -> None:
        self.parts = [{word} for word in words]

    def join(self, first: int, second: int) -> bool:
        """Join two words; return whether they were apart."""
        touched = [part for part in self.parts if first in part or second in part]
        self.parts = [part for part in self.parts if part not in touched]
        self.parts.append(set().union(*touched))
        return len(touched) > 1


def chosen_pairs(
    pairs: Sequence[PathPair], links: Sequence[Link]
) -> tuple[list[PathPair], list[PathPair]]:
    """Return the pairs of both passes of specification 10.3, given every path pair."""
    reference = Parts({n for _, n in links})
    hypothesis = Parts({first for first, _ in links})
    for one, other in groups(links):
        if len(one) > 1 and len(other) > 1:
            continue
        for parts, words in ((hypothesis, one), (reference, other)):
            for first, second in combinations(sorted(words), 2):
                parts.join(first, second)
    passes: tuple[list[PathPair], list[PathPair]] = ([], [])
    for pair in sorted(pairs):
        if reference.join(pair[2], pair[3]):
            hypothesis.join(pair[4], pair[5])
            passes[0].append(pair)
    for pair in sorted(pairs):
        if hypothesis.join(pair[4], pair[5]):
            passes[1].append(pair)
    return passes


def sums(hypothesis: Tree, reference: Tree, links: Sequence[Link]) -> tuple[int, int]:
    """Return the sums of L and L_max."""
    first, second = chosen_pairs(list(path_pairs(hypothesis, reference, links)), links)
    chosen = [*first, *second]
    return sum(pair[0] for pair in chosen), sum(pair[1] for pair in chosen)


def score(cost: int, most: int) -> float:
    return 1 - cost / most if most else 1.0


def meta_graph(
    hypothesis: Tree, reference: Tree, links: Sequence[Link]
) -> dict[tuple[int, int], tuple[int, int]]:
    """Return the weight of every two linked reference words: specification 10.2."""
    partners = {n: {first for first, other in links if other == n} for _, n in links}
    weights = {}
    for n, m in combinations(sorted(partners), 2):
        if partners[n] & partners[m]:
            weights[n, m] = (0, 0)
        else:
            weights[n, m] = min(
                disparity(hypothesis.encoding(one, other), reference.encoding(n, m))
                for one in partners[n]
                for other in partners[m]
            )
    return weights


def least_spanning_tree(weights: dict[tuple[int, int], tuple[int, ...]]) -> tuple[int, ...]:
    """Return the least sum of weights over all spanning trees, tried one by one."""
    words = sorted({word for edge in weights for word in edge})
    found = []
    for edges in combinations(weights, max(len(words) - 1, 0)):
        parts = Parts(set(words))
        if all(parts.join(*edge) for edge in edges):
            found.append(tuple(map(sum, zip(*(weights[edge] for edge in edges), strict=True))))
    return min(found, default=()) or (0, 0)


def reference_graph(
    reference: Tree, links: Sequence[Link]
) -> dict[tuple[int, int], tuple[int, ...]]:
    """Return path length, L and L_max of flattened sentences for every two linked reference words."""
    size = 1 + max((max(link) for link in links), default=0)
    flattened = meta_graph(flat(size), flat(size), links)
    shared = {n: {first for first, other in links if other == n} for _, n in links}
    return {
        (n, m): (0, 0, 0) if shared[n] & shared[m] else (reference.distance(n, m), *weight)
        for (n, m), weight in flattened.items()
    }


def reference_sums(reference: Tree, links: Sequence[Link]) -> tuple[int, int]:
    """Return the sums of L and L_max along the spanning tree that the reference's paths choose."""
    weights = reference_graph(reference, links)
    parts = Parts({n for _, n in links})
    chosen = [
        weight for weight, (n, m) in sorted((w, e) for e, w in weights.items()) if parts.join(n, m)
    ]
    return sum(weight[1] for weight in chosen), sum(weight[2] for weight in chosen)

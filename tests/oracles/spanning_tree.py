"""The best dependency tree, by trying every assignment of heads."""

from itertools import product

Scores = list[list[float]]
"""One row for each word: the score of hanging from the root, then from each word."""


def is_tree(heads: tuple[int, ...]) -> bool:
    """Return whether heads (zero-based, -1 for the root) have one root and no cycle."""
    if heads.count(-1) != 1:
        return False
    for start in range(len(heads)):
        word, steps = start, 0
        while word != -1 and steps <= len(heads):
            word, steps = heads[word], steps + 1
        if word != -1:
            return False
    return True


def trees(words: int) -> list[tuple[int, ...]]:
    """Return every tree over so many words."""
    return [heads for heads in product(range(-1, words), repeat=words) if is_tree(heads)]


def total(scores: Scores, heads: tuple[int, ...]) -> tuple[int, float]:
    """Return the number of +inf arcs less that of -inf arcs, and the sum of the finite ones."""
    arcs = [row[head + 1] for row, head in zip(scores, heads, strict=True)]
    infinite = arcs.count(float("inf")) - arcs.count(float("-inf"))
    return infinite, sum(arc for arc in arcs if abs(arc) != float("inf"))


def best_total(scores: Scores) -> tuple[int, float]:
    """Return the greatest total of any tree."""
    return max(total(scores, heads) for heads in trees(len(scores)))

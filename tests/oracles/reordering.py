"""Naive definitions on reordered sentences: every reading of the tied groups, every pair."""

from collections.abc import Iterator, Sequence
from itertools import chain, combinations, pairwise, permutations, product

Groups = Sequence[Sequence[int]]


def form_positions(system: Sequence[str], reference: Sequence[str]) -> list[int]:
    """Return the place of each system word: the first free instance of its form."""
    free = list(enumerate(reference))
    found = []
    for word in system:
        entry = next(entry for entry in free if entry[1] == word)
        free.remove(entry)
        found.append(entry[0])
    return found


def readings(groups: Groups) -> Iterator[list[int]]:
    """Yield every order of the words in which each group stands together."""
    for choice in product(*(permutations(group) for group in groups)):
        yield list(chain.from_iterable(choice))


def kept_joints(system: Sequence[int], reference: Sequence[int]) -> int:
    """Return how many neighbours of the system are neighbours, in this order, in the reference."""
    return sum(
        reference.index(second) == reference.index(first) + 1 for first, second in pairwise(system)
    )


def best_joints(system: Sequence[int], groups: Groups) -> int:
    """Return the most kept joints over all readings."""
    return max(kept_joints(system, reading) for reading in readings(groups))


def local_joints(system: Sequence[int], groups: Groups) -> int:
    """Return how many neighbours are of one group, or of a group and the next."""
    home = {word: number for number, group in enumerate(groups) for word in group}
    return sum(home[second] - home[first] in (0, 1) for first, second in pairwise(system))


def with_ends(system: Sequence[int], groups: Groups) -> tuple[list[int], list[list[int]]]:
    """Return both with a word before the first and one after the last, each in its place."""
    return [-1, *system, -2], [[-1], *map(list, groups), [-2]]


def wrong_pairs(system: Sequence[int], groups: Groups) -> int:
    """Return how many pairs stand in the wrong order."""
    home = {word: number for number, group in enumerate(groups) for word in group}
    return sum(home[first] > home[second] for first, second in combinations(system, 2))


def word_pairs(system: Sequence[int], groups: Groups) -> list[int]:
    """Return for each word of the system the number of wrong pairs it takes part in."""
    home = {word: number for number, group in enumerate(groups) for word in group}
    found = [0] * len(system)
    for one, other in combinations(range(len(system)), 2):
        if home[system[one]] > home[system[other]]:
            found[one] += 1
            found[other] += 1
    return found

"""Trees and links for tests: every small one, random ones, and the arrays that kernels take."""

import random
from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from kilter import _core

Heads = Sequence[int]
Link = tuple[int, int]


def all_trees(size: int) -> list[list[int]]:
    """Return every ordered tree as heads of words in preorder."""
    if size == 0:
        return [[]]
    listed: list[list[int]] = [[-1]]
    for word in range(1, size):
        listed = [[*heads, at] for heads in listed for at in _right_edge(heads, word - 1)]
    return listed


def _right_edge(heads: list[int], word: int) -> list[int]:
    edge = [word]
    while heads[edge[-1]] >= 0:
        edge.append(heads[edge[-1]])
    return edge


def random_tree(size: int, chance: random.Random, *, reach: int | None = None) -> list[int]:
    """Return heads; every word hangs from one of the `reach` words before it in a random order."""
    order = chance.sample(range(size), size)
    heads = [-1] * size
    for place in range(1, size):
        lowest = 0 if reach is None else max(0, place - reach)
        heads[order[place]] = order[chance.randrange(lowest, place)]
    return heads


def random_links(first: int, second: int, chance: random.Random) -> list[Link]:
    """Return links of every kind, one-to-one in half of the cases."""
    if not first or not second:
        return []
    if chance.random() < 0.5:
        size = chance.randrange(min(first, second) + 1)
        sides = chance.sample(range(first), size), chance.sample(range(second), size)
        return sorted(zip(*sides, strict=True))
    count = chance.randrange(min(first * second, first + second) + 1)
    places = chance.sample(range(first * second), count)
    return sorted(divmod(place, second) for place in places)


def flat_heads(trees: Sequence[Heads]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return heads one after another, and offsets."""
    offsets = np.cumsum([0, *map(len, trees)], dtype=np.int64)
    return np.array([*chain(*trees)], dtype=np.int32), offsets


def flat_links(segments: Sequence[Sequence[Link]]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return links one after another, and offsets."""
    offsets = np.cumsum([0, *map(len, segments)], dtype=np.int64)
    return np.array([*chain(*segments)], dtype=np.int32).reshape(-1, 2), offsets


def edit_rows(
    firsts: Sequence[Heads],
    seconds: Sequence[Heads],
    links: Sequence[Sequence[Link]],
    *,
    jobs: int = 1,
    only_long: bool = False,
) -> list[list[int]]:
    """Return what the kernel says of each pair: b, c, and two pairs of counts.

    With `only_long` the kernel for long trees compares them, whatever their length.
    """
    places = np.arange(len(firsts))
    trees = *flat_heads(firsts), *flat_heads(seconds)
    arguments = *trees, places, places, places, *flat_links(links), jobs
    kernel = _core.testing.long_edit_distances if only_long else _core.edit_distances
    found = kernel(*arguments)
    rows: list[list[int]] = found.tolist()
    return rows


def flat_rows(
    lengths: Sequence[tuple[int, int]], links: Sequence[Sequence[Link]], *, jobs: int = 1
) -> list[list[int]]:
    """Return the same for flattened sentences of these lengths."""
    sides = np.array(lengths, dtype=np.int64).reshape(-1, 2)
    first, second = (np.ascontiguousarray(sides[:, side]) for side in (0, 1))
    rows: list[list[int]] = _core.flat_edit_distances(
        first, second, *flat_links(links), jobs
    ).tolist()
    return rows

"""Block moves by exhaustive search: how many sort a permutation, and the cheapest smallest set of them."""

import heapq
from collections import deque
from collections.abc import Iterator
from itertools import combinations
from typing import TypeAlias

Permutation: TypeAlias = tuple[int, ...]
Cost: TypeAlias = tuple[int, int, int]


def neighbours(permutation: Permutation) -> Iterator[tuple[Permutation, int, int]]:
    """Yield what each exchange of two neighbouring blocks leads to, and the sizes of the blocks."""
    for start, middle, end in combinations(range(len(permutation) + 1), 3):
        left, right = permutation[start:middle], permutation[middle:end]
        moved = permutation[:start] + right + left + permutation[end:]
        yield moved, len(left), len(right)


def distances(size: int) -> dict[Permutation, int]:
    """Return for every permutation of a size the least number of block moves that sorts it."""
    identity = tuple(range(size))
    found = {identity: 0}
    waiting = deque([identity])
    while waiting:
        here = waiting.popleft()
        for other, _, _ in neighbours(here):
            if other not in found:
                found[other] = found[here] + 1
                waiting.append(other)
    return found


def cheapest(size: int) -> dict[Permutation, Cost]:
    """Return moves, words that move (of two blocks the smaller) and words passed over, least in this order."""
    identity = tuple(range(size))
    found: dict[Permutation, Cost] = {}
    waiting: list[tuple[Cost, Permutation]] = [((0, 0, 0), identity)]
    while waiting:
        cost, here = heapq.heappop(waiting)
        if here in found:
            continue
        found[here] = cost
        for other, left, right in neighbours(here):
            if other not in found:
                total = (cost[0] + 1, cost[1] + min(left, right), cost[2] + max(left, right))
                heapq.heappush(waiting, (total, other))
    return found

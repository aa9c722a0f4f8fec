"""Naive ordered tree edit distance: forests taken apart from the right, and all mappings. [TH] chapter 4

Trees are zero-based heads, -1 (or None) for the root. Costs are pairs (aligned, unaligned) that are
compared lexicographically; variants b and c count everything in the first place.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations

Heads = Sequence[int | None]
Link = tuple[int, int]
Cost = tuple[int, int]
Price = Callable[[int | None, int | None], Cost]
Forest = tuple[int, ...]


def children(heads: Heads) -> dict[int, Forest]:
    """Return the children of each word, from left to right; -1 stands for what is above the root."""
    found: dict[int, list[int]] = {word: [] for word in range(-1, len(heads))}
    for word, head in enumerate(heads):
        found[-1 if head is None else head].append(word)
    return {word: tuple(below) for word, below in found.items()}


def flat(heads: Heads) -> list[int]:
    """Return the heads of the sentence as a chain."""
    return list(range(-1, len(heads) - 1))


def prices(variant: str, links: Sequence[Link], *, node: bool = False) -> Price:
    """Return what deleting, inserting and renaming cost: specification 9.1."""
    pairs = set(links)
    firsts, seconds = {first for first, _ in links}, {second for _, second in links}

    def price(first: int | None, second: int | None) -> Cost:
        partners = (first, second) in pairs
        touched = (first in firsts) + (second in seconds)
        if variant == "b":
            return 1, 0
        if partners:
            return 0, 0
        if variant == "c":
            return 1, 0
        if touched == 0:
            return 0, 1
        return (touched if node else 1), 0

    return price


def distance(first: Heads, second: Heads, price: Price) -> Cost:
    """Return the least cost of making one tree of the other."""
    return forest_distance(children(first), children(second), price)


def forest_distance(below: dict[int, Forest], other: dict[int, Forest], price: Price) -> Cost:
    """Return the least cost, forests taken apart at their last roots; children are given in order."""

    @cache
    def cost(left: Forest, right: Forest) -> Cost:
        if not left and not right:
            return 0, 0
        options = []
        if left:
            options.append(add(cost(left[:-1] + below[left[-1]], right), price(left[-1], None)))
        if right:
            options.append(add(cost(left, right[:-1] + other[right[-1]]), price(None, right[-1])))
        if left and right:
            inside = cost(below[left[-1]], other[right[-1]])
            outside = cost(left[:-1], right[:-1])
            options.append(add(inside, outside, price(left[-1], right[-1])))
        return min(options)

    return cost(below[-1], other[-1])


def add(*costs: Cost) -> Cost:
    return sum(cost[0] for cost in costs), sum(cost[1] for cost in costs)


def ancestors(heads: Heads, word: int) -> set[int]:
    found = set()
    head = heads[word]
    while head is not None and head >= 0:
        found.add(head)
        head = heads[head]
    return found


def in_preorder(heads: Heads) -> dict[int, int]:
    """Return the place of every word when heads come before their children."""
    below = children(heads)
    places: dict[int, int] = {}
    waiting = list(below[-1])[::-1]
    while waiting:
        word = waiting.pop()
        places[word] = len(places)
        waiting.extend(below[word][::-1])
    return places


def mappings(first: Heads, second: Heads) -> Iterator[list[Link]]:
    """Yield every one-to-one mapping that keeps ancestors and the order from left to right."""
    relation = [
        [_relation(heads, one, other) for other in range(len(heads)) for one in range(len(heads))]
        for heads in (first, second)
    ]
    left, right = len(first), len(second)

    def fits(one: Link, other: Link) -> bool:
        return relation[0][other[0] * left + one[0]] == relation[1][other[1] * right + one[1]]

    def grow(word: int, chosen: list[Link]) -> Iterator[list[Link]]:
        if word == left:
            yield chosen
            return
        yield from grow(word + 1, chosen)
        for partner in range(right):
            pair = (word, partner)
            if all(fits(pair, other) for other in chosen):
                yield from grow(word + 1, [*chosen, pair])

    yield from grow(0, [])


def _relation(heads: Heads, one: int, other: int) -> str:
    if one == other:
        return "same"
    if one in ancestors(heads, other):
        return "above"
    if other in ancestors(heads, one):
        return "below"
    places = in_preorder(heads)
    return "left" if places[one] < places[other] else "right"


def mapping_cost(mapping: Sequence[Link], first: Heads, second: Heads, price: Price) -> Cost:
    """Return what a mapping costs: pairs renamed, the rest deleted and inserted."""
    deleted = set(range(len(first))) - {one for one, _ in mapping}
    inserted = set(range(len(second))) - {other for _, other in mapping}
    return add(
        *(price(one, other) for one, other in mapping),
        *(price(one, None) for one in deleted),
        *(price(None, other) for other in inserted),
    )


def cheapest_mapping(first: Heads, second: Heads, price: Price) -> Cost:
    return min(mapping_cost(mapping, first, second, price) for mapping in mappings(first, second))


def is_mapping(mapping: Sequence[Link], first: Heads, second: Heads) -> bool:
    return all(
        _relation(first, a[0], b[0]) == _relation(second, a[1], b[1])
        for a, b in combinations(mapping, 2)
    )


def binarised(heads: Heads) -> tuple[list[int], set[int]]:
    """Return heads where no word has more than two children, and the epsilon nodes that do it.

    A further child hangs, with all that follow it, from a new node beside the first child.
    """
    made = [-1 if head is None else head for head in heads]
    epsilon: set[int] = set()
    for word, below in children(heads).items():
        above, rest = word, list(below)
        while word >= 0 and len(rest) > 2:
            made.append(above)
            above = len(made) - 1
            epsilon.add(above)
            rest = rest[1:]
            for child in rest:
                made[child] = above
    return made, epsilon


def binarised_distance(first: Heads, second: Heads, price: Price) -> Cost:
    """Return the distance of binarised trees: epsilon nodes go for nothing and are never renamed."""
    (one, left), (other, right) = _ordered(first), _ordered(second)

    def priced(word: int | None, partner: int | None) -> Cost:
        if word not in left and partner not in right:
            return price(word, partner)
        return (0, 0) if word is None or partner is None else (10**6, 0)

    return forest_distance(one, other, priced)


def _ordered(heads: Heads) -> tuple[dict[int, Forest], set[int]]:
    """Return the children of a binarised tree in order: an epsilon node stands after the first child."""
    made, epsilon = binarised(heads)
    below = children(made)
    return {
        word: tuple(sorted(listed, key=lambda child: (child in epsilon, child)))
        for word, listed in below.items()
    }, epsilon


def counts(first: int, second: int, links: Sequence[Link]) -> tuple[int, int, int, int]:
    """Return linked words of both sides, and the others."""
    linked = len({one for one, _ in links}), len({other for _, other in links})
    return linked[0], linked[1], first - linked[0], second - linked[1]


def share(part: int, whole: int) -> float:
    """Return a fraction; one with denominator 0 counts as 0."""
    return part / whole if whole else 0.0


def log_weight(first: int, second: int, links: Sequence[Link]) -> float:
    a_first, a_second, _, _ = counts(first, second, links)
    prop = share(a_first + a_second, first + second)
    return 1.0 if prop == 0 else min(0.9, 0.1**prop)


def score(
    first: Heads, second: Heads, links: Sequence[Link], variant: str, *, node: bool = False
) -> float:
    """Return the published score of a variant: specification 9.1."""
    cost = distance(first, second, prices(variant, links, node=node))
    sizes = len(first), len(second)
    a_first, a_second, na_first, na_second = counts(*sizes, links)
    if variant in "bc":
        return 1 - share(cost[0], sum(sizes))
    aligned = share(cost[0], a_first + a_second)
    if variant == "co":
        return 1 - aligned
    weight = log_weight(*sizes, links)
    return 1 - ((1 - weight) * aligned + weight * share(cost[1], na_first + na_second))


def last_joined_mapping(first: Heads, second: Heads, price: Price) -> list[Link]:
    """Return the optimal mapping that the tie rule picks.

    Forests are taken apart from the right: the last roots are joined if that is optimal, else the first
    of them is deleted if that is optimal, else the second is inserted.
    """
    below, other = children(first), children(second)

    def best(left: Forest, right: Forest) -> Cost:
        return forest_distance({**below, -1: left}, {**other, -1: right}, price)

    def chosen(left: Forest, right: Forest) -> list[Link]:
        if not left or not right:
            return []
        one, two = left[-1], right[-1]
        inside, outside = (below[one], other[two]), (left[:-1], right[:-1])
        cost = best(left, right)
        if add(best(*inside), best(*outside), price(one, two)) == cost:
            return [(one, two), *chosen(*inside), *chosen(*outside)]
        removed = left[:-1] + below[one]
        if add(best(removed, right), price(one, None)) == cost:
            return chosen(removed, right)
        return chosen(left, right[:-1] + other[two])

    return sorted(chosen(below[-1], other[-1]))

"""Naive matchers: every link set in turn, similar and learned words, context matching of RIBES word by word."""

import math
from collections.abc import Callable, Iterator, Sequence

Link = tuple[int, int]
Links = list[Link]
Related = Callable[[int, int], bool]


def link_sets(rows: Sequence[int], cols: Sequence[int], related: Related) -> Iterator[Links]:
    """Yield every one-to-one link set between some rows and columns that are related."""
    if not rows:
        yield []
        return
    row, *rest = rows
    for col in cols:
        if related(row, col):
            others = [other for other in cols if other != col]
            yield from ([(row, col), *links] for links in link_sets(rest, others, related))
    yield from link_sets(rest, cols, related)


def chunks(links: Sequence[Link]) -> int:
    """Return the number of maximal groups of links adjacent and in the same order on both sides."""
    return sum((row - 1, col - 1) not in links for row, col in links)


def crossings(links: Sequence[Link]) -> int:
    """Return the number of pairs of links that cross."""
    return sum(a < c and b > d for a, b in links for c, d in links)


def distance(links: Sequence[Link]) -> int:
    """Return the sum of |row - column|."""
    return sum(abs(row - col) for row, col in links)


def best_links(
    sizes: tuple[int, int], related: Related, earlier: Sequence[Link] = (), *, rule: str = "chunks"
) -> Links:
    """Return the earlier links and the best new ones: specification, section 1.7."""
    rows = [row for row in range(sizes[0]) if row not in {link[0] for link in earlier}]
    cols = [col for col in range(sizes[1]) if col not in {link[1] for link in earlier}]
    count = chunks if rule == "chunks" else crossings
    sets = (sorted([*earlier, *new]) for new in link_sets(rows, cols, related))
    return min(sets, key=lambda links: (-len(links), count(links), distance(links), links))


def context_links(first: Sequence[str], second: Sequence[str]) -> Links:
    """Return the links of RIBES: widen the context by one word at a time, to the left, then right."""
    links = []
    for i in range(len(first)):
        for width in range(max(len(first), 1)):
            left = first[i - width : i + 1] if width <= i else None
            right = first[i : i + width + 1] if i + width < len(first) else None
            if left and places(left, first) == [i - width] and len(places(left, second)) == 1:
                links.append((i, places(left, second)[0] + width))
                break
            if right and places(right, first) == [i] and len(places(right, second)) == 1:
                links.append((i, places(right, second)[0]))
                break
    return links


def places(gram: Sequence[str], sentence: Sequence[str]) -> list[int]:
    """Return where an n-gram begins in a sentence."""
    ends = range(len(gram), len(sentence) + 1)
    return [end - len(gram) for end in ends if list(sentence[end - len(gram) : end]) == list(gram)]


def letters_in_place(word: str) -> list[tuple[str, ...]]:
    """Return each letter of a word with the one before and after it, the margins standing for letters."""
    letters = ["margin", *word, "margin"]
    return [(*letters[k : k + 3],) for k in range(len(word))]


def shared_letters(one: str, other: str) -> int:
    """Return how many letters two words share together with the letters beside them."""
    left = letters_in_place(other)
    shared = 0
    for letter in letters_in_place(one):
        if letter in left:
            left.remove(letter)
            shared += 1
    return shared


Sides = tuple[Sequence[str], Sequence[str]]
Cell = tuple[int, int, int]


def learned_strengths(
    pairs: Sequence[Sides],
    links: Sequence[Links],
    *,
    iterations: int = 3,
    neighbour: float = 5.0,
    distance: float = 5.0,
    alone: float = 0.1,
) -> dict[Cell, tuple[float, float]]:
    """Return strength and expected links of each (segment, row, column): specification, section 1.9."""
    cells = [
        (s, row, col)
        for s, (first, second) in enumerate(pairs)
        for row in range(len(first))
        for col in range(len(second))
        if row not in {link[0] for link in links[s]} and col not in {link[1] for link in links[s]}
    ]
    words = {
        cell: frozenset((pairs[cell[0]][0][cell[1]], pairs[cell[0]][1][cell[2]])) for cell in cells
    }
    seen: dict[frozenset[str], tuple[set[object], set[object]]] = {}
    for cell in cells:
        for side in (0, 1):
            seen.setdefault(words[cell], (set(), set()))[side].add(tuple(pairs[cell[0]][side]))
    kept = [cell for cell in cells if min(map(len, seen[words[cell]])) > 1]
    free: dict[str, int] = {}
    for side, place in ((0, 1), (1, 2)):
        for s, position in {(cell[0], cell[place]) for cell in cells}:
            word = pairs[s][side][position]
            free[word] = free.get(word, 0) + 1
    near = {
        (s, row, col): neighbour
        ** (((row - 1, col - 1) in links[s]) + ((row + 1, col + 1) in links[s]))
        for s, row, col in kept
    }
    apart = {
        (s, row, col): 1 + distance * abs(row / len(pairs[s][0]) - col / len(pairs[s][1]))
        for s, row, col in kept
    }
    association = dict.fromkeys([words[cell] for cell in kept], 1.0)
    expected: dict[frozenset[str], float] = {}
    for step in range(iterations):
        weight = {cell: association[words[cell]] * near[cell] / apart[cell] ** 2 for cell in kept}
        expected = dict.fromkeys(association, 0.0)
        rest = alone if step else 1.0
        for cell in kept:
            row = rest + sum(weight[each] for each in kept if each[:2] == cell[:2])
            col = rest + sum(
                weight[each] for each in kept if (each[0], each[2]) == (cell[0], cell[2])
            )
            expected[words[cell]] += weight[cell] / math.sqrt(row * col)
        for pair in association:
            both = sum(free[word] for word in (pair if len(pair) > 1 else [*pair, *pair]))
            association[pair] = 2 * expected[pair] / both
    return {cell: (association[words[cell]] * near[cell], expected[words[cell]]) for cell in kept}

"""Naive matchers: every one-to-one link set in turn, and the context matching of RIBES word by word."""

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

"""Hypothesis strategies: permutations of the shapes that word order takes, links, and trees."""

from typing import TypeAlias

from hypothesis import strategies as st

from kilter.core.dependency_tree import DependencyTree

# Values and positions are 0-based here, as in the library.
Permutation: TypeAlias = list[int]
Operator: TypeAlias = tuple[int, ...]

BINARY_OPERATORS: tuple[Operator, ...] = ((0, 1), (1, 0))
SIMPLE_OPERATORS: tuple[Operator, ...] = (
    (1, 3, 0, 2),
    (2, 0, 3, 1),
    (1, 3, 0, 4, 2),
    (1, 4, 2, 0, 3),
    (2, 0, 4, 1, 3),
    (2, 4, 0, 3, 1),
    (3, 0, 2, 4, 1),
    (3, 1, 4, 0, 2),
)


def permutations(min_size: int = 0, max_size: int = 40) -> st.SearchStrategy[Permutation]:
    """Return permutations of every shape below, of `min_size` to `max_size` elements."""
    sizes = st.integers(min_size, max_size)
    return st.one_of(
        sizes.flatmap(identities),
        sizes.flatmap(reversals),
        sizes.flatmap(block_moves),
        sizes.flatmap(shuffles),
        sizes.flatmap(separables),
        sizes.flatmap(substitutions),
        sizes.flatmap(interleavings),
    )


@st.composite
def permutation_pairs(
    draw: st.DrawFn, min_size: int = 0, max_size: int = 40
) -> tuple[Permutation, Permutation]:
    """Draw two permutations of one length."""
    first = draw(permutations(min_size, max_size))
    return first, draw(permutations(len(first), len(first)))


def identities(size: int) -> st.SearchStrategy[Permutation]:
    """Return the identity."""
    return st.builds(list, st.just(range(size)))


def reversals(size: int) -> st.SearchStrategy[Permutation]:
    """Return the reversal."""
    return st.builds(list, st.just(range(size)[::-1]))


def shuffles(size: int) -> st.SearchStrategy[Permutation]:
    """Return uniform shuffles."""
    return st.permutations(range(size))


@st.composite
def block_moves(draw: st.DrawFn, size: int) -> Permutation:
    """Draw the identity after one to four exchanges of neighbouring blocks."""
    values = list(range(size))
    for _ in range(draw(st.integers(1, 4))):
        start, middle, end = sorted(draw(st.integers(0, size)) for _ in range(3))
        values[start:end] = values[middle:end] + values[start:middle]
    return values


@st.composite
def separables(draw: st.DrawFn, size: int) -> Permutation:
    """Draw a permutation whose trees have binary operators only."""
    return _substitute(draw, size, BINARY_OPERATORS)


@st.composite
def substitutions(draw: st.DrawFn, size: int) -> Permutation:
    """Draw a permutation whose trees mix binary operators with simple ones of length 4 and 5."""
    return _substitute(draw, size, BINARY_OPERATORS + SIMPLE_OPERATORS)


@st.composite
def interleavings(draw: st.DrawFn, size: int) -> Permutation:
    """Draw evens and odds one after the other or zipped; either half may run backwards.

    Odds before evens, both ascending and of one size, is simple: the worst case of a parser.
    """
    evens, odds = list(range(0, size, 2)), list(range(1, size, 2))
    halves = [half[:: draw(st.sampled_from((1, -1)))] for half in (evens, odds)]
    if draw(st.booleans()):
        halves.reverse()
    values = halves[0] + halves[1]
    if draw(st.booleans()):
        return [values.index(value) for value in range(size)]
    return values


def _substitute(draw: st.DrawFn, size: int, operators: tuple[Operator, ...]) -> Permutation:
    """Draw an operator, sizes for its parts and, recursively, the parts."""
    if size < 2:
        return list(range(size))
    operator = draw(st.sampled_from([each for each in operators if len(each) <= size]))
    parts = [
        _substitute(draw, part_size, operators)
        for part_size in _part_sizes(draw, size, len(operator))
    ]
    values: Permutation = []
    for rank, part in zip(operator, parts, strict=True):
        lower = sum(len(parts[k]) for k, other in enumerate(operator) if other < rank)
        values.extend(lower + value for value in part)
    return values


def _part_sizes(draw: st.DrawFn, size: int, count: int) -> list[int]:
    """Draw `count` positive sizes that add up to `size`."""
    sizes = []
    for left in range(count - 1, 0, -1):
        sizes.append(draw(st.integers(1, size - left)))
        size -= sizes[-1]
    return [*sizes, size]


@st.composite
def link_sets(draw: st.DrawFn, max_words: int = 9) -> tuple[int, int, list[tuple[int, int]]]:
    """Draw two sentence lengths and distinct links between them, in any order."""
    first, second = draw(st.integers(0, max_words)), draw(st.integers(0, max_words))
    if first == 0 or second == 0:
        return first, second, []
    link = st.tuples(st.integers(0, first - 1), st.integers(0, second - 1))
    return first, second, draw(st.lists(link, unique=True, max_size=2 * max_words))


@st.composite
def heads(draw: st.DrawFn, size: int) -> list[int]:
    """Draw zero-based heads of a tree, projective or not, -1 for its root.

    Every word hangs from one that comes earlier in a drawn order; nearby ones make the tree deep.
    """
    order = draw(st.permutations(range(size)))
    deep = draw(st.booleans())
    found = [-1] * size
    for place in range(1, size):
        lowest = max(0, place - 2) if deep else 0
        found[order[place]] = order[draw(st.integers(lowest, place - 1))]
    return found


@st.composite
def dependency_trees(
    draw: st.DrawFn, min_size: int = 0, max_size: int = 12, labels: str = "abc"
) -> DependencyTree:
    """Draw a tree over one-letter words with few different labels and tags."""
    size = draw(st.integers(min_size, max_size))
    letters = st.lists(st.sampled_from(labels), min_size=size, max_size=size)
    words = draw(letters)
    return DependencyTree(words, draw(heads(size)), labels=draw(letters), tags=draw(letters))


@st.composite
def tied_orders(draw: st.DrawFn, max_words: int = 7) -> tuple[list[int], list[list[int]]]:
    """Draw a system's order of words 0, 1, ... and a reference order of them with tied groups."""
    length = draw(st.integers(0, max_words))
    system = list(draw(st.permutations(range(length))))
    reference = list(draw(permutations(length, length)))
    tied = draw(st.lists(st.booleans(), min_size=length, max_size=length))
    groups: list[list[int]] = []
    for word, joins in zip(reference, tied, strict=True):
        if groups and joins:
            groups[-1].append(word)
        else:
            groups.append([word])
    return system, groups

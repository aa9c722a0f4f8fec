"""Variation between translations of one source: crossings, word translation entropy, literality. Section 20"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import log2
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    from kilter.core.links import Link


class Rendering(NamedTuple):
    """How a translation renders a source word: zero-based words of both sides that are linked together, and Cross."""

    source: tuple[int, ...]
    target: tuple[int, ...]
    cross: int


def renderings(length: int, links: Iterable[Link]) -> list[Rendering]:
    """Return how each source word is rendered; one without a link has no target and a Cross of 0.

    >>> [each.cross for each in renderings(3, [(0, 0), (1, 2), (2, 1)])]
    [1, 2, -1]
    """
    listed = sorted(set(links))
    crosses = _crosses(length, listed)
    group = list(range(length))  # the first source word of the group of each
    by_target: dict[int, int] = {}
    for source, target in listed:
        first = _root(group, by_target.setdefault(target, source))
        other = _root(group, source)
        group[max(first, other)] = min(first, other)
    members: dict[int, tuple[list[int], set[int]]] = {}
    for word in range(length):
        members.setdefault(_root(group, word), ([], set()))[0].append(word)
    for source, target in listed:
        members[_root(group, source)][1].add(target)
    found = []
    for word in range(length):
        sources, targets = members[_root(group, word)]
        found.append(Rendering(tuple(sources), tuple(sorted(targets)), crosses[word]))
    return found


def _root(group: list[int], word: int) -> int:
    while group[word] != word:
        word = group[word]
    return word


def _crosses(length: int, links: Sequence[Link]) -> list[int]:
    """Return the Cross of each source word as TPR-DB counts it: the step from the words before to its own."""
    targets: dict[int, set[int]] = {}
    sources: dict[int, set[int]] = {}
    for source, target in links:
        targets.setdefault(source, set()).add(target + 1)
        sources.setdefault(target + 1, set()).add(source)
    found = [0] * length
    spans: dict[int, tuple[int, int]] = {}
    before = (0, 0)
    for word in range(length):
        if word not in targets:
            continue
        if word not in spans:
            least, most = min(targets[word]), max(targets[word])
            forward, backward = most - before[0], least - before[1]
            cross = backward if abs(backward) > abs(forward) else forward
            for other in {each for target in targets[word] for each in sources[target]}:
                if other >= word:
                    found[other], spans[other] = cross, (least, most)
        before = spans[word]
    return found


def entropy(values: Iterable[Hashable]) -> float:
    """Return the entropy of values in bits: 0 if all are equal.

    >>> entropy("aabb"), entropy("aaaa")
    (1.0, 0.0)
    """
    counts = Counter(values)
    total = sum(counts.values())
    # Sorted, so that the last bit does not depend on which value came first.
    return sum(-count / total * log2(count / total) for count in sorted(counts.values())) + 0.0


def crossings(links: Iterable[Link]) -> int:
    """Return how many pairs of links cross.

    >>> crossings([(0, 1), (1, 0), (2, 2)])
    1
    """
    return sum((a[0] - b[0]) * (a[1] - b[1]) < 0 for a, b in combinations(links, 2))


Span = tuple[tuple[int, ...], tuple[int, ...]]


def link_groups(
    links: Iterable[Link], heads: tuple[Sequence[int], Sequence[int]] | None = None
) -> list[Span]:
    """Return the largest groups of neighbours that are linked among themselves alone, without a crossing inside.

    A group in which every source word is linked to every target word is one whatever crosses. With `heads`, zero-based
    (-1 for a root), both sides of any other group must be connected in their trees: the groups of SACr.

    >>> link_groups([(0, 1), (1, 2), (2, 0)])
    [((0, 1), (1, 2)), ((2,), (0,))]
    """
    listed = sorted(set(links))
    by_source: dict[int, set[int]] = {}
    by_target: dict[int, set[int]] = {}
    for source, target in listed:
        by_source.setdefault(source, set()).add(target)
        by_target.setdefault(target, set()).add(source)
    fits = _connected(heads)
    found: list[Span] = []
    done: set[int] = set()
    for first in sorted(by_source):
        if first in done:
            continue
        best: Span | None = None
        targets: set[int] = set()
        last = first
        while last in by_source and last not in done:
            targets |= by_source[last]
            span = tuple(range(first, last + 1)), tuple(sorted(targets))
            if _is_group(span, by_source, by_target, fits):
                best = span
            last += 1
        if best is None:
            found += [((first,), (target,)) for target in sorted(by_source[first])]
            done.add(first)
        else:
            found.append(best)
            done |= set(best[0])
    return found


def _connected(
    heads: tuple[Sequence[int], Sequence[int]] | None,
) -> Callable[[Span], bool]:
    if heads is None:
        return lambda _: True
    return lambda span: all(
        sum(side_heads[word] not in side for word in side) == 1
        for side, side_heads in zip(span, heads, strict=True)
    )


def _is_group(
    span: Span,
    by_source: dict[int, set[int]],
    by_target: dict[int, set[int]],
    fits: Callable[[Span], bool],
) -> bool:
    sources, targets = span
    if targets[-1] - targets[0] + 1 != len(targets):
        return False
    if any(not by_target[target] <= set(sources) for target in targets):
        return False
    if (
        len(sources) > 1
        and len(targets) > 1
        and all(by_source[source] == set(targets) for source in sources)
    ):
        return True
    inside = [(source, target) for source in sources for target in by_source[source]]
    return crossings(inside) == 0 and fits(span)


def group_crossings(groups: Sequence[Span]) -> int:
    """Return how many pairs of groups cross.

    >>> group_crossings(link_groups([(0, 1), (1, 2), (2, 0)]))
    1
    """
    return sum((a[0][0] - b[0][0]) * (a[1][0] - b[1][0]) < 0 for a, b in combinations(groups, 2))

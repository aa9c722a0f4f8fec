"""Naive definitions of pre-ordering: recursion over one tree, plain lists."""

from collections.abc import Callable, Sequence

Heads = Sequence[int]
Arrange = Callable[[int, list[int]], list[int]]


def walk(heads: Heads, arrange: Arrange) -> list[int]:
    """Return the words; `arrange` orders a head and its children, a child stands for its subtree."""

    def below(head: int) -> list[int]:
        found: list[int] = []
        for word in arrange(head, children(heads, head)):
            found += [head] if word == head else below(word)
        return found

    return [word for root in children(heads, -1) for word in below(root)]


def children(heads: Heads, head: int) -> list[int]:
    return [word for word, above in enumerate(heads) if above == head]


def left_reversed(heads: Heads) -> list[int]:
    """Return R3."""

    def arrange(head: int, below: list[int]) -> list[int]:
        left, right = [c for c in below if c < head], [c for c in below if c > head]
        return [*reversed(left), *right, head]

    return walk(heads, arrange)


def right_reversed(heads: Heads) -> list[int]:
    """Return R4."""

    def arrange(head: int, below: list[int]) -> list[int]:
        left, right = [c for c in below if c < head], [c for c in below if c > head]
        return [*left, *reversed(right), head]

    return walk(heads, arrange)


Groups = Sequence[tuple[Sequence[str], bool]]


def precedence(
    heads: Heads, labels: Sequence[str], tags: Sequence[str], rules: dict[str, Groups]
) -> list[int]:
    """Return the order of precedence rules: tag -> groups of (labels, reverse); exact labels only."""

    def arrange(head: int, below: list[int]) -> list[int]:
        if tags[head] not in rules:
            return sorted([*below, head])
        groups = rules[tags[head]]
        named = {label for group, _ in groups for label in group}
        found: list[int] = []
        for group, reverse in groups:
            if list(group) == ["HEAD"]:
                found.append(head)
                continue
            other = list(group) == ["OTHER"]
            members = [
                c for c in below if (labels[c] not in named if other else labels[c] in group)
            ]
            found += members[::-1] if reverse else members
        return found

    return walk(heads, arrange)

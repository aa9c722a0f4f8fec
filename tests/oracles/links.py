"""Naive definitions on links: rules that order source words, pairs of links, shares of words."""

from fractions import Fraction
from itertools import combinations

Link = tuple[int, int]
Groups = list[list[int]]

# Sorted by, words without link, ties: as the table of kilter.core.link_rule says.
RULES = {
    "birch": ("first", "previous", "source"),
    "talbot": ("first", "next", "group"),
    "mean": ("mean", "drop", "source"),
    "span": ("span", "next", "group"),
    "drop": ("first", "drop", "source"),
}


def birch(length: int, links: list[Link]) -> list[int]:
    """Return one-based ranks: specification 1.1, word for word."""
    keys: list[int] = []
    for source in range(length):
        targets = [t for s, t in links if s == source]
        if targets:
            keys.append(min(targets))
        else:
            keys.append(keys[source - 1] if source else -1)
    in_order = sorted(range(length), key=lambda source: (keys[source], source))
    return [in_order.index(source) + 1 for source in range(length)]


def talbot(length: int, links: list[Link]) -> Groups:
    """Return groups: specification 1.2, word for word."""
    first = {s: min(t for other, t in links if other == s) for s, _ in links}
    groups = [[s for s in sorted(first) if first[s] == t] for t in sorted(set(first.values()))]
    for source in range(length):
        if source in first:
            continue
        later = [s for s in sorted(first) if s > source]
        if not later:
            groups.append([source])
            continue
        (home,) = [group for group in groups if later[0] in group]
        aligned = [s for s in home if s in first]
        if later[0] == aligned[0]:
            groups.insert(groups.index(home), [source])
        else:
            home.append(source)
            home.sort()
    return groups


def reorder(length: int, links: list[Link], key: str, null: str, ties: str) -> Groups:
    """Return groups for any combination of options."""
    targets = {s: sorted(t for other, t in links if other == s) for s, _ in links}
    keys = _keys(targets, key)
    linked = sorted(keys, key=lambda s: (keys[s], s))
    if null == "drop":
        return _tied(linked, keys, ties)
    if key == "span":
        if not linked:
            return _tied(list(range(length)), dict.fromkeys(range(length), Fraction(0)), ties)
        for source in range(length):
            if source not in targets:
                keys[source] = keys[_anchor(source, sorted(targets), null)]
        return _tied(sorted(keys, key=lambda s: (keys[s], s)), keys, ties)
    alone = [s for s in range(length) if s not in targets]
    followers: dict[int | None, list[int]] = {}
    for source in alone:
        side = [s for s in targets if (s < source if null == "previous" else s > source)]
        nearest = (max(side) if null == "previous" else min(side)) if side else None
        followers.setdefault(nearest, []).append(source)
    result: Groups = []
    for group in _tied(linked, keys, ties):
        edge = max(group) if null == "previous" else min(group)
        inside = [s for member in group if member != edge for s in followers.get(member, [])]
        outside = [[s] for s in followers.get(edge, [])]
        whole = [sorted(group + inside)]
        result += whole + outside if null == "previous" else outside + whole
    ends = [[s] for s in followers.get(None, [])]
    return ends + result if null == "previous" else result + ends


def _keys(targets: dict[int, list[int]], key: str) -> dict[int, Fraction]:
    if key == "first":
        return {s: Fraction(t[0]) for s, t in targets.items()}
    if key == "mean":
        return {s: Fraction(sum(t), len(t)) for s, t in targets.items()}
    blocks = [(t[0], t[-1], {s}) for s, t in targets.items()]
    merged = True
    while merged:
        merged = False
        for one, other in combinations(blocks, 2):
            if one[0] <= other[1] and other[0] <= one[1]:
                blocks.remove(one)
                blocks.remove(other)
                blocks.append((min(one[0], other[0]), max(one[1], other[1]), one[2] | other[2]))
                merged = True
                break
    return {s: Fraction(start) for start, _, words in blocks for s in words}


def _tied(in_order: list[int], keys: dict[int, Fraction], ties: str) -> Groups:
    groups: Groups = []
    for source in in_order:
        if ties == "group" and groups and keys[groups[-1][-1]] == keys[source]:
            groups[-1].append(source)
        else:
            groups.append([source])
    return groups


def _anchor(source: int, linked: list[int], null: str) -> int:
    before, after = [s for s in linked if s < source], [s for s in linked if s > source]
    if null == "previous":
        return before[-1] if before else after[0]
    return after[0] if after else before[-1]


def sequences(links: list[Link]) -> tuple[list[int], list[int]]:
    """Return a_hyp and a_mix of [TH], Algorithm 1."""
    mixed: list[int] = []
    for reference in sorted({r for _, r in links}):
        mixed += sorted(h for h, r in links if r == reference)
    return sorted(h for h, _ in links), mixed


def pair_counts(pairs: list[tuple[int, int]]) -> tuple[int, int]:
    """Return how many two of the pairs agree in order, and how many disagree."""
    signs = [(a - c) * (b - d) for (a, b), (c, d) in combinations(pairs, 2)]
    return sum(sign > 0 for sign in signs), sum(sign < 0 for sign in signs)


def tau(links: list[Link], *, method: str = "algorithm1", undefined: float = 0.0) -> float:
    """Return specification 1.5."""
    pairs = list(zip(*sequences(links), strict=True)) if method == "algorithm1" else links
    concordant, discordant = pair_counts(pairs)
    total = concordant + discordant
    return (concordant - discordant) / total if total else undefined


def aligned(links: list[Link], lengths: tuple[int, int]) -> float:
    """Return specification 1.6."""
    linked = len({h for h, _ in links}) + len({r for _, r in links})
    return linked / sum(lengths) if sum(lengths) else 0.0


def joined(source_hypothesis: list[Link], source_reference: list[Link]) -> list[Link]:
    """Return pairs of words that share a source word."""
    return sorted({(h, r) for s, h in source_hypothesis for z, r in source_reference if s == z})

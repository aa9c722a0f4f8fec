"""Factorizations of a permutation as trees: all permutation trees, and weak factorizations. [PC] section 4"""

from __future__ import annotations

from functools import cache
from itertools import product
from math import comb, prod
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.permutation_tree import Kind, PermutationTree

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from kilter.core.permutation import Permutation

Span = tuple[int, int]
_LINEAR = (Kind.MONOTONE, Kind.INVERTED)


def factorization_tree(permutation: Permutation, spans: Collection[Span]) -> PermutationTree:
    """Return the tree whose inner nodes cover these spans; leaves are single elements.

    The spans hold the whole and no two of them cross. A node of two children is monotone or inverted; one
    of more has its operator as it is, whether it could be cut further or not.

    >>> from kilter import Permutation
    >>> tree = factorization_tree(Permutation.from_one_based([1, 3, 2]), [(0, 3)])
    >>> [node.operator for node in tree.nodes() if node.children]
    [(1, 3, 2)]
    """
    leaves = [(place, place + 1) for place in range(len(permutation))]
    ordered = sorted({*spans, *leaves}, key=lambda span: (span[0], -span[1]))
    values = list(permutation)
    lows = [min(values[start:end]) for start, end in ordered]
    parents, open_nodes = [], list[int]()
    children: list[list[int]] = [[] for _ in ordered]
    following = list(range(1, len(ordered) + 1))
    for index, (start, _) in enumerate(ordered):
        while open_nodes and ordered[open_nodes[-1]][1] <= start:
            open_nodes.pop()
        parents.append(open_nodes[-1] if open_nodes else -1)
        for above in open_nodes:
            following[above] = index + 1
        if open_nodes:
            children[open_nodes[-1]].append(index)
        open_nodes.append(index)
    columns = (
        [_kind([lows[child] for child in below]) for below in children],
        [start for start, _ in ordered],
        [end for _, end in ordered],
        lows,
        list(map(len, children)),
        parents,
        following,
    )
    return PermutationTree(permutation, *(np.array(column, dtype=np.int32) for column in columns))


def _kind(lows: Sequence[int]) -> Kind:
    if not lows:
        return Kind.LEAF
    if len(lows) > 2:
        return Kind.PRIME
    return Kind.MONOTONE if lows[0] < lows[1] else Kind.INVERTED


def permutation_trees(permutation: Permutation) -> Iterator[PermutationTree]:
    """Yield every permutation tree, the left-branching one first.

    There are `tree().tree_count()` of them, which grows exponentially.

    >>> from kilter import Permutation
    >>> len(list(permutation_trees(Permutation.identity(4))))
    5
    """
    if len(permutation) == 0:
        return
    flat = permutation.tree()
    inner = [node for node in flat.nodes() if node.children]
    kept = {(node.start, node.end) for node in inner}
    choices = []
    for node in inner:
        if node.kind in _LINEAR:
            below = flat.child_indices(node.index)
            borders = [*(int(flat.start[child]) for child in below), node.end]
            choices.append(list(_bracketings(borders, 0, len(borders) - 1)))
    for chosen in product(*choices):
        yield factorization_tree(permutation, kept.union(*chosen))


def _bracketings(borders: Sequence[int], first: int, last: int) -> Iterator[frozenset[Span]]:
    """Yield the spans of every binary tree over the parts between two borders."""
    if last - first < 2:
        yield frozenset()
        return
    whole = {(borders[first], borders[last])}
    for cut in range(last - 1, first, -1):
        rights = list(_bracketings(borders, cut, last))
        for left in _bracketings(borders, first, cut):
            for right in rights:
                yield left | right | whole


def weak_factorization_count(permutation: Permutation) -> int:
    """Return the number of weak factorizations, exactly and in linear time.

    Inside a linear node of k children any plane tree over them will do, of which there are as many as the
    little Schröder number of k; every inner node but the root may be there or not.

    >>> from kilter import Permutation
    >>> weak_factorization_count(Permutation.identity(5))
    45
    """
    flat = permutation.tree()
    linear = flat.children[(flat.kind == Kind.MONOTONE) | (flat.kind == Kind.INVERTED)]
    inner = int((flat.kind != Kind.LEAF).sum())
    return prod(map(_schroeder, linear.tolist())) << max(inner - 1, 0)


def _schroeder(leaves: int) -> int:
    """Return the number of plane trees with these leaves whose inner nodes have two children or more."""
    below, here = 1, 1  # of one leaf, and of two
    for count in range(3, leaves + 1):
        below, here = here, ((6 * count - 9) * here - (count - 3) * below) // count
    return here


def chain_tree_counts(tree: PermutationTree) -> list[int]:
    """Return, for each chain of equal binary operators, how many trees bracketing it anew makes: a Catalan number.

    Their product is the number of permutation trees, if the tree is one. A node that was not cut further is no chain.

    >>> from kilter import Permutation
    >>> identity = Permutation.identity(4)
    >>> chain_tree_counts(identity.tree().binary())
    [5]
    >>> chain_tree_counts(factorization_tree(identity, [(0, 4)]))
    []
    """
    sizes = [0] * len(tree)
    tops = list(range(len(tree)))
    for index in range(len(tree)):
        if tree.kind[index] not in _LINEAR:
            continue
        above = int(tree.parent[index])
        if above >= 0 and tree.kind[above] == tree.kind[index]:
            tops[index] = tops[above]
        sizes[tops[index]] += 1
    return [_catalan(size) for size in sizes if size]


@cache
def _catalan(nodes: int) -> int:
    return comb(2 * nodes, nodes) // (nodes + 1)

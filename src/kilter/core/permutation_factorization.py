"""Factorizations of a permutation as trees: all permutation trees, and weak factorizations. [PC] section 4"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import permutations, product
from math import comb, prod
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.permutation import Permutation
from kilter.core.permutation_tree import Kind, Operator, PermutationTree
from kilter.core.settings import checked

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence


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


WeakFactorization = frozenset[Span]


class FactorizedOperators(tuple[Operator, ...]):  # noqa: SLOT001 - a tuple takes no slots with names
    """The operators of the inner nodes of a weak factorization, sorted; it knows the tree they are of."""

    permutation: Permutation
    spans: WeakFactorization

    @classmethod
    def of(cls, permutation: Permutation, spans: WeakFactorization) -> FactorizedOperators:
        """Return the operators of a weak factorization."""
        made = cls(operators(permutation, spans))
        made.permutation, made.spans = permutation, spans
        return made

    def tree(self) -> PermutationTree:
        """Return the factorization as a tree."""
        return factorization_tree(self.permutation, self.spans)


Complexity = Callable[[FactorizedOperators], float]
"""Whatever looks at the operators of a weak factorization, or at its tree."""


def sub_permutations(permutation: Permutation) -> list[Span]:
    """Return the spans (start, end) of two or more elements whose values are contiguous."""
    spans: list[Span] = []
    values = list(permutation)
    for start in range(len(values)):
        low = high = values[start]
        for end in range(start + 1, len(values)):
            low, high = min(low, values[end]), max(high, values[end])
            if high - low == end - start:
                spans.append((start, end + 1))
    return spans


def weak_factorizations(permutation: Permutation) -> Iterator[WeakFactorization]:
    """Yield every weak factorization as the set of spans of its inner nodes.

    It is a tree over the permutation whose inner nodes all cover sub-permutations: a set of spans
    that holds the whole and in which no two cross. The largest sets are the permutation trees. Their
    number grows exponentially; practical up to about ten elements.
    """
    whole = (0, len(permutation))
    others = [span for span in sub_permutations(permutation) if span != whole]
    base = frozenset([whole]) if len(permutation) > 1 else frozenset[Span]()
    # Depth first over "with or without the next span".
    stack: list[tuple[int, WeakFactorization]] = [(0, base)]
    while stack:
        index, chosen = stack.pop()
        if index == len(others):
            yield chosen
            continue
        span = others[index]
        stack.append((index + 1, chosen))
        if not any(_cross(span, other) for other in chosen):
            stack.append((index + 1, chosen | {span}))


def operators(permutation: Permutation, factorization: WeakFactorization) -> list[Operator]:
    """Return the operators of the inner nodes of a weak factorization, sorted."""
    return sorted(_operator(permutation, span, factorization) for span in factorization)


@dataclass(frozen=True, slots=True)
class Counterexample:
    """Two weak factorizations of a permutation, one of which goes on from the other for nothing."""

    coarse: FactorizedOperators
    fine: FactorizedOperators
    coarse_complexity: float
    fine_complexity: float

    @property
    def permutation(self) -> Permutation:
        """What both are factorizations of."""
        return self.coarse.permutation


def is_tight_for(permutation: Permutation, complexity: Complexity) -> bool:
    """Return whether every further factorization lowers the complexity; true if primal.

    >>> is_tight_for(Permutation.identity(4), lambda listed: sum(map(len, listed)) / len(listed))
    True
    """
    return not_tight(permutation, complexity) is None


def is_semi_tight_for(permutation: Permutation, complexity: Complexity) -> bool:
    """Return whether no factorization raises the complexity and full factorization lowers it."""
    return not_semi_tight(permutation, complexity) is None


def not_tight(permutation: Permutation, complexity: Complexity) -> Counterexample | None:
    """Return two factorizations of which the finer one does not have less complexity, or None."""
    for coarse, fine in _steps(permutation, complexity):
        if not coarse[1] > fine[1]:
            return Counterexample(coarse[0], fine[0], coarse[1], fine[1])
    return None


def not_semi_tight(permutation: Permutation, complexity: Complexity) -> Counterexample | None:
    """Return two factorizations of which the finer one has more complexity, or None.

    It need not have less, unless the coarser one is the single node and the finer one is complete.
    """
    most = permutation.tree().node_count
    for coarse, fine in _steps(permutation, complexity):
        whole = len(coarse[0].spans) == 1 and len(fine[0].spans) == most
        if not (coarse[1] > fine[1] if whole else coarse[1] >= fine[1]):
            return Counterexample(coarse[0], fine[0], coarse[1], fine[1])
    return None


@dataclass(frozen=True, slots=True)
class TightnessReport:
    """For how many non-primal permutations up to a length a complexity is tight or semi-tight."""

    permutations: int
    tight: int
    semi_tight: int
    against_tight: Counterexample | None
    """The first that was found, of the shortest permutation."""
    against_semi_tight: Counterexample | None

    @property
    def first_not_tight(self) -> Permutation | None:
        """The first permutation for which it is not tight."""
        return self.against_tight.permutation if self.against_tight else None

    @property
    def first_not_semi_tight(self) -> Permutation | None:
        """The first permutation for which it is not even semi-tight."""
        return self.against_semi_tight.permutation if self.against_semi_tight else None

    @property
    def is_tight(self) -> bool:
        """Tight for all of them."""
        return self.tight == self.permutations

    @property
    def is_semi_tight(self) -> bool:
        """Semi-tight for at least one and tight for the rest."""
        return self.semi_tight == self.permutations


@checked
def check_tightness(complexity: Complexity, *, longest: int = 5) -> TightnessReport:
    """Return how a complexity fares on all non-primal permutations up to a length.

    The claims of [PC] about arbitrary ground metrics do not hold in general (the number of non-binary
    nodes is not even semi-tight), so that tightness is a property to check. The complexity is given the
    sorted operators of a weak factorization, which know their `tree()` too. Practical to length 6.
    """
    total = 0
    loose: list[Counterexample] = []
    rising: list[Counterexample] = []
    for length in range(3, longest + 1):
        for values in permutations(range(length)):
            permutation = Permutation(values)
            if permutation.is_primal:
                continue
            total += 1
            against = not_tight(permutation, complexity)
            if against is not None:  # what is tight is semi-tight
                loose.append(against)
                against = not_semi_tight(permutation, complexity)
            if against is not None:
                rising.append(against)
    return TightnessReport(
        total,
        total - len(loose),
        total - len(rising),
        next(iter(loose), None),
        next(iter(rising), None),
    )


_Rated = tuple[FactorizedOperators, float]


def _steps(permutation: Permutation, complexity: Complexity) -> Iterator[tuple[_Rated, _Rated]]:
    """Yield every two weak factorizations of which one goes on from the other, with their complexities."""
    if len(permutation) < 2 or permutation.is_primal:
        return
    listed = (FactorizedOperators.of(permutation, s) for s in weak_factorizations(permutation))
    rated = sorted(
        ((each, complexity(each)) for each in listed), key=lambda pair: len(pair[0].spans)
    )
    for coarse in rated:
        for fine in rated:
            if coarse[0].spans < fine[0].spans:
                yield coarse, fine


def _cross(first: Span, second: Span) -> bool:
    (a, b), (c, d) = sorted((first, second))
    return a < c < b < d


def _operator(permutation: Permutation, span: Span, spans: WeakFactorization) -> Operator:
    """Return the order of the parts of one node: its largest inner spans and single elements."""
    start, end = span
    lows: list[int] = []
    while start < end:
        inside = [s for s in spans if s[0] == start and s[1] <= end and s != span]
        part_end = max((s[1] for s in inside), default=start + 1)
        lows.append(min(permutation[i] for i in range(start, part_end)))
        start = part_end
    ranked = sorted(lows)
    return tuple(ranked.index(low) + 1 for low in lows)

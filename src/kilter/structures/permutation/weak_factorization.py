"""Weak factorizations and the tightness of complexity measures. [PC] section 4"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING

from kilter.options.argument import checked
from kilter.structures.permutation.permutation import Permutation
from kilter.structures.permutation.permutation_tree import Operator

if TYPE_CHECKING:
    from collections.abc import Iterator

Span = tuple[int, int]
WeakFactorization = frozenset[Span]
Complexity = Callable[[Sequence[Operator]], float]


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


def is_tight_for(permutation: Permutation, complexity: Complexity) -> bool:
    """Return whether every further factorization lowers the complexity; true if primal.

    >>> is_tight_for(Permutation.identity(4), lambda listed: sum(map(len, listed)) / len(listed))
    True
    """
    if _is_trivial(permutation):
        return True
    rated = _rated(permutation, complexity)
    return all(
        rating > finer_rating
        for spans, rating in rated
        for finer, finer_rating in rated
        if spans < finer
    )


def is_semi_tight_for(permutation: Permutation, complexity: Complexity) -> bool:
    """Return whether no factorization raises the complexity and full factorization lowers it."""
    if _is_trivial(permutation):
        return True
    rated = _rated(permutation, complexity)
    single = min(rated, key=lambda pair: len(pair[0]))
    most = max(len(spans) for spans, _ in rated)
    never_rises = all(
        rating >= finer_rating
        for spans, rating in rated
        for finer, finer_rating in rated
        if spans < finer
    )
    return never_rises and all(single[1] > rating for spans, rating in rated if len(spans) == most)


@dataclass(frozen=True, slots=True)
class TightnessReport:
    """For how many non-primal permutations up to a length a complexity is tight or semi-tight."""

    permutations: int
    tight: int
    semi_tight: int
    first_not_tight: Permutation | None
    first_not_semi_tight: Permutation | None

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
    nodes is not even semi-tight), so that tightness is a property to check. Practical to length 6.
    """
    total = tight = semi = 0
    failures: dict[str, Permutation] = {}
    for length in range(3, longest + 1):
        for values in permutations(range(length)):
            permutation = Permutation(values)
            if permutation.is_primal:
                continue
            total += 1
            if is_tight_for(permutation, complexity):
                tight += 1
            else:
                failures.setdefault("tight", permutation)
            if is_semi_tight_for(permutation, complexity):
                semi += 1
            else:
                failures.setdefault("semi", permutation)
    return TightnessReport(total, tight, semi, failures.get("tight"), failures.get("semi"))


def _is_trivial(permutation: Permutation) -> bool:
    return len(permutation) < 2 or permutation.is_primal


def _rated(
    permutation: Permutation, complexity: Complexity
) -> list[tuple[WeakFactorization, float]]:
    return [
        (spans, complexity(operators(permutation, spans)))
        for spans in weak_factorizations(permutation)
    ]


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

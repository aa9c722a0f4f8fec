"""Permutation scores, trees and forests by their definitions, slow and exact: [PC], [PEF], [LR]."""

# Permutations are 1-based, spans are pairs of fenceposts, rational scores are Fractions.
# No word at all scores 0, a single word 1 (A2).

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, pairwise, product
from typing import Literal, TypeAlias

Permutation: TypeAlias = tuple[int, ...]
Span: TypeAlias = tuple[int, int]
Cut: TypeAlias = tuple[int, ...]
Forest: TypeAlias = dict[Span, tuple[Permutation | None, list[Cut]]]
Tree: TypeAlias = "int | tuple[Permutation, tuple[Tree, ...]]"
FlatTree: TypeAlias = "int | tuple[Permutation, int, tuple[FlatTree, ...]]"
Factorization: TypeAlias = frozenset[Span]
OperatorScore: TypeAlias = Callable[[Permutation], Fraction]
Complexity: TypeAlias = Callable[[Sequence[Permutation]], Fraction]

MONOTONE: Permutation = (1, 2)
INVERTED: Permutation = (2, 1)
BETA = Fraction(3, 5)


def mean(values: Sequence[Fraction]) -> Fraction:
    """Return the arithmetic mean of at least one value."""
    return sum(values, Fraction(0)) / len(values)


def inverse(permutation: Sequence[int]) -> Permutation:
    """Return the permutation whose value at position v is the position of v."""
    return tuple(permutation.index(value) + 1 for value in range(1, len(permutation) + 1))


def reversal(length: int) -> Permutation:
    """Return `length, ..., 2, 1`."""
    return tuple(range(length, 0, -1))


def identity(length: int) -> Permutation:
    """Return `1, 2, ..., length`."""
    return tuple(range(1, length + 1))


def kendall(permutation: Sequence[int]) -> Fraction:
    """Return the share of pairs in order."""
    return kendall_between(permutation, identity(len(permutation)))


def kendall_sqrt(permutation: Sequence[int]) -> float:
    """Return 1 - sqrt(1 - KENDALL), the root of the distance (A9)."""
    return 1 - math.sqrt(1 - kendall(permutation)) if permutation else 0.0


def spearman(permutation: Sequence[int]) -> Fraction:
    """Return 1 - 3 * sum of squared displacements / (n(n^2 - 1))."""
    return spearman_between(permutation, identity(len(permutation)))


def hamming(permutation: Sequence[int]) -> Fraction:
    """Return the share of values in their own position."""
    return hamming_between(permutation, identity(len(permutation)))


def longest_increasing(permutation: Sequence[int]) -> int:
    """Return the length of the longest increasing subsequence, by the quadratic recurrence."""
    ending: list[int] = []
    for position, value in enumerate(permutation):
        ending.append(
            1 + max((ending[k] for k in range(position) if permutation[k] < value), default=0)
        )
    return max(ending, default=0)


def ulam(permutation: Sequence[int]) -> Fraction:
    """Return (longest increasing subsequence - 1) / (n - 1)."""
    n = len(permutation)
    return Fraction(longest_increasing(permutation) - 1, n - 1) if n > 1 else Fraction(n)


def chunks(permutation: Sequence[int]) -> int:
    """Return the number of maximal runs in which every value follows its predecessor by one."""
    breaks = sum(right != left + 1 for left, right in pairwise(permutation))
    return breaks + 1 if permutation else 0


def fuzzy(permutation: Sequence[int], *, joints: Literal["inner", "all"] = "inner") -> Fraction:
    """Return the share of kept joints: the n-1 between words, or n+1 with both sentence ends."""
    n = len(permutation)
    if joints == "all":
        framed = (0, *permutation, n + 1)
        kept = sum(right == left + 1 for left, right in pairwise(framed))
        return Fraction(kept, n + 1) if n else Fraction(0)
    return 1 - Fraction(chunks(permutation) - 1, n - 1) if n > 1 else Fraction(n)


def complete(permutation: Sequence[int]) -> Fraction:
    """Return 1 for the identity, 0 for any other order and for no word at all."""
    return Fraction(bool(permutation) and tuple(permutation) == identity(len(permutation)))


def bullets(permutation: Sequence[int]) -> str:
    """Return the display of [LR] table 1: a bullet before every value that starts a new run."""
    words = [str(value) for value in permutation[:1]]
    for left, right in pairwise(permutation):
        words.append(str(right) if right == left + 1 else f"•{right}")
    return f"({' '.join(words)})"


def check_lengths(first: Sequence[int], second: Sequence[int]) -> int:
    """Return the common length of two permutations."""
    if len(first) != len(second):
        raise ValueError(f"lengths {len(first)} and {len(second)} differ")
    return len(first)


def kendall_between(first: Sequence[int], second: Sequence[int]) -> Fraction:
    """Return d_tau: 1 - ordered pairs with first_i < first_j and second_i > second_j / pairs."""
    n = check_lengths(first, second)
    if n < 2:
        return Fraction(n)
    disagreeing = sum(
        first[i] < first[j] and second[i] > second[j] for i in range(n) for j in range(n)
    )
    return 1 - Fraction(disagreeing, n * (n - 1) // 2)


def hamming_between(first: Sequence[int], second: Sequence[int]) -> Fraction:
    """Return d_H: 1 - positions that differ / n."""
    n = check_lengths(first, second)
    differing = sum(a != b for a, b in zip(first, second, strict=True))
    return 1 - Fraction(differing, n) if n else Fraction(0)


def spearman_between(first: Sequence[int], second: Sequence[int]) -> Fraction:
    """Return 1 - 3 * sum of squared differences / (n(n^2 - 1))."""
    n = check_lengths(first, second)
    squares = sum((a - b) ** 2 for a, b in zip(first, second, strict=True))
    return 1 - Fraction(3 * squares, n * (n * n - 1)) if n > 1 else Fraction(n)


def footrule_between(first: Sequence[int], second: Sequence[int]) -> Fraction:
    """Return 1 - sum of absolute differences / floor(n^2 / 2)."""
    n = check_lengths(first, second)
    distance = sum(abs(a - b) for a, b in zip(first, second, strict=True))
    return 1 - Fraction(distance, n * n // 2) if n > 1 else Fraction(n)


def is_sub_permutation(values: Sequence[int]) -> bool:
    """Return whether the values of a non-empty slice are a contiguous range of integers."""
    return bool(values) and sorted(values) == list(range(min(values), max(values) + 1))


@lru_cache(maxsize=1024)
def _sub_permutations(permutation: Permutation) -> frozenset[Span]:
    spans = combinations(range(len(permutation) + 1), 2)
    return frozenset(span for span in spans if is_sub_permutation(permutation[slice(*span)]))


def sub_permutations(permutation: Sequence[int]) -> frozenset[Span]:
    """Return every span that holds a sub-permutation, single elements and the whole included."""
    return _sub_permutations(tuple(permutation))


def is_primal(permutation: Sequence[int]) -> bool:
    """Return whether two or more values have no sub-permutation but single ones and the whole."""
    n = len(permutation)
    return n >= 2 and all(end - start in (1, n) for start, end in sub_permutations(permutation))


def rank_list(values: Sequence[int]) -> Permutation:
    """Return the 1-based rank of every value among the values."""
    return tuple(sum(other <= value for other in values) for value in values)


def parts(span: Span, cut: Cut) -> list[Span]:
    """Return the adjacent spans into which the split points cut a span."""
    return list(pairwise((span[0], *cut, span[1])))


def minimal_cuts(permutation: Sequence[int], span: Span | None = None) -> list[Cut]:
    """Return every way, in ascending order, to cut a span into the fewest sub-permutations.

    At least two parts, so a single element has no cut; the default span is the whole.
    """
    start, end = span or (0, len(permutation))
    if end - start < 2:
        return []
    pieces = sub_permutations(permutation) - {(start, end)}
    fewest = {end: 0}
    for left in reversed(range(start, end)):
        rights = [right for right in range(left + 1, end + 1) if (left, right) in pieces]
        fewest[left] = 1 + min(fewest[right] for right in rights)

    def cuts_from(left: int) -> Iterator[Cut]:
        if fewest[left] == 1:
            yield ()
            return
        for right in range(left + 1, end):
            if (left, right) in pieces and fewest[right] == fewest[left] - 1:
                yield from ((right, *rest) for rest in cuts_from(right))

    return list(cuts_from(start))


def arity(permutation: Sequence[int]) -> int:
    """Return the fewest sub-permutations, two or more, that cut the permutation; 1 for one word."""
    if len(permutation) < 2:
        return len(permutation)
    return len(minimal_cuts(permutation)[0]) + 1


def operator_of(permutation: Sequence[int], spans: Sequence[Span]) -> Permutation:
    """Return the order of adjacent sub-permutations, ranked by their values."""
    return rank_list([min(permutation[start:end]) for start, end in spans])


def forest(permutation: Sequence[int]) -> Forest:
    """Return operator and cuts of every span reachable by minimal cuts; leaves have neither."""
    chart: Forest = {}
    agenda = [(0, len(permutation))] if permutation else []
    while agenda:
        span = agenda.pop()
        if span in chart:
            continue
        cuts = minimal_cuts(permutation, span)
        chart[span] = (operator_of(permutation, parts(span, cuts[0])) if cuts else None, cuts)
        agenda.extend(part for cut in cuts for part in parts(span, cut))
    return dict(sorted(chart.items()))


def bottom_up(chart: Forest) -> list[Span]:
    """Return the spans of a forest, every one after all of its parts."""
    return sorted(chart, key=lambda span: span[1] - span[0])


def all_trees(permutation: Sequence[int]) -> list[Tree]:
    """Return every PET: a leaf is its value, a node is (operator, children). No word, no tree."""
    trees: dict[Span, list[Tree]] = {}
    chart = forest(permutation)
    for span in bottom_up(chart):
        operator, cuts = chart[span]
        trees[span] = (
            [permutation[span[0]]]
            if operator is None
            else [
                (operator, children)
                for cut in cuts
                for children in product(*(trees[part] for part in parts(span, cut)))
            ]
        )
    return trees[0, len(permutation)] if permutation else []


def canonical_tree(
    permutation: Sequence[int], choose: Callable[[list[Cut]], Cut], span: Span | None = None
) -> Tree:
    """Return the PET that takes the chosen cut at every node."""
    span = span or (0, len(permutation))
    cuts = minimal_cuts(permutation, span)
    if not cuts:
        return permutation[span[0]]
    chosen = parts(span, choose(cuts))
    children = tuple(canonical_tree(permutation, choose, part) for part in chosen)
    return operator_of(permutation, chosen), children


def left_tree(permutation: Sequence[int]) -> Tree:
    """Return the left-branching PET: the last split point of every binary node (A12)."""
    return canonical_tree(permutation, max)


def right_tree(permutation: Sequence[int]) -> Tree:
    """Return the right-branching PET: the first split point of every binary node."""
    return canonical_tree(permutation, min)


def flatten(tree: Tree) -> FlatTree:
    """Return the tree with chains of one binary operator merged: (operator, merged, children)."""
    if isinstance(tree, int):
        return tree
    operator, children = tree
    merged, flat_children = 1, list[FlatTree]()
    for child in map(flatten, children):
        if not isinstance(child, int) and child[0] == operator and len(operator) == 2:
            merged += child[1]
            flat_children.extend(child[2])
        else:
            flat_children.append(child)
    return operator, merged, tuple(flat_children)


def flat_tree(permutation: Sequence[int]) -> FlatTree:
    """Return the flattened PET."""
    return flatten(left_tree(permutation))


def tree_operators(tree: Tree) -> list[Permutation]:
    """Return the operators of the inner nodes."""
    if isinstance(tree, int):
        return []
    return [tree[0], *(operator for child in tree[1] for operator in tree_operators(child))]


def leaf_count(tree: Tree) -> int:
    """Return the number of leaves."""
    return 1 if isinstance(tree, int) else sum(map(leaf_count, tree[1]))


def tree_spans(tree: Tree, start: int = 0) -> Factorization:
    """Return the spans of the inner nodes."""
    if isinstance(tree, int):
        return frozenset()
    spans = {(start, start + leaf_count(tree))}
    for child in tree[1]:
        spans |= tree_spans(child, start)
        start += leaf_count(child)
    return frozenset(spans)


def catalan(k: int) -> int:
    """Return the number of binary trees with k inner nodes: 1, 1, 2, 5, 14, 42, ..."""
    return math.comb(2 * k, k) // (k + 1)


def span_tree_counts(permutation: Sequence[int]) -> dict[Span, int]:
    """Return the number of PETs of every span of the forest."""
    counts: dict[Span, int] = {}
    chart = forest(permutation)
    for span in bottom_up(chart):
        cuts = chart[span][1]
        ways = (math.prod(counts[part] for part in parts(span, cut)) for cut in cuts)
        counts[span] = sum(ways) if cuts else 1
    return counts


def tree_count(permutation: Sequence[int]) -> int:
    """Return the number of PETs, summed over the forest; 0 for no word."""
    return span_tree_counts(permutation).get((0, len(permutation)), 0)


def operators(permutation: Sequence[int]) -> list[Permutation]:
    """Return the operators of any PET; none for fewer than two words."""
    return tree_operators(left_tree(permutation)) if permutation else []


def node_count(permutation: Sequence[int]) -> int:
    """Return the number of inner nodes of any PET."""
    return len(operators(permutation))


def longest_operator(permutation: Sequence[int]) -> int:
    """Return the length of the longest operator; 0 without operators."""
    return max(map(len, operators(permutation)), default=0)


def average_operator_length(permutation: Sequence[int]) -> Fraction:
    """Return the mean length of the operators; 0 without operators."""
    lengths = [Fraction(len(operator)) for operator in operators(permutation)]
    return mean(lengths) if lengths else Fraction(0)


def pet_size(permutation: Sequence[int]) -> Fraction:
    """Return |PET| = (nodes - 1) / (n - 2); 1 for one and two words (A10)."""
    n = len(permutation)
    return Fraction(node_count(permutation) - 1, n - 2) if n > 2 else Fraction(n > 0)


def pet_count(permutation: Sequence[int]) -> Fraction:
    """Return #PETs = (PETs - 1) / (Catalan(n - 1) - 1); 1 for one and two words (A10)."""
    n = len(permutation)
    return Fraction(tree_count(permutation) - 1, catalan(n - 1) - 1) if n > 2 else Fraction(n > 0)


def max_op(permutation: Sequence[int]) -> Fraction:
    """Return MAX|Op| = 1 - (longest operator - 2) / (n - 2); 1 for one and two words (A10)."""
    n = len(permutation)
    return 1 - Fraction(longest_operator(permutation) - 2, n - 2) if n > 2 else Fraction(n > 0)


def published_operator_score(gamma: Fraction | float = 0) -> OperatorScore:
    """Return the opScore of [PEF]: 1 for <1,2>, gamma for <2,1>, 0 for any other operator."""
    scores = {MONOTONE: Fraction(1), INVERTED: Fraction(gamma)}
    return lambda operator: scores.get(operator, Fraction(0))


def pef(
    permutation: Sequence[int],
    *,
    beta: Fraction | float = BETA,
    gamma: Fraction | float = 0,
    operator_score: OperatorScore | None = None,
) -> Fraction:
    """Return PEFscore, literally over the forest; `operator_score` replaces the one of gamma."""
    score, weight = operator_score or published_operator_score(gamma), Fraction(beta)
    nodes: dict[Span, Fraction] = {}
    chart = forest(permutation)
    for span in bottom_up(chart):
        operator, cuts = chart[span]
        if operator is None:
            nodes[span] = Fraction(1)
        elif len(operator) == span[1] - span[0]:
            nodes[span] = score(operator)
        else:
            inferences = [
                mean([nodes[i, j] for i, j in parts(span, cut) if j - i > 1]) for cut in cuts
            ]
            nodes[span] = weight * score(operator) + (1 - weight) * mean(inferences)
    return nodes.get((0, len(permutation)), Fraction(0))


def pet(
    permutation: Sequence[int],
    *,
    beta: Fraction | float = BETA,
    gamma: Fraction | float = 0,
    branching: Literal["left", "right"] = "left",
    operator_score: OperatorScore | None = None,
) -> Fraction:
    """Return PETscore, PEFscore over the one canonical tree."""
    score, weight = operator_score or published_operator_score(gamma), Fraction(beta)

    def node(tree: Tree) -> Fraction:
        if isinstance(tree, int):
            return Fraction(1)
        inner = [node(child) for child in tree[1] if not isinstance(child, int)]
        own = score(tree[0])
        return weight * own + (1 - weight) * mean(inner) if inner else own

    if not permutation:
        return Fraction(0)
    return node(left_tree(permutation) if branching == "left" else right_tree(permutation))


def beer_tree_score(tree: Tree, beta: Fraction) -> Fraction:
    """Return beta * [monotone] + (1 - beta) * mean of all children weighted by their spans."""
    if isinstance(tree, int):
        return Fraction(1)
    operator, children = tree
    below = sum(
        (leaf_count(child) * beer_tree_score(child, beta) for child in children), Fraction(0)
    )
    return beta * (operator == MONOTONE) + (1 - beta) * below / leaf_count(tree)


@lru_cache(maxsize=1024)
def _beer_mean(permutation: Permutation, beta: Fraction) -> Fraction:
    return mean([beer_tree_score(tree, beta) for tree in all_trees(permutation)])


@lru_cache(maxsize=1024)
def _beer_mean_by_counts(permutation: Permutation, beta: Fraction) -> Fraction:
    counts, chart = span_tree_counts(permutation), forest(permutation)
    nodes: dict[Span, Fraction] = {}
    for span in bottom_up(chart):
        operator, cuts = chart[span]
        below = Fraction(0)
        for cut in cuts:
            trees = math.prod(counts[part] for part in parts(span, cut))
            below += trees * sum((j - i) * nodes[i, j] for i, j in parts(span, cut))
        below /= counts[span] * (span[1] - span[0])
        own = beta * (operator == MONOTONE)
        nodes[span] = own + (1 - beta) * below if cuts else Fraction(1)
    return nodes[0, len(permutation)]


def pef_beer(
    permutation: Sequence[int], *, beta: Fraction | float = BETA, enumerate_trees: bool = True
) -> Fraction:
    """Return BEER's PEF, (x - x(reversal)) / (1 - x(reversal)) for x the mean over all PETs.

    Enumeration visits Catalan(n-1) trees, so it takes seconds at n = 11; `enumerate_trees=False` takes
    the same mean span by span, weighted by tree counts. Undefined for beta = 0.
    """
    n = len(permutation)
    if n < 2:
        return Fraction(n)
    average = _beer_mean if enumerate_trees else _beer_mean_by_counts
    worst = average(reversal(n), Fraction(beta))
    return (average(tuple(permutation), Fraction(beta)) - worst) / (1 - worst)


def cross(first: Span, second: Span) -> bool:
    """Return whether two spans overlap without one holding the other."""
    (a, b), (c, d) = sorted((first, second))
    return a < c < b < d


def weak_factorizations(permutation: Sequence[int]) -> list[Factorization]:
    """Return every non-crossing set of sub-permutation spans, length two or more, with the whole.

    A single word has one, without any inner node; no word has none.
    """
    n = len(permutation)
    if n < 2:
        return [frozenset()] * n
    spans = {span for span in sub_permutations(permutation) if span[1] - span[0] > 1} - {(0, n)}
    families: list[Factorization] = [frozenset({(0, n)})]
    for span in sorted(spans):
        families += [
            family | {span} for family in families if not any(cross(span, old) for old in family)
        ]
    return families


def factorization_operators(
    permutation: Sequence[int], factorization: Factorization
) -> list[Permutation]:
    """Return the operators of the inner nodes of a weak factorization, sorted."""
    found = []
    for start, end in factorization:
        children, left = list[Span](), start
        while left < end:
            rights = [
                j for i, j in factorization if i == left and j <= end and (i, j) != (start, end)
            ]
            children.append((left, max(rights, default=left + 1)))
            left = children[-1][1]
        found.append(operator_of(permutation, children))
    return sorted(found)


def average_of(ground: Callable[[int], Fraction | int]) -> Complexity:
    """Return the complexity that averages a ground metric of the operator length."""
    return lambda found: mean([Fraction(ground(len(operator))) for operator in found])


COMPLEXITIES: dict[str, Complexity] = {
    "average_operator_length": average_of(lambda length: length),
    "longest_operator": lambda found: Fraction(max(map(len, found))),
    "minus_node_count": lambda found: Fraction(-len(found)),
    "non_binary_nodes": lambda found: Fraction(sum(len(operator) > 2 for operator in found)),
}


def is_tight_for(permutation: Sequence[int], complexity: Complexity) -> bool:
    """Return whether every further factorization lowers the complexity; true if primal."""
    return _orders_factorizations(permutation, complexity, strict_everywhere=True)


def is_semi_tight_for(permutation: Sequence[int], complexity: Complexity) -> bool:
    """Return whether none raises it and every PET is below the single node; true if primal."""
    return _orders_factorizations(permutation, complexity, strict_everywhere=False)


def _orders_factorizations(
    permutation: Sequence[int], complexity: Complexity, *, strict_everywhere: bool
) -> bool:
    if is_primal(permutation) or len(permutation) < 2:
        return True
    single = frozenset({(0, len(permutation))})
    pets = {tree_spans(tree) for tree in all_trees(permutation)}
    values = {
        factorization: complexity(factorization_operators(permutation, factorization))
        for factorization in weak_factorizations(permutation)
    }
    for coarse, fine in product(values, repeat=2):
        if coarse < fine:
            strict = strict_everywhere or (coarse == single and fine in pets)
            if values[coarse] < values[fine] or (strict and values[coarse] == values[fine]):
                return False
    return True

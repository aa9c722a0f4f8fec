"""The forest of section 3.2 by plain loops over spans, fast enough for a hundred words: [PC], [PEF]."""

# Permutations are 1-based, spans are pairs of fenceposts. Slower and simpler than the kernels, faster
# than the literal definitions beside it, with which it is compared.

from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from math import comb, prod
from typing import TypeAlias

Operator: TypeAlias = tuple[int, ...]
Span: TypeAlias = tuple[int, int]
Cut: TypeAlias = tuple[int, ...]
OperatorScore: TypeAlias = Callable[[Operator], float]

MONOTONE, INVERTED = (1, 2), (2, 1)


def published(gamma: float = 0.0) -> OperatorScore:
    """Return 1 for <1,2>, gamma for <2,1>, 0 for any other operator."""
    scores: dict[Operator, float] = {MONOTONE: 1.0, INVERTED: gamma}
    return lambda operator: scores.get(operator, 0.0)


def kendall_of(operator: Operator) -> float:
    """Return the share of pairs in order."""
    n = len(operator)
    rising = sum(operator[i] < operator[j] for j in range(n) for i in range(j))
    return rising / comb(n, 2)


class Chart:
    """Operator and minimal cuts of every span that they reach from the whole."""

    def __init__(self, permutation: Sequence[int]) -> None:
        self.values = tuple(permutation)
        self.length = len(self.values)
        self._ends = [self._sub_permutations_from(start) for start in range(self.length)]
        self.operators: dict[Span, Operator | None] = {}
        self.cuts: dict[Span, list[Cut]] = {}
        agenda = [(0, self.length)] if self.length else []
        while agenda:
            span = agenda.pop()
            if span in self.cuts:
                continue
            cuts = self.cuts[span] = self._minimal_cuts(*span)
            self.operators[span] = self._operator(span, cuts[0]) if cuts else None
            agenda.extend(part for cut in cuts for part in parts(span, cut))
        self.spans = sorted(self.cuts, key=lambda span: span[1] - span[0])

    def _sub_permutations_from(self, start: int) -> set[int]:
        ends = set()
        low = high = self.values[start]
        for end in range(start, self.length):
            low, high = min(low, self.values[end]), max(high, self.values[end])
            if high - low == end - start:
                ends.add(end + 1)
        return ends

    def _minimal_cuts(self, start: int, end: int) -> list[Cut]:
        if end - start == 1:
            return []
        halves = [
            (middle,)
            for middle in range(start + 1, end)
            if middle in self._ends[start] and end in self._ends[middle]
        ]
        if halves:
            return list(halves)
        fewest: dict[int, tuple[int, int]] = {end: (0, end)}  # parts from here on, end of the first
        for left in range(end - 1, start - 1, -1):
            fewest[left] = min(
                (fewest[right][0] + 1, right)
                for right in self._ends[left]
                if right <= end and (left, right) != (start, end)
            )
        cut, place = list[int](), fewest[start][1]
        while place < end:
            cut.append(place)
            place = fewest[place][1]
        return [tuple(cut)]

    def _operator(self, span: Span, cut: Cut) -> Operator:
        lows = [min(self.values[start:end]) for start, end in parts(span, cut)]
        return tuple(sorted(lows).index(low) + 1 for low in lows)

    def pef(self, beta: float = 0.6, score: OperatorScore | None = None) -> float:
        """Return PEFscore."""
        return self._mean(beta, score or published(), lambda cuts: cuts)

    def pet(
        self, beta: float = 0.6, score: OperatorScore | None = None, *, right: bool = False
    ) -> float:
        """Return PETscore: the last cut of every span, or the first for right-branching trees."""
        choose = min if right else max
        return self._mean(beta, score or published(), lambda cuts: [choose(cuts)])

    def _mean(
        self, beta: float, score: OperatorScore, chosen: Callable[[list[Cut]], list[Cut]]
    ) -> float:
        nodes: dict[Span, float] = {}
        for span in self.spans:
            operator = self.operators[span]
            if operator is None:
                nodes[span] = 1.0
            elif len(operator) == span[1] - span[0]:
                nodes[span] = score(operator)
            else:
                inferences = []
                for cut in chosen(self.cuts[span]):
                    inner = [nodes[i, j] for i, j in parts(span, cut) if j - i > 1]
                    inferences.append(sum(inner) / len(inner))
                below = sum(inferences) / len(inferences)
                nodes[span] = beta * score(operator) + (1 - beta) * below
        return nodes.get((0, self.length), 0.0)

    def tree_counts(self) -> dict[Span, int]:
        """Return the number of trees of every span."""
        counts: dict[Span, int] = {}
        for span in self.spans:
            cuts = self.cuts[span]
            ways = sum(prod(counts[part] for part in parts(span, cut)) for cut in cuts)
            counts[span] = ways if cuts else 1
        return counts

    def tree_count(self) -> int:
        """Return the number of trees of the whole."""
        return self.tree_counts().get((0, self.length), 0)

    def tree_operators(self) -> list[Operator]:
        """Return the operators of one tree."""
        found: list[Operator] = []
        agenda = [(0, self.length)] if self.length else []
        while agenda:
            span = agenda.pop()
            operator = self.operators[span]
            if operator is not None:
                found.append(operator)
                agenda.extend(parts(span, self.cuts[span][0]))
        return found

    def beer_mean(self, beta: float) -> float:
        """Return the mean over all trees of BEER's score before it is rescaled."""
        counts = self.tree_counts()
        nodes: dict[Span, float] = {}
        for span in self.spans:
            operator, cuts = self.operators[span], self.cuts[span]
            if operator is None:
                nodes[span] = 1.0
                continue
            below = 0.0
            for cut in cuts:
                share = prod(counts[part] for part in parts(span, cut)) / counts[span]
                below += share * sum((j - i) * nodes[i, j] for i, j in parts(span, cut))
            own = beta * (operator == MONOTONE)
            nodes[span] = own + (1 - beta) * below / (span[1] - span[0])
        return nodes[0, self.length]

    def beer(self, beta: float = 0.6) -> float:
        """Return BEER's PEF."""
        if self.length < 2:
            return float(self.length)
        worst = _worst_beer_mean(self.length, beta)
        return (self.beer_mean(beta) - worst) / (1 - worst)


@cache
def _worst_beer_mean(length: int, beta: float) -> float:
    return Chart(range(length, 0, -1)).beer_mean(beta)


def parts(span: Span, cut: Cut) -> list[Span]:
    """Return the adjacent spans into which the split points cut a span."""
    return list(pairwise((span[0], *cut, span[1])))


def linear_node(children: Sequence[float | None], own: float, beta: float) -> float:
    """Return PEFscore of a node with a binary operator, literally, over every run of its children.

    A child is the score of its node, or None for a single word.
    """
    count = len(children)
    nodes: dict[Span, float | None] = {(c, c + 1): value for c, value in enumerate(children)}
    for width in range(2, count + 1):
        for start in range(count - width + 1):
            end = start + width
            total = 0.0
            for middle in range(start + 1, end):
                left, right = nodes[start, middle], nodes[middle, end]
                if left is None or right is None:
                    total += right or 0.0 if left is None else left
                else:
                    total += (left + right) / 2
            if width == 2 and children[start] is None and children[start + 1] is None:
                nodes[start, end] = own
            else:
                nodes[start, end] = beta * own + (1 - beta) * total / (width - 1)
    value = nodes[0, count]
    assert value is not None
    return value

"""Agreement with people as the specification words it, in plain loops. Sections 14.1 to 14.6"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise
from math import isnan, nan, sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

# A pair: human rank of a and of b (1 = best), metric score of a and of b.
Pair = tuple[float, float, float, float]


def tallies(pairs: Sequence[Pair]) -> tuple[int, int, int]:
    """Return concordant, discordant and metric-tied pairs among those that people decided."""
    agree = differ = tied = 0
    for rank_a, rank_b, score_a, score_b in pairs:
        if rank_a == rank_b:
            continue
        if score_a == score_b:
            tied += 1
        elif (rank_a < rank_b) == (score_a > score_b):
            agree += 1
        else:
            differ += 1
    return agree, differ, tied


def tau(pairs: Sequence[Pair], rule: str = "wmt13") -> float:
    agree, differ, tied = tallies(pairs)
    if rule == "wmt12":
        top, bottom = agree - differ - tied, agree + differ + tied
    elif rule == "wmt14":
        top, bottom = agree - differ, agree + differ + tied
    else:
        top, bottom = agree - differ, agree + differ
    return top / bottom if bottom else nan


def consistency(pairs: Sequence[Pair]) -> float:
    agree, differ, tied = tallies(pairs)
    whole = agree + differ + tied
    return 100 * agree / whole if whole else nan


def interpolated(rows: Sequence[tuple[float, float, int]], alpha: Fraction) -> list[Pair]:
    """Return pairs whose second item scores 0; rows are differences of both parts, and who is better."""
    return [
        (1, 1 + side, alpha * Fraction(order) + (1 - alpha) * Fraction(lexical), 0)  # type: ignore[misc]
        for order, lexical, side in rows
    ]


def best_weight(
    rows: Sequence[tuple[float, float, int]], measure: Callable[[Sequence[Pair]], float]
) -> float:
    """Return the best agreement of any weight: at every point where a pair turns, and between them."""
    turns = {Fraction(0), Fraction(1)}
    for order, lexical, _ in rows:
        if order != lexical:
            turns.add(Fraction(lexical) / (Fraction(lexical) - Fraction(order)))
    inside = sorted(turn for turn in turns if 0 <= turn <= 1)
    tried = inside + [(low + high) / 2 for low, high in pairwise(inside)]
    found = [measure(interpolated(rows, alpha)) for alpha in tried]
    return max((value for value in found if not isnan(value)), default=nan)


def accuracy(pairs: Sequence[Pair], threshold: float = 0.0) -> float:
    right = 0
    for rank_a, rank_b, score_a, score_b in pairs:
        human = (rank_b > rank_a) - (rank_b < rank_a)
        metric = 0 if abs(score_a - score_b) <= threshold else 1 if score_a > score_b else -1
        right += human == metric
    return right / len(pairs) if pairs else nan


def best_accuracy(pairs: Sequence[Pair]) -> float:
    """Return the accuracy with the best threshold, by trying every one that can matter."""
    tried = {0.0, *(abs(a - b) for _, _, a, b in pairs)}
    return max(accuracy(pairs, threshold) for threshold in tried)


def ranks(values: Sequence[float]) -> list[float]:
    """Return average ranks from 1, the smallest."""
    return [
        sum(other < value for other in values) + (sum(other == value for other in values) + 1) / 2
        for value in values
    ]


def pearson(x: Sequence[float], y: Sequence[float]) -> float:
    n = len(x)
    if n < 2 or len(set(x)) == 1 or len(set(y)) == 1:
        return nan
    mx, my = sum(x) / n, sum(y) / n
    xx = sum((a - mx) ** 2 for a in x)
    yy = sum((b - my) ** 2 for b in y)
    return sum((a - mx) * (b - my) for a, b in zip(x, y, strict=True)) / sqrt(xx * yy)


def spearman(x: Sequence[float], y: Sequence[float]) -> float:
    return pearson(ranks(x), ranks(y))


def win_ratios(
    tasks: Sequence[dict[str, int]], *, ties: bool = False
) -> tuple[dict[str, float], int]:
    """Return wins / (wins + losses [+ ties]) of every system, and the number of pairs."""
    wins: dict[str, int] = {}
    whole: dict[str, int] = {}
    comparisons = 0
    for task in tasks:
        for a, b in combinations(task, 2):
            comparisons += 1
            if task[a] != task[b]:
                winner = a if task[a] < task[b] else b
                wins[winner] = wins.get(winner, 0) + 1
            if task[a] != task[b] or ties:
                for name in (a, b):
                    whole[name] = whole.get(name, 0) + 1
    return {name: wins.get(name, 0) / count for name, count in whole.items()}, comparisons


def segment_groups(
    human: Sequence[Sequence[float]], metric: Sequence[Sequence[float]], grouping: str
) -> list[tuple[list[float], list[float]]]:
    """Return both sides of every group of systems x segments; NaN is left out, empty groups too."""
    groups: dict[int, tuple[list[float], list[float]]] = {}
    for system, (row, other) in enumerate(zip(human, metric, strict=True)):
        for segment, (x, y) in enumerate(zip(row, other, strict=True)):
            if x != x or y != y:  # noqa: PLR0124 - NaN
                continue
            key = {"pooled": 0, "item": segment, "system": system}[grouping]
            sides = groups.setdefault(key, ([], []))
            sides[0].append(x)
            sides[1].append(y)
    return [groups[key] for key in sorted(groups)]


def auc(positive: Sequence[float], negative: Sequence[float]) -> float:
    """Return how often a positive lies above a negative; a tie counts half."""
    if not positive or not negative:
        return nan
    won = sum((p > n) + 0.5 * (p == n) for p in positive for n in negative)
    return won / (len(positive) * len(negative))

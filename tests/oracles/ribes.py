"""RIBES by the words of its publication: contexts that grow until they are unique, pairs that rise."""

import math
from collections.abc import Sequence
from itertools import combinations

Words = Sequence[str]


def occurrences(part: Words, words: Words) -> list[int]:
    """Return where `part` starts in `words`."""
    places = range(len(words) - len(part) + 1)
    return [i for i in places if list(words[i : i + len(part)]) == list(part)]


def position(hypothesis: Words, reference: Words, i: int) -> int | None:
    """Return the place in the reference of the word at place i of the hypothesis."""
    for window in range(len(hypothesis)):
        for start in (i - window, i):  # left before right; the same n-gram for a window of 0
            if start < 0 or start + window >= len(hypothesis):
                continue
            part = hypothesis[start : start + window + 1]
            found = occurrences(part, reference)
            if len(found) == 1 and len(occurrences(part, hypothesis)) == 1:
                return found[0] + i - start
    return None


def positions(hypothesis: Words, reference: Words) -> list[int | None]:
    """Return the place in the reference of every word of the hypothesis."""
    return [position(hypothesis, reference, i) for i in range(len(hypothesis))]


def ribes(hypothesis: Words, reference: Words, *, alpha: float = 0.25, beta: float = 0.1) -> float:
    """Return NKT * P1^alpha * BP^beta."""
    found = [place for place in positions(hypothesis, reference) if place is not None]
    if len(found) >= 2:
        pairs = list(combinations(found, 2))
        correlation = sum(one < other for one, other in pairs) / len(pairs)
    elif len(found) == 1 and len(reference) == 1:
        correlation = 1.0
    else:
        return 0.0
    precision = len(found) / len(hypothesis)
    brevity = min(1.0, math.exp(1 - len(reference) / len(hypothesis)))
    return float(correlation * precision**alpha * brevity**beta)

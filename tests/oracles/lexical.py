"""Lexical and interpolated scores by their definitions, slow and plain: specification 6 and 7."""

import math
from collections import Counter
from collections.abc import Sequence
from typing import TypeAlias

Words: TypeAlias = Sequence[str]
Link: TypeAlias = tuple[int, int]


def brevity(length: int, reference: int) -> float:
    """Return BP(t, r)."""
    if length == 0:
        return 0.0 if reference else 1.0
    return 1.0 if length > reference else math.exp(1 - reference / length)


def closest(length: int, references: Sequence[int]) -> int:
    """Return the closest reference length, of two equally close ones the shorter."""
    return min(references, key=lambda other: (abs(other - length), other))


def ngrams(words: Words, n: int) -> Counter[tuple[str, ...]]:
    """Return how often each n-gram occurs."""
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def matches(hypothesis: Words, references: Sequence[Words], n: int) -> int:
    """Return the matches of order n, clipped by the most in any one reference."""
    allowed: Counter[tuple[str, ...]] = Counter()
    for reference in references:
        allowed |= ngrams(reference, n)
    return (ngrams(hypothesis, n) & allowed).total()


def bleu(
    hypotheses: Sequence[Words],
    references: Sequence[Sequence[Words]],
    *,
    order: int = 4,
    add_one: bool = False,
) -> float:
    """Return BLEU of a corpus; `references[s]` are those of segment s."""
    pairs = list(zip(hypotheses, references, strict=True))
    product = 1.0
    for n in range(1, order + 1):
        added = 1 if add_one and n > 1 else 0
        right = sum(matches(words, others, n) for words, others in pairs) + added
        all_of_them = sum(max(len(words) - n + 1, 0) for words, _ in pairs) + added
        if right == 0 or all_of_them == 0:
            return 0.0
        product *= right / all_of_them
    length = sum(len(words) for words, _ in pairs)
    reference = sum(closest(len(words), [len(o) for o in others]) for words, others in pairs)
    return float(brevity(length, reference) * product ** (1 / order))


def f1(hypothesis: Words, reference: Words) -> float:
    """Return F1 of the bags of words."""
    common = (Counter(hypothesis) & Counter(reference)).total()
    if common == 0:
        return 0.0
    precision, recall = common / len(hypothesis), common / len(reference)
    return 2 * precision * recall / (precision + recall)


def chunks(links: Sequence[Link]) -> int:
    """Return the number of runs of links between neighbours, in order on both sides."""
    return sum((h - 1, r - 1) not in set(links) for h, r in links)


def chunking(links: Sequence[Link], *, weight: float = 0.5, exponent: float = 3.0) -> float:
    """Return 1 - weight * (chunks / links)^exponent; without links 0."""
    return 1 - weight * (chunks(links) / len(links)) ** exponent if links else 0.0


def meteor(
    links: Sequence[Link],
    hypothesis: int,
    reference: int,
    *,
    alpha: float = 0.9,
    weight: float = 0.5,
    exponent: float = 3.0,
) -> float:
    """Return METEOR of 2005 from links and the two lengths."""
    if not links:
        return 0.0
    precision, recall = len(links) / hypothesis, len(links) / reference
    mean = precision * recall / (alpha * precision + (1 - alpha) * recall)
    return mean * chunking(links, weight=weight, exponent=exponent)


def permutation(links: Sequence[Link]) -> tuple[int, ...]:
    """Return the one-based permutation of one-to-one links (specification 1.3)."""
    seconds = [second for _, second in sorted(links)]
    return tuple(sorted(seconds).index(second) + 1 for second in seconds)


def birch(links: Sequence[Link], length: int) -> tuple[int, ...]:
    """Return the one-based ranks of `length` source words (specification 1.1)."""
    keys: list[int] = []
    for word in range(length):
        targets = [target for source, target in links if source == word]
        keys.append(min(targets) if targets else keys[-1] if keys else -1)
    order = sorted(range(length), key=lambda word: (keys[word], word))
    return tuple(order.index(word) + 1 for word in range(length))

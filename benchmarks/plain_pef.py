"""PEFscore as the paper's pseudo-code reads: first the forest as a chart, then the scores over it."""

from __future__ import annotations

Span = tuple[int, int]
Inference = list[Span]


def rank_list(values: list[int]) -> list[int]:
    """Return 1-based ranks."""
    ranked = sorted(values)
    return [ranked.index(value) + 1 for value in values]


def is_sub_permutation(values: list[int]) -> bool:
    """Return whether the values are a contiguous range."""
    return max(values) - min(values) == len(values) - 1


def minimal_cuts(values: list[int], start: int, end: int) -> list[Inference]:
    """Return every way to cut a span into the least number of sub-permutations."""
    binary = [
        [(start, cut), (cut, end)]
        for cut in range(start + 1, end)
        if is_sub_permutation(values[start:cut]) and is_sub_permutation(values[cut:end])
    ]
    if binary:
        return binary
    parts: Inference = []
    at = start
    while at < end:  # without a binary cut the widest parts are the only ones
        stops = [
            stop
            for stop in range(at + 1, end + 1)
            if (at, stop) != (start, end) and is_sub_permutation(values[at:stop])
        ]
        parts.append((at, stops[-1]))
        at = stops[-1]
    return [parts]


def fill_forest(
    values: list[int], start: int, end: int, forest: dict[Span, tuple[list[int], list[Inference]]]
) -> None:
    """Fill the entries of a span and of all parts of all its inferences."""
    if end - start == 1 or (start, end) in forest:
        return
    inferences = minimal_cuts(values, start, end)
    operator = rank_list([values[part[0]] for part in inferences[0]])
    forest[start, end] = (operator, inferences)
    for inference in inferences:
        for part in inference:
            fill_forest(values, *part, forest)


def plain_pef(values: list[int], beta: float = 0.6) -> float:
    """Return PEFscore with gamma = 0 of a permutation."""
    forest: dict[Span, tuple[list[int], list[Inference]]] = {}
    fill_forest(values, 0, len(values), forest)
    scores: dict[Span, float] = {}

    def node(span: Span) -> float:
        if span not in forest:
            return 1.0
        if span not in scores:
            operator, inferences = forest[span]
            own = 1.0 if operator == [1, 2] else 0.0
            if len(operator) == span[1] - span[0]:
                scores[span] = own
            else:
                rest = sum(map(inference_score, inferences)) / len(inferences)
                scores[span] = beta * own + (1 - beta) * rest
        return scores[span]

    def inference_score(inference: Inference) -> float:
        inner = [node(part) for part in inference if part[1] - part[0] > 1]
        return sum(inner) / len(inner)

    return node((0, len(values)))

"""PEFscore as the paper's pseudo-code reads: a chart over spans, cut in every possible way."""

from __future__ import annotations


def plain_pef(values: list[int], beta: float = 0.6) -> float:
    """Return PEFscore with gamma = 0 of a permutation, straightforwardly."""

    def is_whole(start: int, end: int) -> bool:
        part = values[start:end]
        return max(part) - min(part) == len(part) - 1

    scores: dict[tuple[int, int], float] = {}

    def node(start: int, end: int) -> float:
        if (start, end) not in scores:
            scores[start, end] = rate(start, end)
        return scores[start, end]

    def rate(start: int, end: int) -> float:
        if end - start == 1:
            return 1.0
        cuts = [c for c in range(start + 1, end) if is_whole(start, c) and is_whole(c, end)]
        if cuts:
            own = 1.0 if values[start] < values[cuts[0]] else 0.0
            inferences = [[(start, cut), (cut, end)] for cut in cuts]
        else:
            own, parts, at = 0.0, [], start
            while at < end:  # the unique cut into the widest parts
                stop = max(
                    e for e in range(at + 1, end + 1) if is_whole(at, e) and (at, e) != (start, end)
                )
                parts.append((at, stop))
                at = stop
            inferences = [parts]
        if len(inferences[0]) == end - start:
            return own
        means = []
        for parts in inferences:
            inner = [node(*part) for part in parts if part[1] - part[0] > 1]
            means.append(sum(inner) / len(inner))
        return beta * own + (1 - beta) * sum(means) / len(means)

    return node(0, len(values))

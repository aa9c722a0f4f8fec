"""Latency and forced lag by plain loops: specification 19, word for word."""

from math import inf, nan

Link = tuple[int, int]


def al(delays: list[float], source: float, target: float) -> float:
    """Return average lagging with a target of this length."""
    if delays[0] > source:
        return delays[0]
    total = 0.0
    for i, delay in enumerate(delays):
        total += delay - i * source / target
        if delay >= source:
            return total / (i + 1)
    return total / len(delays)


def dal(delays: list[float], source: float) -> float:
    """Return differentiable average lagging."""
    step = source / len(delays)
    last, total = -inf, 0.0
    for i, delay in enumerate(delays):
        last = max(delay, last + step)
        total += last - i * step
    return total / len(delays)


def yaal(delays: list[float], source: float, target: float, end: float) -> float:
    """Return YAAL with a target of this length, up to the end."""
    terms = []
    for i, delay in enumerate(delays):
        if delay >= end:
            break
        terms.append(delay - i * source / target)
    return sum(terms) / len(terms) if terms else nan


def parts(delays: list[float], links: list[Link]) -> list[dict[str, float] | None]:
    """Return own, needed, lag and its parts of each word; None of a word without a link."""
    found: list[dict[str, float] | None] = []
    needed = 0
    for word, delay in enumerate(delays):
        heard = [s + 1 for s, t in links if t == word]
        needed = max([needed, *heard])
        if not heard:
            found.append(None)
            continue
        own = max(heard)
        lag = delay - own
        found.append(
            {
                "own": own,
                "needed": needed,
                "lag": lag,
                "forced": min(needed - own, max(0.0, lag)),
                "avoidable": max(0.0, delay - needed),
                "anticipated": max(0.0, own - delay),
            }
        )
    return found


def edits(words: list[str], references: list[list[str]], cuts: list[int]) -> int:
    """Return the word edits of segments cut there."""
    borders = [0, *cuts, len(words)]
    return sum(
        _edits(words[begin:end], reference)
        for begin, end, reference in zip(borders, borders[1:], references, strict=False)
    )


def _edits(one: list[str], other: list[str]) -> int:
    row = list(range(len(other) + 1))
    for i, word in enumerate(one, 1):
        new = [i]
        for j, partner in enumerate(other, 1):
            new.append(min(row[j] + 1, new[-1] + 1, row[j - 1] + (word != partner)))
        row = new
    return row[-1]

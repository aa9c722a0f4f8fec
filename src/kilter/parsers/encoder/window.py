"""Lines longer than the network can see at once, cut into windows that it can."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

ENDS = frozenset({".", "!", "?", ";", "...", "…"})
"""Words after which a long line is best cut."""


def windows(sizes: Sequence[int], words: Sequence[str], *, most: int) -> list[tuple[int, int]]:
    """Return half-open spans that cover all words, each of at most `most` pieces.

    A span ends after the last sentence-final sign in its second half; without one it is as long as it
    can be. No word is longer than `most`.

    >>> windows([1, 1, 1, 1, 1], ["a", "b", ".", "c", "d"], most=4)
    [(0, 3), (3, 5)]
    """
    spans: list[tuple[int, int]] = []
    start = 0
    while start < len(sizes):
        stop, used, cut = start, 0, start
        while stop < len(sizes) and used + sizes[stop] <= most:
            used += sizes[stop]
            stop += 1
            if words[stop - 1] in ENDS and 2 * used >= most:
                cut = stop
        end = cut if cut > start and stop < len(sizes) else stop
        spans.append((start, end))
        start = end
    return spans

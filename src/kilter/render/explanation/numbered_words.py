"""Word order in plain text, for a chat: linked words with small numbers, the same on both sides."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kilter.core.links import Link
    from kilter.results.explanation import Explanation

_SMALL = str.maketrans("0123456789", "\u2080\u2081\u2082\u2083\u2084\u2085\u2086\u2087\u2088\u2089")


def numbered_words(
    hypothesis: Sequence[str], reference: Sequence[str], links: Sequence[Link]
) -> tuple[str, str]:
    """Return both sides, linked words numbered in the order of the reference; a word without a partner has no number.

    Words in the right order are numbered from left to right.

    >>> for line in numbered_words(["a", "cat", "I", "see"], ["I", "see", "a", "cat"], [(0, 2), (1, 3), (2, 0)]):
    ...     print(line)
    a₂ cat₃ I₁ see
    I₁ see a₂ cat₃
    """
    linked = sorted({second for _, second in links})
    number = {second: place for place, second in enumerate(linked, start=1)}
    ours: dict[int, list[int]] = {}
    for first, second in sorted(links):
        ours.setdefault(first, []).append(number[second])
    sides = (
        (hypothesis, ours),
        (reference, {second: [place] for second, place in number.items()}),
    )
    left, right = (
        " ".join(word + _small(numbers.get(index, ())) for index, word in enumerate(words))
        for words, numbers in sides
    )
    return left, right


def _small(numbers: Sequence[int]) -> str:
    return ",".join(str(each).translate(_SMALL) for each in numbers)


def numbered_explanation(explanation: Explanation) -> str:
    """Return the lines of a segment: the hypothesis, and beneath it the reference."""
    sides = numbered_words(explanation.hypothesis, explanation.reference, explanation.links)
    head = ""
    if explanation.system is not None and explanation.segment is not None:
        head = f"{explanation.system}, segment {explanation.segment}\n"
    return head + "\n".join(sides) + "\n"

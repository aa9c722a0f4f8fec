"""Reordered sentences as text, tied words in double braces. [FRS]"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from kilter.structures.reordering import Reordering


def reordering_text(words: Sequence[str], groups: Iterable[Sequence[int]]) -> str:
    """Return the words in the order of the groups, groups of two or more as `{{ w w }}`.

    >>> reordering_text(["Tax", "Deduction", "For"], [[2], [0, 1]])
    'For {{ Tax Deduction }}'
    """
    parts = (
        words[group[0]] if len(group) == 1 else f"{{{{ {' '.join(words[k] for k in group)} }}}}"
        for group in groups
    )
    return " ".join(parts)


def write_reorderings(texts: Sequence[Sequence[str]], reordering: Reordering) -> Iterator[str]:
    """Yield one line per segment: its words, reordered."""
    for segment, words in enumerate(texts):
        yield reordering_text(words, reordering.groups(segment))

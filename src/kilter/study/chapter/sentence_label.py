"""What figures call groups of sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kilter.study.analysis.judgment_study import SentenceGroup

_NAMES = {
    "all": "all sentences",
    "translation": "translations",
    "permutation": "permutations",
}


def sentence_label(group: SentenceGroup) -> str:
    """Return a group of sentences in words.

    >>> from kilter.study.analysis.judgment_study import SentenceGroup
    >>> sentence_label(SentenceGroup.SWAP)
    'permutations of type swap'
    """
    return _NAMES.get(str(group), f"permutations of type {group}")

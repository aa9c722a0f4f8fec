"""Words that share most of their characters: specification, section 1.8."""

from __future__ import annotations

import re
import unicodedata
from threading import Lock
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from kilter import _core
from kilter.aligners.offered_pair import OfferedPairs
from kilter.core.letter_case import plain_dots

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.core.link_batch import LinkBatch
    from kilter.core.token_column import TokenColumn, Vocabulary

THRESHOLD = 0.4
"""Similar words share more than this of their letters, each with its neighbours (Dice coefficient)."""
LEAST = 3
"""So many letters they share with both neighbours, or all: *than* and *that*, *der* and *den* share too few."""
HEAD = 2
"""Letters that both words begin with: *happy* is not like *unhappy*."""

_DIGITS = re.compile(r"\d+")
_NUMBER_SIGNS = str.maketrans("", "", ".,'\N{RIGHT SINGLE QUOTATION MARK}")
_SPOKEN = "LMN"


def spoken(form: str) -> str:
    """Return what of a word is compared: letters, marks and digits; of a number all but its separators.

    >>> spoken("co-operate"), spoken("1,000"), spoken("-5"), spoken("...")
    ('cooperate', '1000', '-5', '')
    """
    if form.isalpha():
        return form
    kinds = [unicodedata.category(sign)[0] for sign in form]
    if "L" in kinds or "M" in kinds:
        return "".join([sign for sign, kind in zip(form, kinds, strict=True) if kind in _SPOKEN])
    return form.translate(_NUMBER_SIGNS) if "N" in kinds else ""


def head(form: str, compared: str) -> tuple[str, ...]:
    """Return what two similar words have in common: their first letters, and every run of digits.

    >>> head("1.5", "15") == head("15", "15")
    False
    """
    return (compared[:HEAD],) if form.isalpha() else (compared[:HEAD], *_DIGITS.findall(form))


class _WordForms:
    """What of each word of a vocabulary is compared, found once and kept while the vocabulary grows."""

    def __init__(self, *, fold: bool) -> None:
        self._fold = fold
        self._heads: dict[tuple[str, ...], int] = {}
        self._lock = Lock()
        self._kept = (
            np.zeros(0, dtype=np.int32),
            np.zeros(1, dtype=np.int64),
            np.zeros(0, dtype=np.int32),
        )

    def arrays(
        self, vocabulary: Vocabulary
    ) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int32]]:
        """Return letters, where those of each word begin, and the number of its head, -1 for none."""
        with self._lock:
            letters, offsets, heads = self._kept
            words = vocabulary.words
            if len(heads) < len(words):
                forms = words[len(heads) :]
                if self._fold:
                    turkic = vocabulary.turkic
                    forms = [plain_dots(word, turkic=turkic).casefold() for word in forms]
                compared = [spoken(form) for form in forms]
                numbers = self._heads
                new = [
                    numbers.setdefault(head(form, said), len(numbers)) if said else -1
                    for form, said in zip(forms, compared, strict=True)
                ]
                flat = "".join(compared).encode("utf-32-le", "surrogatepass")
                ends = offsets[-1] + np.cumsum([len(said) for said in compared], dtype=np.int64)
                self._kept = (
                    np.concatenate([letters, np.frombuffer(flat, dtype="<i4").astype(np.int32)]),
                    np.concatenate([offsets, ends]),
                    np.concatenate([heads, np.array(new, dtype=np.int32)]),
                )
            return self._kept


_KEPT: WeakKeyDictionary[Vocabulary, dict[bool, _WordForms]] = WeakKeyDictionary()


def similar_pairs(
    first: TokenColumn,
    second: TokenColumn,
    links: LinkBatch,
    vocabulary: Vocabulary,
    *,
    fold: bool,
    jobs: int,
) -> OfferedPairs:
    """Return the pairs of words without a link that share most of their characters."""
    kept = _KEPT.setdefault(vocabulary, {})
    forms = kept.setdefault(fold, _WordForms(fold=fold))
    cells, offsets, similarity = _core.similar_cells(
        first.ids,
        first.offsets,
        second.ids,
        second.offsets,
        links.links,
        links.offsets,
        *forms.arrays(vocabulary),
        THRESHOLD,
        LEAST,
        jobs,
    )
    return OfferedPairs(cells, offsets, certainty(similarity))


def certainty(similarity: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how many links of this similarity people draw too, as a line near the training part of Edinburgh++.

    >>> certainty(np.array([0.5, 1.0])).tolist()
    [0.575, 0.95]
    """
    return 0.2 + 0.75 * similarity

"""The word matching of RIBES, by context. [Isozaki et al. 2010]"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kilter import _core
from kilter.aligners.aligner import Aligner, check_pairs
from kilter.aligners.word_key import WordKeys, word_keys
from kilter.core.links import LinkBatch
from kilter.core.registry import option

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.aligners.aligner import Progress
    from kilter.core.corpus import TokenColumn, Vocabulary


class RibesCase(StrEnum):
    """Whether texts are lower-cased first, as version 1.03.1 does, or taken as they are."""

    LOWER = "lower"
    KEEP = "keep"


@dataclass(frozen=True, kw_only=True)
class RibesAligner(Aligner):
    """Links a word where the shortest context that holds it is unique in both sentences.

    The context is the word alone, then the word with 1, 2, ... words to its left, or with as many to its
    right, the left one tried first. A hypothesis word has one link or none. A reference word can be
    reached twice: in `x a b a y` and `x a y` both `a` find the same one. With `repeats=false` the first
    link counts, so that links are one-to-one; `repeats=true` keeps both, as the RIBES score does.

    >>> from kilter.core.corpus import Vocabulary
    >>> vocabulary = Vocabulary()
    >>> hypothesis = vocabulary.column(["on the mat sat the cat".split()])
    >>> reference = vocabulary.column(["the cat sat on the mat".split()])
    >>> RibesAligner().align(hypothesis, reference, vocabulary).segment(0)
    [(0, 3), (1, 4), (2, 5), (3, 2), (4, 0), (5, 1)]
    """

    name: ClassVar[str] = "ribes"
    summary: ClassVar[str] = "links by the shortest context that is unique in both sentences"
    monolingual: ClassVar[bool] = True

    case: RibesCase = option(
        RibesCase.LOWER, "lower-case both texts first, or take them as they are"
    )
    repeats: bool = option(default=False, description="keep every link of a reference word")

    def align(
        self,
        first: TokenColumn,
        second: TokenColumn,
        vocabulary: Vocabulary,
        *,
        jobs: int = 1,
        progress: Progress | None = None,
    ) -> LinkBatch:
        """Return the links between the words of each pair of segments."""
        check_pairs(first, second)
        forms = self._forms(vocabulary, first, second)
        _, positions = _core.match_ribes(
            forms[first.ids], first.offsets, forms[second.ids], second.offsets, jobs
        )
        linked = positions >= 0
        within = np.arange(len(positions)) - np.repeat(first.offsets[:-1], first.lengths)
        offsets = np.concatenate([[0], np.cumsum(linked)])[first.offsets].astype(np.int64)
        rows = np.column_stack([within[linked], positions[linked]])
        links = LinkBatch(np.ascontiguousarray(rows, dtype=np.int32), offsets)
        return links if self.repeats else _first_of_each(links)

    def one_to_one(self) -> RibesAligner:
        """Return the aligner that keeps the first link of a reference word."""
        return replace(self, repeats=False)

    def _forms(
        self, vocabulary: Vocabulary, first: TokenColumn, second: TokenColumn
    ) -> NDArray[np.int32]:
        if self.case is RibesCase.KEEP:
            return np.arange(len(vocabulary), dtype=np.int32)
        kept = word_keys(vocabulary, str.lower, lambda: WordKeys(str.lower))
        words = np.zeros(len(vocabulary), dtype=np.bool_)
        words[first.ids] = words[second.ids] = True
        return kept.of(np.flatnonzero(words).astype(np.int32), vocabulary)


def _first_of_each(links: LinkBatch) -> LinkBatch:
    owner = links.segments()
    order = np.lexsort((links.links[:, 0], links.links[:, 1], owner))
    later = np.zeros(len(owner), dtype=np.bool_)
    later[order[1:]] = (np.diff(links.links[order, 1]) == 0) & (np.diff(owner[order]) == 0)
    offsets = np.zeros(len(links) + 1, dtype=np.int64)
    np.cumsum(np.bincount(owner[~later], minlength=len(links)), out=offsets[1:])
    return LinkBatch(links.links[~later], offsets)

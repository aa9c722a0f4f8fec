"""An aligner that says nothing twice: equal pairs once, and from the cache if there is one."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from kilter.aligners.aligner import check_pairs
from kilter.core.corpus import pair_key, segment_keys
from kilter.core.links import LinkBatch, LinkOrigin
from kilter.core.taught_pairs import COLUMNS, TaughtPairs
from kilter.io.cache_rows import CacheRows
from kilter.run.cache.cache_folder import Keep, cache_folder, distinct

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.aligners.aligner import Aligner, Progress
    from kilter.core.corpus import TokenColumn, Vocabulary
    from kilter.run.cache.cache_folder import CacheFolder

KIND = "links"
TAUGHT = "taught"
MILLION = 1_000_000
"""Certainty is kept in millionths, beside the two positions of a link."""


class KeptAligner:
    """An aligner whose links of equal pairs are made once, where they depend on the pair alone."""

    @classmethod
    def of_words(
        cls, aligner: Aligner, cache: str | None, *, tokenizer: str, lowercase: bool
    ) -> KeptAligner:
        """Return one that takes along what was learned from words that were made in the same way."""
        return cls(aligner, cache, words=f"tok:{tokenizer},lowercase:{lowercase}")

    def __init__(self, aligner: Aligner, cache: str | None = None, *, words: str = "") -> None:
        """Take an aligner, and a cache if there is one; `words` says how words were made of texts.

        Pairs of runs whose words were made otherwise teach an aligner nothing.
        """
        self.aligner = aligner
        self.earlier = 0
        """Pairs of earlier runs that an aligner which learns from all has learned from."""
        self._words = words
        self._folder = cache_folder(cache)

    @cached_property
    def _keep(self) -> Keep | None:
        identity = self.aligner.identity()
        columns = 3 if self.aligner.tells_certainty else 2
        return None if identity is None else Keep(KIND, identity, self._folder, columns=columns)

    @property
    def shares(self) -> bool:
        """Whether what it makes of one text can be of use for another."""
        return self._keep is not None

    def forget(self) -> None:
        """Forget what is kept in memory only."""
        if self._keep is not None:
            self._keep.forget()

    def align(
        self,
        first: TokenColumn,
        second: TokenColumn,
        vocabulary: Vocabulary,
        *,
        jobs: int = 1,
        progress: Progress | None = None,
    ) -> LinkBatch:
        """Return what the aligner itself returns."""
        check_pairs(first, second, equal=2**31)  # the aligner itself knows how many it takes
        keep = self._keep
        if self.aligner.learns_from_all and self._folder is not None and self._words:
            return self._learned(self._folder, first, second, vocabulary, jobs)
        if keep is None:
            return self.aligner.align(first, second, vocabulary, jobs=jobs, progress=progress)

        def make(places: NDArray[np.int64]) -> CacheRows:
            made = self.aligner.align(
                first.chosen(places),
                second.chosen(places),
                vocabulary,
                jobs=jobs,
                progress=progress,
            )
            if made.certainty is None:
                return CacheRows((), made.links, made.offsets)
            millionths = np.rint(made.certainty * MILLION).astype(np.int32)
            return CacheRows((), np.column_stack([made.links, millionths]), made.offsets)

        keys = (segment_keys(side, vocabulary) for side in (first, second))
        found = keep.rows([pair_key(*pair) for pair in zip(*keys, strict=True)], make)
        certainty = found.values[:, 2] / MILLION if self.aligner.tells_certainty else None
        rows = np.ascontiguousarray(found.values[:, :2])
        links = LinkBatch(rows, found.offsets, origin=LinkOrigin("the cache"), certainty=certainty)
        links.check(first.lengths, second.lengths)
        return links

    def _learned(
        self,
        folder: CacheFolder,
        first: TokenColumn,
        second: TokenColumn,
        vocabulary: Vocabulary,
        jobs: int,
    ) -> LinkBatch:
        """Return links that are learned from the pairs of earlier runs too, and keep these for later ones.

        Pairs that are at hand count as often as they are here, whatever is kept: the same run again learns the
        same.
        """
        turkic = ",case:turkish" if vocabulary.turkic else ""
        maker = f"{self.aligner.signature()} {self._words}{turkic}"
        rows = folder.rows(TAUGHT, maker, columns=COLUMNS, named=0)
        kept = distinct(rows or CacheRows.empty(COLUMNS, 0))
        sides = (segment_keys(side, vocabulary) for side in (first, second))
        keys = [pair_key(*pair) for pair in zip(*sides, strict=True)]
        here, known = set(keys), set(kept.keys)
        others = [place for place, key in enumerate(kept.keys) if key not in here]
        chosen = kept.chosen(np.array(others, dtype=np.int64))
        earlier = TaughtPairs.of_rows(chosen.values, chosen.offsets)
        earlier.links.check(np.diff(earlier.first_offsets), np.diff(earlier.second_offsets))
        self.earlier = len(earlier)
        links, taught = self.aligner.align_after(first, second, vocabulary, earlier, jobs=jobs)
        new = {key: place for place, key in reversed([*enumerate(keys)]) if key not in known}
        if new:
            values, offsets = taught.chosen(np.array([*new.values()], dtype=np.int64)).rows()
            folder.add(TAUGHT, maker, CacheRows(tuple(new), values, offsets))
        return links

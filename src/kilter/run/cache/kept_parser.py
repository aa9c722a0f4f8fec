"""A parser that says nothing twice: equal segments once, and from the cache if there is one."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.corpus import segment_keys
from kilter.core.errors import InputError
from kilter.io.cache_rows import CacheRows
from kilter.parsers.parser import Parses, parses
from kilter.run.cache.cache_folder import Keep, cache_folder

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.core.corpus import TokenColumn, Vocabulary
    from kilter.parsers.parser import Parser, Progress

KIND = "parses"
_NAMED = 3
"""Label, universal tag and tag of the language: names, after the head of a word."""


class KeptParser:
    """A parser whose trees of equal segments are made once, where they depend on the segment alone."""

    def __init__(self, parser: Parser, cache: str | None = None) -> None:
        self.parser = parser
        self._folder = cache_folder(cache)

    @cached_property
    def _keep(self) -> Keep | None:
        identity = self.parser.identity()
        if identity is None:
            return None
        return Keep(KIND, identity, self._folder, columns=1 + _NAMED, named=_NAMED)

    def forget(self) -> None:
        """Forget what is kept in memory only."""
        if self._keep is not None:
            self._keep.forget()

    def parse(
        self,
        words: TokenColumn,
        vocabulary: Vocabulary,
        *,
        jobs: int = 1,
        progress: Progress | None = None,
    ) -> Parses:
        """Return what the parser itself returns."""
        keep = self._keep
        if keep is None:
            return self.parser.parse(words, vocabulary, jobs=jobs, progress=progress)

        def make(places: NDArray[np.int64]) -> CacheRows:
            part = words.chosen(places)
            return _rows(self.parser.parse(part, vocabulary, jobs=jobs, progress=progress))

        found = keep.rows(segment_keys(words, vocabulary), make)
        if not np.array_equal(found.offsets, words.offsets):
            raise InputError("the cache holds trees of other lengths; clear it")
        heads = np.ascontiguousarray(found.values[:, 0])
        numbers = vocabulary.numbers(found.names)
        labels, tags, own = (
            numbers[found.values[:, place]] if len(numbers) else heads for place in (1, 2, 3)
        )
        return parses(words, vocabulary, heads, labels=labels, tags=tags, language_tags=own)


def _rows(made: Parses) -> CacheRows:
    """Return parses as rows of head, label and both tags."""
    trees = made.trees
    numbers = np.column_stack((trees.labels, trees.tags, made.language_tags))
    used, places = np.unique(numbers, return_inverse=True)
    names = trees.vocabulary.words
    values = np.column_stack((trees.heads, places.reshape(numbers.shape))).astype(np.int32)
    listed = tuple(names[number] for number in used.tolist())
    return CacheRows((), values, trees.offsets, listed, _NAMED)

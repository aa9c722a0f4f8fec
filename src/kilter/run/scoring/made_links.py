"""Links that aligners make of the texts of a corpus, as few of them as it takes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.errors import InputError
from kilter.core.link_batch import LinkBatch
from kilter.core.link_origin import LinkOrigin
from kilter.core.token_column import joined_columns
from kilter.run.cache.kept_aligner import KeptAligner

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kilter.aligners.aligner import Aligner
    from kilter.core.corpus import Corpus, TextColumn
    from kilter.core.token_column import TokenColumn


class MadeLinks:
    """Links by aligner and system. `cache` is a folder that keeps them for other runs, if there is one."""

    def __init__(self, corpus: Corpus, *, jobs: int, cache: str | None = None) -> None:
        self._corpus = corpus
        self._jobs = jobs
        self._cache = cache
        self._aligners: dict[Aligner, KeptAligner] = {}
        self._shared: dict[Aligner, list[tuple[LinkBatch, ...]]] = {}
        self._of_source: dict[tuple[Aligner, TextColumn], LinkBatch] = {}

    def of(self, aligner: Aligner, place: int) -> tuple[LinkBatch, ...]:
        """Return the links of a system, by its place, with each reference.

        An aligner whose links of a pair depend on the pair alone is asked once for all systems, so that
        it need not look at a reference for each of them; so is one that learns from all of them.
        """
        if aligner not in self._aligners:
            self._aligners[aligner] = KeptAligner.of_words(
                aligner,
                self._cache,
                tokenizer=self._corpus.tokenizer,
                lowercase=self._corpus.lowercase,
            )
        kept = self._aligners[aligner]
        if not (kept.shares or aligner.learns_from_all):
            system = self._corpus.systems[place].tokens
            return tuple(
                self._align(kept, system, reference.tokens) for reference in self._corpus.references
            )
        if aligner not in self._shared:
            self._shared[aligner] = list(self._of_all(kept))
        return self._shared[aligner][place]

    def of_source(self, aligner: Aligner, text: TextColumn, sides: tuple[str, str]) -> LinkBatch:
        """Return the links of the source with a system or a reference, as `sides` call them.

        Nothing is kept in a cache, where pairs of one language teach the same aligner.
        """
        source = self._corpus.source
        if source is None:
            raise InputError("there is no source text", where=text.name)
        if (aligner, text) not in self._of_source:
            made = self._align(KeptAligner(aligner), source.tokens, text.tokens)
            origin = LinkOrigin(f"aligner {aligner.name} on {source.name} and {text.name}", sides)
            self._of_source[aligner, text] = replace(made, origin=origin)
        return self._of_source[aligner, text]

    def earlier_pairs(self, aligner: Aligner) -> int:
        """Return how many pairs of earlier runs an aligner has learned from."""
        return self._aligners[aligner].earlier if aligner in self._aligners else 0

    def _align(self, kept: KeptAligner, first: TokenColumn, second: TokenColumn) -> LinkBatch:
        return kept.align(first, second, self._corpus.vocabulary, jobs=self._jobs)

    def _of_all(self, kept: KeptAligner) -> Iterator[tuple[LinkBatch, ...]]:
        systems = [system.tokens for system in self._corpus.systems]
        references = [reference.tokens for reference in self._corpus.references]
        found = self._align(
            kept,
            joined_columns([system for system in systems for _ in references]),
            joined_columns([reference for _ in systems for reference in references]),
        )
        size = len(self._corpus)
        parts = [_part(found, at, at + size) for at in range(0, len(found), size)] if size else []
        for begin in range(0, len(systems) * len(references), len(references)):
            yield tuple(parts[begin : begin + len(references)])


def _part(links: LinkBatch, begin: int, end: int) -> LinkBatch:
    offsets = links.offsets[begin : end + 1]
    rows = links.links[offsets[0] : offsets[-1]]
    bounded = tuple(at - begin for at in links.bounded if begin <= at < end)
    certainty = links.certainty
    return LinkBatch(
        np.ascontiguousarray(rows),
        offsets - offsets[0],
        bounded,
        certainty=None if certainty is None else certainty[offsets[0] : offsets[-1]],
    )

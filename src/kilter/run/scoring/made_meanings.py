"""What word vectors say about the texts of a corpus: asked once for all systems."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.core.corpus import joined_columns
from kilter.core.meaning import MeaningSource
from kilter.parsers.encoder.meaning import EncodedMeanings
from kilter.run.cache.kept_meaning import KeptMeaning

if TYPE_CHECKING:
    from kilter.core.corpus import Corpus, TextColumn
    from kilter.core.meaning import MeaningBatch, MeaningOptions

    Batches = dict[tuple[TextColumn, TextColumn], MeaningBatch]


class MadeMeanings(MeaningSource):
    """Numbers by system and reference. `cache` is a folder that keeps them for other runs, if there is one.

    The first question about any system is answered for all of them, so that every sentence is encoded
    once, and a reference with all that it is compared with.
    """

    def __init__(self, corpus: Corpus, *, jobs: int, cache: str | None = None) -> None:
        self._corpus = corpus
        self._jobs = jobs
        self._cache = cache
        self._made: dict[MeaningOptions, Batches] = {}

    def meaning(
        self, hypothesis: TextColumn, reference: TextColumn, options: MeaningOptions
    ) -> MeaningBatch:
        """Return what is said about a system and a reference; about other texts, it is made anew."""
        if options not in self._made:
            self._made[options] = self._of_all(options)
        found = self._made[options].get((hypothesis, reference))
        if found is not None:
            return found
        encoded = EncodedMeanings(self._corpus.vocabulary, jobs=self._jobs)
        return encoded.meaning(hypothesis, reference, options)

    def _of_all(self, options: MeaningOptions) -> Batches:
        corpus, size = self._corpus, len(self._corpus)
        pairs = [(system, each) for system in corpus.systems for each in corpus.references]
        made = KeptMeaning(options, self._cache).meaning(
            joined_columns([system.tokens for system, _ in pairs]),
            joined_columns([reference.tokens for _, reference in pairs]),
            corpus.vocabulary,
            jobs=self._jobs,
        )
        return {
            pair: made.part(size * place, size * (place + 1)) for place, pair in enumerate(pairs)
        }

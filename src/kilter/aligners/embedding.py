"""Links between words whose vectors are most similar, each the other's best [SimAlign]."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kilter import _core
from kilter.aligners.aligner import Aligner, check_pairs
from kilter.aligners.offered_pair import (
    CONTEXT,
    MODEL_LANGUAGE,
    POSITION,
    mutual_best,
    similarity,
    unit_vectors,
)
from kilter.aligners.offered_pair import WORD_VECTOR_THRESHOLD as THRESHOLD
from kilter.core.links import LinkBatch
from kilter.core.registry import option
from kilter.parsers.encoder.encoder import network_identity
from kilter.parsers.encoder.meaning import SentencePairs
from kilter.parsers.encoder.model_folder import model_folder

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.aligners.aligner import Progress
    from kilter.core.corpus import TokenColumn, Vocabulary

    Floats = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class Embedding(Aligner):
    """Links words that are each other's most similar one, by vectors of the embedded English model.

    The similarity of two words is the cosine of their vectors, plus `context` times the mean cosine of
    the words before and of the words after them, less `position` times the distance of their relative
    places. The small terms tell repeated words apart. A word has at most one link.
    """

    name: ClassVar[str] = "embedding"
    summary: ClassVar[str] = "links between most similar words, English (needs kilter[parse])"
    monolingual: ClassVar[bool] = True
    only_language: ClassVar[str | None] = MODEL_LANGUAGE
    places: ClassVar[frozenset[str]] = frozenset({"folder"})

    context: float = option(CONTEXT, "weight of the neighbours' similarity", low=0.0, high=1.0)
    position: float = option(POSITION, "weight of the distance of places", low=0.0, high=1.0)
    threshold: float = option(THRESHOLD, "least similarity of a link", low=-1.0, high=2.0)
    folder: str = option("", "folder of another model; empty: the installed one")

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
        check_pairs(first, second, every=True)
        rows: list[NDArray[np.int32]] = [np.zeros((0, 2), dtype=np.int32)] * len(first)

        def vectors(column: TokenColumn) -> Floats:
            return unit_vectors(column, vocabulary, folder=self.folder, jobs=jobs)

        for block in SentencePairs(first, second).blocks(vectors):
            used = zip(block.places.tolist(), *block.sentences.tolist(), strict=True)
            for place, one, other in used:
                rows[place] = self._links(block.vectors[one], block.vectors[other])
            if progress is not None:
                progress(block.done, len(first))
        counts = np.array([len(links) for links in rows], dtype=np.int64)
        flat = np.concatenate([np.zeros((0, 2), dtype=np.int32), *rows])
        return LinkBatch(flat, np.concatenate([[0], np.cumsum(counts)]))

    def signature(self) -> str:
        """Return the name with every option and the version of the model."""
        options = self.options()
        folder = options.pop("folder")
        listed = "".join(f"{name}:{value}," for name, value in options.items())
        return f"{self.name}({listed}{model_folder(folder).signature(folder)})"

    def identity(self) -> str:
        """Return options and model: links of a pair depend on nothing else."""
        options = self.options()
        folder = options.pop("folder")
        listed = "".join(f"{name}:{value}," for name, value in options.items())
        return f"{self.name}({listed}{network_identity(folder)})"

    def _links(self, first: Floats, second: Floats) -> NDArray[np.int32]:
        if not len(first) or not len(second):
            return np.zeros((0, 2), dtype=np.int32)
        cosines = _core.row_products(first, second)
        similar = similarity(cosines, context=self.context, position=self.position)
        return mutual_best(similar, threshold=self.threshold)

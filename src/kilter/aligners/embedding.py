"""Links between words whose vectors are most similar, each the other's best [SimAlign]."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kilter.aligners.aligner import Aligner, check_pairs
from kilter.encoder.encoder import load_encoder
from kilter.options.configured import option
from kilter.structures.link.link_batch import LinkBatch
from kilter.structures.text.token_column import TokenColumn

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.aligners.aligner import Progress
    from kilter.structures.text.token_column import Vocabulary

    Floats = NDArray[np.float32]

BLOCK = 1000
"""Pairs whose vectors are in memory at once."""


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
    only_language: ClassVar[str | None] = "en"

    context: float = option(0.3, "weight of the neighbours' similarity", low=0.0, high=1.0)
    position: float = option(0.05, "weight of the distance of places", low=0.0, high=1.0)
    threshold: float = option(0.6, "least similarity of a link", low=-1.0, high=2.0)
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
        check_pairs(first, second)
        rows: list[NDArray[np.int32]] = []
        counts = np.zeros(len(first), dtype=np.int64)
        for begin in range(0, len(first), BLOCK):
            blocks = [_block(side, begin, begin + BLOCK) for side in (first, second)]
            vectors = [self._vectors(block, vocabulary, jobs=jobs) for block in blocks]
            for segment in range(len(blocks[0])):
                one, other = (
                    found[block.offsets[segment] : block.offsets[segment + 1]]
                    for block, found in zip(blocks, vectors, strict=True)
                )
                links = self._links(one, other)
                rows.append(links)
                counts[begin + segment] = len(links)
            if progress is not None:
                progress(min(begin + BLOCK, len(first)), len(first))
        flat = np.concatenate([np.zeros((0, 2), dtype=np.int32), *rows])
        return LinkBatch(flat, np.concatenate([[0], np.cumsum(counts)]))

    def signature(self) -> str:
        """Return the name with every option and the version of the model."""
        options = self.options()
        folder = options.pop("folder")
        listed = "".join(f"{name}:{value}," for name, value in options.items())
        return f"{self.name}({listed}{load_encoder(folder).folder.signature(folder)})"

    def _vectors(self, words: TokenColumn, vocabulary: Vocabulary, *, jobs: int) -> Floats:
        """Return vectors of length 1, one row for each word."""
        encoder = load_encoder(self.folder)
        vectors = np.zeros((len(words.ids), encoder.width), dtype=np.float32)
        for answer in encoder.answers(words, vocabulary, ("vector",), jobs=jobs):
            for place, window in enumerate(answer.windows):
                start = int(words.offsets[window.segment]) + window.start
                rows = slice(int(answer.offsets[place]), int(answer.offsets[place + 1]))
                vectors[start : start + window.stop - window.start] = answer.arrays["vector"][rows]
        norms = np.linalg.norm(vectors, axis=1, keepdims=True).astype(np.float32)
        vectors /= np.maximum(norms, np.float32(1e-12))
        return vectors

    def _links(self, first: Floats, second: Floats) -> NDArray[np.int32]:
        if not len(first) or not len(second):
            return np.zeros((0, 2), dtype=np.int32)
        similar = self._similarity(first @ second.T)
        best, back = similar.argmax(1), similar.argmax(0)
        rows = np.arange(len(first))
        kept = (back[best] == rows) & (similar[rows, best] >= self.threshold)
        return np.column_stack((rows[kept], best[kept])).astype(np.int32)

    def _similarity(self, cosines: Floats) -> NDArray[np.float64]:
        rows, columns = (np.arange(size) / size for size in cosines.shape)
        distances = np.abs(rows[:, None] - columns)
        similar: NDArray[np.float64] = cosines - self.position * distances
        similar[1:, 1:] += self.context / 2 * cosines[:-1, :-1]
        similar[:-1, :-1] += self.context / 2 * cosines[1:, 1:]
        return similar


def _block(column: TokenColumn, begin: int, end: int) -> TokenColumn:
    offsets = column.offsets[begin : end + 1]
    return TokenColumn(column.ids[offsets[0] : offsets[-1]], offsets - offsets[0])

"""Links between words whose vectors are most similar, each the other's best [SimAlign]."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kilter import _core
from kilter.aligners.aligner import Aligner, check_pairs
from kilter.encoder.encoder import load_encoder, network_identity
from kilter.encoder.model_folder import model_folder
from kilter.options.configured import option
from kilter.structures.link.link_batch import LinkBatch
from kilter.structures.text.token_column import TokenColumn, distinct_segments, joined_columns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from kilter.aligners.aligner import Progress
    from kilter.structures.text.token_column import Vocabulary

    Floats = NDArray[np.float32]

BLOCK = 50_000
"""Words that are encoded at once; the vectors of so many take 77 MB."""
WAITING = 200_000
"""Words whose vectors may wait for another block. Beyond that, sentences are encoded again."""


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
    places: ClassVar[frozenset[str]] = frozenset({"folder"})

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
        pairs = _Pairs(first, second)
        known: dict[int, Floats] = {}
        rows: list[NDArray[np.int32]] = [np.zeros((0, 2), dtype=np.int32)] * len(first)
        for begin, end in pairs.blocks():
            block = pairs.order[begin:end]
            used = pairs.sentences[:, block]
            self._encode(pairs, np.unique(used), known, vocabulary, jobs=jobs)
            for place, one, other in zip(block.tolist(), *used.tolist(), strict=True):
                rows[place] = self._links(known[one], known[other])
            pairs.forget(known, end)
            if progress is not None:
                progress(end, len(first))
        counts = np.array([len(links) for links in rows], dtype=np.int64)
        flat = np.concatenate([np.zeros((0, 2), dtype=np.int32), *rows])
        return LinkBatch(flat, np.concatenate([[0], np.cumsum(counts)]))

    def _encode(
        self,
        pairs: _Pairs,
        sentences: NDArray[np.int64],
        known: dict[int, Floats],
        vocabulary: Vocabulary,
        *,
        jobs: int,
    ) -> None:
        """Add the vectors of sentences that are not known yet."""
        new = np.array([number for number in sentences.tolist() if number not in known], np.int64)
        column = pairs.texts.chosen(pairs.first_place[new])
        vectors = self._vectors(column, vocabulary, jobs=jobs)
        for place, number in enumerate(new.tolist()):
            known[number] = vectors[column.offsets[place] : column.offsets[place + 1]]

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
        similar = self._similarity(_core.row_products(first, second))
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


class _Pairs:
    """Pairs of sentences in an order that lets few vectors wait: pairs with one second sentence together."""

    def __init__(self, first: TokenColumn, second: TokenColumn) -> None:
        self.texts = joined_columns([first, second])
        numbers, self.first_place = distinct_segments(self.texts)
        self.sentences = numbers.reshape(2, -1)
        """The numbers of both sentences of each pair; equal ones have the same."""
        self.order = np.lexsort(self.sentences)
        ordered = self.sentences[:, self.order]
        places = np.arange(len(self.order))
        self._first_use = np.full(len(self.first_place), len(self.order))
        self._last_use = np.zeros(len(self.first_place), dtype=np.int64)
        for side in ordered:
            np.minimum.at(self._first_use, side, places)
            np.maximum.at(self._last_use, side, places)
        self._sizes = self.texts.lengths[self.first_place]

    def blocks(self) -> Iterator[tuple[int, int]]:
        """Yield spans of the order with about `BLOCK` words of new sentences each."""
        new = np.bincount(self._first_use, self._sizes, minlength=len(self.order))
        # Known sentences count a little, so that a block of nothing else ends too.
        all_words = self._sizes[self.sentences[:, self.order]].sum(0)
        number = np.cumsum(new + all_words / 16) // BLOCK
        borders = np.flatnonzero(np.diff(number)) + 1
        yield from pairwise([0, *borders.tolist(), len(self.order)] if len(self.order) else [])

    def forget(self, known: dict[int, Floats], end: int) -> None:
        """Leave the vectors that pairs from `end` on need; none, if they are too many to wait."""
        for number in list(known):
            if self._last_use[number] < end:
                del known[number]
        if sum(map(len, known.values())) > WAITING:
            known.clear()
        for number, vectors in known.items():
            known[number] = vectors.copy()  # a part would hold all of its block in memory

"""The embedded English parser: arc scores of the network, decoded to the best tree [DM] [CLE]."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kilter import _core
from kilter.core.dependency_tree import ROOT
from kilter.core.registry import option
from kilter.parsers.encoder.encoder import Encoder, load_encoder, network_identity
from kilter.parsers.encoder.model_folder import model_folder
from kilter.parsers.parser import ROOT_LABEL, Parser, Parses, parses

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.core.corpus import TokenColumn, Vocabulary
    from kilter.parsers.encoder.encoder import EncoderOutput
    from kilter.parsers.parser import Progress

OUTPUTS = ("dependent", "head", "sum1", "sum2", "product1", "product2", "upos", "xpos")
JOINED = "parataxis"
"""The label of the root of a later window of a line that is too long for the network."""


@dataclass(frozen=True, kw_only=True)
class Model(Parser):
    """The parser of the distribution kilter-model-en: English, no network, no torch."""

    name: ClassVar[str] = "model"
    summary: ClassVar[str] = "embedded English model, universal dependencies (needs kilter[parse])"

    only_language: ClassVar[str | None] = "en"
    places: ClassVar[frozenset[str]] = frozenset({"folder"})

    folder: str = option("", "folder of another model; empty: the installed one")

    def parse(
        self,
        words: TokenColumn,
        vocabulary: Vocabulary,
        *,
        jobs: int = 1,
        progress: Progress | None = None,
    ) -> Parses:
        """Return the trees; a line of more than 510 pieces is parsed in windows and joined."""
        encoder = load_encoder(self.folder)
        decoder = _Decoder(encoder, words)
        for answer in encoder.answers(words, vocabulary, OUTPUTS, jobs=jobs, progress=progress):
            decoder.add(answer)
        decoder.join_windows()
        return parses(
            words,
            vocabulary,
            decoder.heads,
            labels=vocabulary.numbers(decoder.label_names)[decoder.labels],
            tags=vocabulary.numbers(encoder.names("upos"))[decoder.upos],
            language_tags=vocabulary.numbers(encoder.names("xpos"))[decoder.xpos],
        )

    def signature(self) -> str:
        """Return the name with the version of the model."""
        return f"{self.name}({model_folder(self.folder).signature(self.folder)})"

    def identity(self) -> str:
        """Return the model: the tree of a segment depends on nothing else."""
        return f"{self.name}({network_identity(self.folder)})"


def _place(encoder: Encoder, names: list[str], name: str) -> int:
    if name not in names:
        raise encoder.folder.damaged(f"{name} is not among its labels")
    return names.index(name)


class _Decoder:
    """Collects heads, labels and tags, one entry for each word of the column."""

    def __init__(self, encoder: Encoder, words: TokenColumn) -> None:
        count = len(words.ids)
        self.heads = np.zeros(count, dtype=np.int32)
        self.labels, self.upos, self.xpos = (np.zeros(count, dtype=np.int64) for _ in range(3))
        matrix = encoder.matrix("labels.npy")
        self.label_names = encoder.folder.names("labels", len(matrix))
        self._joined, self._root = (
            _place(encoder, self.label_names, name) for name in (JOINED, ROOT_LABEL)
        )
        self._weights, self._bias = matrix[:, :-1].copy(), matrix[:, -1].copy()
        # The root has its label for itself.
        self._bias[self._root] = -np.inf
        self._offsets = words.offsets
        self._later: list[tuple[int, int]] = []

    def add(self, answer: EncoderOutput) -> None:
        """Decode some windows."""
        said, windows = answer.arrays, answer.windows
        lengths = np.diff(answer.offsets)
        root = said["head"][-1:]
        arcs = [
            _core.row_products(
                said["dependent"][begin:end], np.concatenate((root, said["head"][begin:end]))
            )
            for begin, end in pairwise(answer.offsets.tolist())
        ]
        flat = np.concatenate([table.ravel() for table in arcs]).astype(np.float64)
        heads = _core.spanning_trees(flat, lengths)
        begins = np.repeat(answer.offsets[:-1], lengths)
        starts = np.array([window.start for window in windows], dtype=np.int64)
        segments = np.array([window.segment for window in windows], dtype=np.int64)
        firsts = self._offsets[segments] + starts
        at = np.arange(len(heads)) + np.repeat(firsts - answer.offsets[:-1], lengths)
        self.heads[at] = np.where(heads == ROOT, ROOT, heads + np.repeat(starts, lengths))
        self.labels[at] = self._labels(said, heads, begins)
        self.upos[at] = said["upos"][:-1].argmax(1)
        self.xpos[at] = said["xpos"][:-1].argmax(1)
        for place in np.flatnonzero(starts).tolist():
            begin, end = answer.offsets[place : place + 2].tolist()
            found = int(np.flatnonzero(heads[begin:end] == ROOT)[0])
            self._later.append((windows[place].segment, int(firsts[place]) + found))

    def _labels(
        self,
        said: dict[str, NDArray[np.float32]],
        heads: NDArray[np.int32],
        begins: NDArray[np.int64],
    ) -> NDArray[np.int64]:
        rows = np.where(heads == ROOT, len(said["head"]) - 1, heads + begins)
        added = np.maximum(said["sum1"][:-1] + said["sum2"][rows], 0)
        both = np.hstack((added, said["product1"][:-1] * said["product2"][rows]))
        labels: NDArray[np.int64] = (_core.row_products(both, self._weights) + self._bias).argmax(1)
        labels[heads == ROOT] = self._root
        return labels

    def join_windows(self) -> None:
        """Hang the roots of later windows from the root of the first window of their segment."""
        for segment, place in self._later:
            begin = int(self._offsets[segment])
            end = int(self._offsets[segment + 1])
            first = int(np.flatnonzero(self.heads[begin:end] == ROOT)[0])
            self.heads[place] = first
            self.labels[place] = self._joined

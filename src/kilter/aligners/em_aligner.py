"""What the statistical aligners share: they learn from the text that they align, or from a file."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, TypeAlias

import numpy as np

from kilter import _core
from kilter._core import Decoding
from kilter.aligners.aligner import Aligner, check_pairs
from kilter.aligners.em_model import (
    UNSEEN,
    EmModel,
    TranslationTable,
    checksum,
    load,
    numbered,
    save,
    words_of,
)
from kilter.core.corpus import TokenColumn
from kilter.core.errors import InputError, OptionError
from kilter.core.link_rule import Symmetrization
from kilter.core.registry import option
from kilter.io.output import check_output
from kilter.io.stream import exists

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from kilter.core.corpus import Vocabulary
    from kilter.core.links import LinkBatch

    Matrix = NDArray[np.float64]


def with_certainty(
    links: LinkBatch,
    model: EmModel,
    first: TokenColumn,
    second: TokenColumn,
    vocabulary: Vocabulary,
    *,
    decoding: Decoding,
) -> LinkBatch:
    """Return links with how certain each is: the geometric mean of its posteriors in both directions.

    A posterior is the probability that a word is linked with this word of the other text, under everything
    else that the words of the pair may be linked with, nothing among it.
    """
    one = numbered(first, vocabulary, model.first_words, lowercase=model.lowercase)
    two = numbered(second, vocabulary, model.second_words, lowercase=model.lowercase)
    ahead = _Direction(model, model.forward, decoding)
    back = _Direction(model, model.reverse, decoding)
    certainty = np.empty(len(links.links))
    for segment in range(len(links)):
        rows = slice(int(links.offsets[segment]), int(links.offsets[segment + 1]))
        if rows.start == rows.stop:
            continue
        left, right = (
            words[int(column.offsets[segment]) : int(column.offsets[segment + 1])]
            for words, column in ((one, first), (two, second))
        )
        pairs = links.links[rows]
        forward = ahead.posteriors(left, right)[pairs[:, 1], pairs[:, 0]]
        reverse = back.posteriors(right, left)[pairs[:, 0], pairs[:, 1]]
        certainty[rows] = np.sqrt(forward) * np.sqrt(reverse)
    smallest = np.finfo(np.float64).tiny
    return replace(links, certainty=np.clip(certainty, smallest, 1.0))


class _Direction:
    """One direction of a model: words of its targets are made by words of its source, or by none."""

    def __init__(self, model: EmModel, table: TranslationTable, decoding: Decoding) -> None:
        self._null, self._uniform = model.null, model.uniform
        self._is_chain = decoding is not Decoding.MODEL1
        self._table = table
        self._rows: dict[int, dict[int, float]] = {}
        self._moves: dict[int, Matrix] = {}

    def posteriors(self, source: NDArray[np.int32], target: NDArray[np.int32]) -> Matrix:
        """Return for each target word, row by row, the probability of each source word."""
        emissions = np.array([[self._probability(i, j) for i in source + 1] for j in target])
        nulls = np.array([self._probability(0, j) for j in target])
        if self._is_chain:
            return self._chained(emissions, nulls)
        total = emissions.sum(axis=1) + nulls
        shares: Matrix = emissions / total[:, np.newaxis]
        return shares

    def _probability(self, row: int, word: int) -> float:
        """Return p(word | word of a row), row 0 for NULL; what was never seen is as improbable as can be."""
        if row not in self._rows:
            begin, end = self._table.offsets[row : row + 2].tolist()
            targets = self._table.targets[begin:end].tolist()
            values = self._table.probabilities[begin:end].tolist()
            self._rows[row] = dict(zip(targets, values, strict=True))
        return max(self._rows[row].get(word, UNSEEN), UNSEEN)

    def _transitions(self, size: int) -> Matrix:
        """Return the probability of moves to each position, from each one and, row 0, from the beginning."""
        if size not in self._moves:
            reach = len(self._table.jumps) // 2
            jumps = np.arange(size)[np.newaxis, :] - np.arange(-1, size)[:, np.newaxis]
            weights = self._table.jumps[np.clip(jumps, -reach, reach) + reach]
            shares = weights / weights.sum(axis=1, keepdims=True)
            self._moves[size] = (1 - self._uniform) * shares + self._uniform / size
        return self._moves[size]

    def _chained(self, emissions: Matrix, nulls: Matrix) -> Matrix:
        """Return posteriors of the hidden Markov model, by one pass forward and one backward."""
        moves = self._transitions(emissions.shape[1])
        memory = np.zeros(emissions.shape[1] + 1)
        memory[0] = 1.0
        reals, scales = [], []
        for row, null in zip(emissions, nulls, strict=True):
            real = (memory @ moves) * (1 - self._null) * row
            memory = self._null * null * memory
            memory[1:] += real
            scales.append(memory.sum())
            memory = memory / scales[-1]
            reals.append(real / scales[-1])
        backward = np.ones(emissions.shape[1] + 1)
        found = np.empty_like(emissions)
        for j in range(len(emissions) - 1, -1, -1):
            found[j] = reals[j] * backward[1:]
            onward = (1 - self._null) / scales[j] * emissions[j] * backward[1:]
            backward = moves @ onward + self._null * nulls[j] / scales[j] * backward
        return found


Progress: TypeAlias = Callable[[int, int], None]
"""Called after each iteration with its number, from 1, and the number of iterations."""

REACH = 20
"""Longer jumps share one weight per direction: a thousand sentences hold too few of them to count."""
CACHED_CELLS = 1 << 25
"""Pairs of word tokens whose place in the table is remembered (4 bytes each and direction)."""


@dataclass(frozen=True, kw_only=True)
class EmAligner(Aligner):
    """An aligner that learns by expectation-maximisation, in both directions."""

    monolingual: ClassVar[bool] = False
    places: ClassVar[frozenset[str]] = frozenset({"model"})
    null: ClassVar[float] = 0.2
    """Probability of a word without a link in the hidden Markov model [ON]."""
    uniform: ClassVar[float] = 0.1
    """Share of its jumps that go anywhere in the sentence."""

    symmetrize: Symmetrization = option(
        Symmetrization.GROW_DIAG_FINAL_AND, "how the links of both directions become one set"
    )
    lowercase: bool = option(True, "whether words that differ in case only are the same word")
    model: str = option("", "file of a trained model: used if it exists, else written")

    after_training: ClassVar[frozenset[str]] = frozenset({"symmetrize", "links", "model"})
    """Options that training does not look at; a model serves every value of them."""

    @property
    def blocks(self) -> bool:
        """Whether texts may be aligned block by block: those that a model is learned from may not."""
        return bool(self.model) and exists(self.model)

    @abstractmethod
    def _iterate(self, trainer: _core.EmTrainer) -> Iterator[None]:
        """Run the iterations, one for each value."""

    @abstractmethod
    def _iterations(self) -> int:
        """Return the number of iterations."""

    @abstractmethod
    def _decoding(self) -> Decoding:
        """Return how links are read off the model."""

    def train(
        self,
        first: TokenColumn,
        second: TokenColumn,
        vocabulary: Vocabulary,
        *,
        extra: tuple[TokenColumn, TokenColumn] | None = None,
        progress: Progress | None = None,
        jobs: int = 1,
    ) -> EmModel:
        """Return a model of two texts, and of more sentence pairs if there are any.

        The result is the same, bit for bit, for every number of jobs. A pair of texts without any
        word gives a model that knows no word.
        """
        check_pairs(first, second, every=True)
        if extra is not None:
            check_pairs(*extra, every=True)
            first, second = _joined(first, extra[0]), _joined(second, extra[1])
        first_words, second_words = (
            words_of(side, vocabulary, lowercase=self.lowercase) for side in (first, second)
        )
        trainer = _core.EmTrainer(
            numbered(first, vocabulary, first_words, lowercase=self.lowercase),
            first.offsets,
            numbered(second, vocabulary, second_words, lowercase=self.lowercase),
            second.offsets,
            len(first_words),
            len(second_words),
            REACH,
            CACHED_CELLS,
            jobs,
        )
        for number, _ in enumerate(self._iterate(trainer), start=1):
            if progress is not None:
                progress(number, self._iterations())
        return EmModel(
            kind=self.name,
            lowercase=self.lowercase,
            training=self._training(),
            first_words=first_words,
            second_words=second_words,
            forward=TranslationTable.trained(trainer, 0),
            reverse=TranslationTable.trained(trainer, 1),
            null=self.null,
            uniform=self.uniform,
        )

    def align(
        self,
        first: TokenColumn,
        second: TokenColumn,
        vocabulary: Vocabulary,
        *,
        jobs: int = 1,
        extra: tuple[TokenColumn, TokenColumn] | None = None,
        progress: Progress | None = None,
    ) -> LinkBatch:
        """Return the links between the words of each pair of segments.

        Trains on these pairs and on `extra` pairs, unless `model` names a file that exists.
        """
        model = self._ready(first, second, vocabulary, extra=extra, progress=progress, jobs=jobs)
        return self.links_by(model, first, second, vocabulary, jobs=jobs)

    def align_with_certainty(
        self,
        first: TokenColumn,
        second: TokenColumn,
        vocabulary: Vocabulary,
        *,
        jobs: int = 1,
        progress: Progress | None = None,
    ) -> LinkBatch:
        """Return the same links with how certain each is, which takes longer."""
        model = self._ready(first, second, vocabulary, extra=None, progress=progress, jobs=jobs)
        return self.links_by(model, first, second, vocabulary, certainty=True, jobs=jobs)

    def links_by(
        self,
        model: EmModel,
        first: TokenColumn,
        second: TokenColumn,
        vocabulary: Vocabulary,
        *,
        certainty: bool = False,
        jobs: int = 1,
    ) -> LinkBatch:
        """Return the links that a model finds, each pair of segments by itself."""
        check_pairs(first, second, every=True)
        rule, decoding = self.symmetrize, self._decoding()
        links = model.links(first, second, vocabulary, decoding=decoding, rule=rule, jobs=jobs)
        if not certainty:
            return links
        return with_certainty(links, model, first, second, vocabulary, decoding=decoding)

    def _ready(
        self,
        first: TokenColumn,
        second: TokenColumn,
        vocabulary: Vocabulary,
        *,
        extra: tuple[TokenColumn, TokenColumn] | None,
        progress: Progress | None,
        jobs: int,
    ) -> EmModel:
        """Return the model of a file if there is one, or else train one, and write it if asked to."""
        check_pairs(first, second, every=True)
        if self.model and exists(self.model):
            if extra is not None:
                raise OptionError(
                    f"{self.name}: the model {self.model} is used as it is; extra pairs need a new one"
                )
            return self.loaded()
        if self.model:
            check_output(self.model)
        model = self.train(first, second, vocabulary, extra=extra, progress=progress, jobs=jobs)
        if self.model:
            save(model, self.model)
        return model

    def check_pairs_of_texts(self, count: int) -> None:
        """Raise an `OptionError` where a model of the first pair would serve the others too."""
        if self.model and count > 1 and not exists(self.model):
            raise OptionError(
                f"{self.name}: there is no model {self.model}, and {count} pairs of texts would share "
                "the one of the first; train it before with kilter align, or leave out model"
            )

    def signature(self) -> str:
        """Return the name with every option; a model file is known by a checksum of what it holds."""
        whole = super().signature()
        if not (self.model and exists(self.model)):
            return whole
        return whole.replace(f"model:{self.model}", f"model:{self.model}#{checksum(self.model)}")

    def one_to_one(self) -> EmAligner:
        """Return the aligner that keeps the links on which both directions agree."""
        return replace(self, symmetrize=Symmetrization.INTERSECTION)

    def loaded(self) -> EmModel:
        """Return the model of the file; one of other options is an `InputError`."""
        model = load(self.model)
        if model.kind != self.name:
            raise InputError(
                f"this is a model of the aligner {model.kind}, not of {self.name}", where=self.model
            )
        if model.training != self._training():
            asked = self._training().split(",")
            other = [made for made in model.training.split(",") if made not in asked]
            raise InputError(
                f"the model was made with {','.join(other)}; ask for the same, or name a file that does "
                "not exist yet",
                where=self.model,
            )
        return model

    def _training(self) -> str:
        """Return the options that decide what is learned."""
        options = self.options().items()
        return ",".join(f"{k}={value}" for k, value in options if k not in self.after_training)


def _joined(one: TokenColumn, other: TokenColumn) -> TokenColumn:
    return TokenColumn(
        np.concatenate([one.ids, other.ids]),
        np.concatenate([one.offsets, one.offsets[-1] + other.offsets[1:]]),
    )

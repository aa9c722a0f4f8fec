"""What the statistical aligners share: they learn from the text that they align, or from a file."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, TypeAlias

import numpy as np

from kilter import _core
from kilter.aligners.aligner import Aligner, check_pairs
from kilter.aligners.em_certainty import with_certainty
from kilter.aligners.em_model import Decoding, EmModel, TranslationTable, numbered, words_of
from kilter.aligners.em_model_file import checksum, load, save
from kilter.core.configured import option
from kilter.core.errors import InputError, OptionError
from kilter.core.symmetrization import Symmetrization
from kilter.core.token_column import TokenColumn
from kilter.io.file_status import exists
from kilter.io.output import check_output

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kilter.core.link_batch import LinkBatch
    from kilter.core.token_column import Vocabulary

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

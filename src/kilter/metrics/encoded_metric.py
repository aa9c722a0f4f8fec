"""A metric of links that looks at the word vectors of a model instead, where there is one for the language."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from kilter.metrics.metric import LinkUse, Metric
from kilter.metrics.word_model import WordModel

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from kilter.structures.link.meaning_source import MeaningOptions

WEIGHTS_HELP = "file of weights that `kilter tune --weights` wrote; else those of the package"


@dataclass(frozen=True, kw_only=True)
class EncodedMetric(Metric):
    """A metric with an option `encoder`, and with `needs` of its own where that is none."""

    link_use: ClassVar[LinkUse] = LinkUse.ORDER
    averages: ClassVar[bool] = True
    by_language: ClassVar[frozenset[str]] = frozenset({"encoder"})
    places: ClassVar[frozenset[str]] = frozenset({"weights"})

    @property
    @abstractmethod
    def encoder(self) -> WordModel:
        """The model whose word vectors are looked at; an option, which each metric describes itself."""

    @property
    @abstractmethod
    def weights(self) -> str:
        """The file of fitted weights, or nothing for those of the package; an option too."""

    def signed_options(self) -> dict[str, str]:
        """Return all options but the file: a signature says its version and checksum instead."""
        return {name: value for name, value in self.options().items() if name != "weights"}

    @classmethod
    def language_options(cls, language: str) -> dict[str, str]:
        """Return the model of the language, where there is one.

        >>> EncodedMetric.language_options("en"), EncodedMetric.language_options("de")
        ({'encoder': 'en'}, {})
        """
        return {"encoder": language} if language == WordModel.EN else {}

    def meaning_options(self) -> MeaningOptions | None:
        """Return how soft links are made, with a model."""
        return self.encoder.meaning_options()

    def needed(self, offered: AbstractSet[str]) -> tuple[str, ...]:
        """Return what is looked at without a model, or word vectors."""
        return self.needs if self.encoder is WordModel.NONE else ("words", "meaning")

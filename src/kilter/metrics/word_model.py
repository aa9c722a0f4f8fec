"""The model of a language whose word vectors a metric looks at, or none."""

from __future__ import annotations

from enum import StrEnum

from kilter.core.meaning import MeaningOptions


class WordModel(StrEnum):
    """Whose word vectors are looked at: nobody's, or those of the embedded English model."""

    NONE = "none"
    EN = "en"

    def meaning_options(self) -> MeaningOptions | None:
        """Return how soft links are made of word vectors; None without any."""
        return None if self is WordModel.NONE else MeaningOptions()

"""Weights of the parts of a score, as they were fitted on judgments, and what words tell."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.errors import InputError
from kilter.metrics.weight_file import packaged, weight_file
from kilter.results.measure import ORDER

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from kilter.core.corpus import Vocabulary
    from kilter.metrics.word_model import WordModel

    Floats = NDArray[np.float64]

USUAL_LENGTH = 20.0
"""Words of a usual reference."""
POWER = 1.5
LEAST = 0.02
"""What a word of every sentence tells, so that it counts a little."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FittedWeights:
    """The weights of the parts by name, in their order; they add up to 1. `fitted_on` says on what.

    `order` is the factor of disorder. `slopes` say how fast agreement of judges rises with the difference of two
    outputs, for a sentence of the usual length and by the logarithm of its length; None in a file that does not tell.
    """

    version: str
    fitted_on: str
    slopes: tuple[float, float] | None
    parts: Mapping[str, float]
    order: float

    def margins(self, lengths: NDArray[np.int64]) -> Floats | None:
        """Return the difference that three of four judges agreed with, for references of so many words.

        ln 3 / (slope + slope by length x ln(words / 20)): judges agree sooner on long sentences.
        """
        if self.slopes is None:
            return None
        usual, by_length = self.slopes
        steep = usual + by_length * np.log(np.maximum(lengths, 1) / USUAL_LENGTH)
        margins: Floats = np.log(3.0) / steep
        return margins

    def scaled(self, factors: Mapping[str, float]) -> dict[str, float]:
        """Return the weights times a factor for each part, so that they add up to 1 again.

        Where all parts have the factor 0, all weights are 0.
        """
        if all(factors[name] == 1.0 for name in self.parts):
            return dict(self.parts)
        scaled = _adding_up([weight * factors[name] for name, weight in self.parts.items()])
        return dict(zip(self.parts, scaled, strict=True))


def _adding_up(weights: Sequence[float]) -> list[float]:
    """Return weights divided by their sum; the largest takes what rounding leaves, so that they add up to 1."""
    total = sum(weights)
    if not total > 0.0:
        return [0.0] * len(weights)
    shares = [weight / total for weight in weights]
    largest = shares.index(max(shares))
    for _ in range(4):
        shares[largest] += 1.0 - sum(shares)
    return shares


def fitted_weights(encoder: WordModel, path: str = "") -> FittedWeights:
    """Return the weights without a model, or with one, of the package or of a file."""
    file = weight_file(path)
    parts = file.weights.get(encoder)
    if parts is None:
        raise InputError(
            f"has no weights of encoder {encoder}; fit some with kilter tune, or choose another encoder",
            where=path,
        )
    return FittedWeights(
        version=file.label,
        fitted_on=file.fitted_on,
        slopes=file.margins.get(encoder),
        parts={name: weight for name, weight in parts.items() if name != ORDER},
        order=parts.get(ORDER, 1.0),
    )


@cache
def _sentences_by_word() -> tuple[int, dict[str, int]]:
    """Return how many sentences were counted, and in how many of them each word is; rarer ones are left out."""
    found = packaged("words-en.json")
    listed = {
        word: int(count) for count, words in found["words"].items() for word in words.split(" ")
    }
    return found["sentences"], listed


def word_information(vocabulary: Vocabulary) -> Floats:
    """Return what each word of a vocabulary tells: idf^1.5 + 0.02, idf = ln((N + 1) / (n + 1)).

    n of N sentences have the word in lower case; one that was not counted is taken for a word of a single
    sentence.
    """
    sentences, counts = _sentences_by_word()
    found = [counts.get(word.lower(), 1) for word in vocabulary.words]
    idf = np.log((sentences + 1) / (np.array(found, dtype=np.float64) + 1.0))
    told: Floats = idf**POWER + LEAST
    return told

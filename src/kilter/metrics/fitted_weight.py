"""Weights of the parts of a score, fitted on judgments: those of the package or of a file; and what words tell."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import stat
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from math import fsum
from typing import TYPE_CHECKING, Any

import numpy as np

from kilter.core.errors import InputError
from kilter.core.meaning import MeaningOptions
from kilter.core.once import loaded_once
from kilter.io.json_text import parse_json
from kilter.io.stream import file_status, whole_content
from kilter.results.measure import ORDER

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from kilter.core.corpus import Vocabulary

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


SCHEMA = "kilter.weights/2"
_OLD_SCHEMA = "kilter.weights/1"
_HIGHEST_FACTOR = 10.0
_ROUNDING = 1e-6
_REMEDY = "a file that kilter tune --weights writes is right"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class WeightFile:
    """What a file holds; `label` is its version, and of a file of the user's its checksum too.

    `weights` are by encoder and part, and may hold the factor of disorder as `order`; `margins` are slopes of
    agreement by encoder, of usual sentences and by the logarithm of length.
    """

    name: str
    label: str
    fitted_on: str
    weights: Mapping[str, Mapping[str, float]]
    margins: Mapping[str, tuple[float, float]]


def packaged(name: str) -> dict[str, Any]:
    """Return a document of the package."""
    text = (files("kilter.metrics") / "weights" / name).read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def weight_file(path: str = "") -> WeightFile:
    """Return the weights of the package, or those of a file; what was read once is kept until it changes."""
    if not path:
        return _own()
    status = file_status(path)
    if status is None:
        raise InputError(f"cannot be opened: {os.strerror(errno.ENOENT)}", where=path)
    # A pipe would be waited for, and could not be read again for the next metric or the signature.
    if not stat.S_ISREG(status.st_mode):
        raise InputError("is not a regular file; write the weights to one", where=path)
    return _read(path, status.st_mtime_ns)


@loaded_once(1)
def _own() -> WeightFile:
    found = packaged("kilter.json")
    return WeightFile(
        name="",
        label=found["version"],
        fitted_on=found["fitted_on"],
        weights=found["weights"],
        margins={encoder: (each[0], each[1]) for encoder, each in found["margins"].items()},
    )


@loaded_once(8)
def _read(path: str, changed: int) -> WeightFile:  # noqa: ARG001 - what was read is of this time
    try:
        raw = whole_content(path)
    except OSError as error:
        raise InputError(f"cannot be opened: {error.strerror or error}", where=path) from error
    try:
        found = parse_json(raw)
    except ValueError as error:
        raise InputError(f"is not JSON: {error}; {_REMEDY}", where=path) from error
    if isinstance(found, dict) and found.get("schema") == _OLD_SCHEMA:
        raise InputError(
            "holds weights of version 2 of kilter, whose parts were others; fit them again with kilter tune "
            "--weights, or write weights=2 for the weights that version 2 came with",
            where=path,
        )
    if not isinstance(found, dict) or found.get("schema") != SCHEMA:
        raise InputError(
            f"is not a file of weights: its schema is not {SCHEMA}; {_REMEDY}", where=path
        )
    version, fitted_on = (found.get(key) for key in ("version", "fitted_on"))
    if not isinstance(version, str) or not version.isalnum() or not isinstance(fitted_on, str):
        raise InputError(
            f"version must be letters and digits, and fitted_on a text; {_REMEDY}", where=path
        )
    return WeightFile(
        name=path,
        label=f"{version}-{hashlib.sha256(raw).hexdigest()[:12]}",
        fitted_on=fitted_on,
        weights=_checked(found.get("weights", {}), path),
        margins={},
    )


def _checked(found: object, path: str) -> dict[str, dict[str, float]]:
    """Return weights of the parts that the package weighs, which add up to 1, and the factor of disorder."""
    if not isinstance(found, dict):
        raise InputError(f"weights are not by encoder; {_REMEDY}", where=path)
    checked = {}
    for encoder, parts in found.items():
        own = _own().weights.get(encoder)
        if own is None:
            raise InputError(
                f"there is no encoder {encoder!r}; there are: {', '.join(_own().weights)}",
                where=path,
            )
        if not isinstance(parts, dict) or list(parts) != [*own, ORDER]:
            raise InputError(
                f"the parts of encoder {encoder} must be {', '.join(own)} and {ORDER}, in this order",
                where=path,
            )
        for part, weight in parts.items():
            highest = _HIGHEST_FACTOR if part == ORDER else 1.0
            if not _is_number(weight) or not 0.0 <= weight <= highest:
                raise InputError(
                    f"{encoder}, {part}: must be a number between 0 and {highest:g}, not {weight!r}",
                    where=path,
                )
        total = fsum(parts[part] for part in own)
        if abs(total - 1.0) > _ROUNDING:
            raise InputError(f"{encoder}: the weights add up to {total:g}, not to 1", where=path)
        checked[encoder] = {part: float(weight) for part, weight in parts.items()}
    return checked


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


class WordModel(StrEnum):
    """Whose word vectors are looked at: nobody's, or those of the embedded English model."""

    NONE = "none"
    EN = "en"

    def meaning_options(self) -> MeaningOptions | None:
        """Return how soft links are made of word vectors; None without any."""
        return None if self is WordModel.NONE else MeaningOptions()

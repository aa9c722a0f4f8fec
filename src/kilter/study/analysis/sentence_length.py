"""Lengths and source languages of the judged sentences. Section 13.1"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.counted import counted
from kilter.stats.correlation import pearson
from kilter.stats.participant_effect import least_squares
from kilter.stats.undefined import Undefined
from kilter.study.analysis.judged_correlation import LEAST_COMMON
from kilter.study.analysis.summary import Summary, summarise

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from kilter.study.analysis.judgment_study import JudgedSentence, JudgmentStudy

    Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lengths:
    """How many sentences have each number of words; `text` is source, reference or hypothesis."""

    text: str
    counts: Mapping[int, int]
    summary: Summary


@dataclass(frozen=True, slots=True, kw_only=True)
class Regression:
    """A line y = intercept + slope x by least squares, and Pearson's r of so many points."""

    intercept: float
    slope: float
    pearson: float
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LengthReport:
    """Lengths of the three texts, and the regression of hypothesis on reference length.

    `pairs` counts the sentences with each two lengths of reference and hypothesis.
    """

    lengths: tuple[Lengths, ...]
    pairs: Mapping[tuple[int, int], int]
    regression: Regression | Undefined


def sentence_lengths(study: JudgmentStudy) -> LengthReport:
    """Return the lengths in words, split at blanks, of all sentences that are analysed and were judged."""
    judged = _judged(study)
    texts: dict[str, list[str | None]] = {
        "source": [sentence.source for sentence in judged],
        "reference": [sentence.reference for sentence in judged],
        "hypothesis": [sentence.hypothesis for sentence in judged],
    }
    lengths = tuple(_lengths(name, listed) for name, listed in texts.items())
    reference, hypothesis = _counted(texts["reference"]), _counted(texts["hypothesis"])
    pairs = Counter(
        zip(reference.astype(int).tolist(), hypothesis.astype(int).tolist(), strict=True)
    )
    return LengthReport(
        lengths=lengths,
        pairs=dict(sorted(pairs.items())),
        regression=regression(reference, hypothesis),
    )


def regression(x: Floats, y: Floats) -> Regression | Undefined:
    """Return the line of y on x."""
    if len(x) < LEAST_COMMON:
        return Undefined(f"{counted(len(x), 'sentence')}; a correlation needs {LEAST_COMMON}")
    r = float(pearson(x, y))
    if isnan(r):
        return Undefined(f"{counted(len(x), 'sentence')} whose lengths do not vary")
    intercept, slope = least_squares(y, x)
    return Regression(intercept=intercept, slope=slope, pearson=r, count=len(x))


def _judged(study: JudgmentStudy) -> list[JudgedSentence]:
    judged = set(study.sentence[study.rows()].tolist())
    return [sentence for place, sentence in enumerate(study.sentences) if place in judged]


def _counted(texts: Sequence[str | None]) -> Floats:
    return np.array([np.nan if text is None else len(text.split()) for text in texts], dtype=float)


def _lengths(name: str, texts: Sequence[str | None]) -> Lengths:
    words = _counted(texts)
    known = words[~np.isnan(words)].astype(int)
    return Lengths(
        text=name, counts=dict(sorted(Counter(known.tolist()).items())), summary=summarise(words)
    )


def source_languages(study: JudgmentStudy) -> dict[str, int]:
    """Return how many sentences come from each source language, the most frequent first."""
    counts = Counter(sentence.source_language or "unknown" for sentence in _judged(study))
    return dict(sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])))

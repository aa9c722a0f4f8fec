"""Lengths and source languages of the judged sentences. Section 13.1"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kilter.structures.undefined import Undefined
    from kilter.survey.analysis.judgment_study import JudgmentStudy
    from kilter.survey.analysis.summary import Summary


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
    """Lengths of the three texts, and the regression of hypothesis on reference length."""

    lengths: tuple[Lengths, ...]
    regression: Regression | Undefined


def sentence_lengths(study: JudgmentStudy) -> LengthReport:
    """Return the lengths in words, split at blanks, of all sentences that are analysed."""
    raise NotImplementedError


def source_languages(study: JudgmentStudy) -> dict[str, int]:
    """Return how many sentences were translated from each language, the most frequent first."""
    raise NotImplementedError

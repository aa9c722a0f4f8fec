"""Scores of every tool, and permutations whose number of words changed. Section 13.1"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kilter.structures.undefined import Number, Undefined
    from kilter.survey.analysis.judgment_study import JudgmentStudy, SentenceGroup
    from kilter.survey.analysis.summary import Summary

BINS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreDistribution:
    """A tool's scores of the sentences of a group; `edges` has one number more than `counts`."""

    tool: str
    variant: str
    configuration: str
    sentences: SentenceGroup
    summary: Summary
    edges: tuple[float, ...]
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenChange:
    """Permutations of one type: how many there are, and the share whose flat b score is not 0.5."""

    type: SentenceGroup
    sentences: int
    changed: Number


def score_distributions(
    study: JudgmentStudy, *, sentences: SentenceGroup
) -> tuple[ScoreDistribution, ...]:
    """Return the distribution of every tool, variant and configuration."""
    raise NotImplementedError


def token_changes(study: JudgmentStudy) -> tuple[TokenChange, ...] | Undefined:
    """Return the share of permuted sentences, by type, whose fb score differs from 0.5."""
    raise NotImplementedError

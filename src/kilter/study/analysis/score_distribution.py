"""Scores of every tool, and permutations whose number of words changed. Section 13.1"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kilter.stats.undefined import Number, Undefined
from kilter.study.analysis.judgment_study import SentenceGroup
from kilter.study.analysis.summary import Summary, summarise
from kilter.study.analysis.variant import variant_name

if TYPE_CHECKING:
    from kilter.study.analysis.judgment_study import JudgmentStudy

BINS = 20
_UNCHANGED = 0.5
"""The fb score of two sentences of equal length: every word of both is renamed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreDistribution:
    """A tool's scores of the sentences of a group; `edges` has one number more than `counts`."""

    tool: str
    variant: str
    configuration: str
    external: bool
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
    study: JudgmentStudy, *, sentences: SentenceGroup = SentenceGroup.ALL
) -> tuple[ScoreDistribution, ...]:
    """Return the distribution of every tool, variant and configuration.

    Bins are equally wide between 0 and 1, or between the smallest and largest score where these are
    outside.
    """
    chosen = study.group(sentences)
    distributions = []
    for scores in study.tools:
        values = scores.values[chosen]
        known = values[~np.isnan(values)]
        low, high = min(0.0, known.min(initial=0.0)), max(1.0, known.max(initial=1.0))
        counts, edges = np.histogram(known, bins=BINS, range=(low, high))
        distributions.append(
            ScoreDistribution(
                tool=scores.tool,
                variant=scores.variant,
                configuration=scores.configuration,
                external=scores.external,
                sentences=sentences,
                summary=summarise(values),
                edges=tuple(edges.tolist()),
                counts=tuple(counts.tolist()),
            )
        )
    return tuple(distributions)


def token_changes(study: JudgmentStudy) -> tuple[TokenChange, ...] | Undefined:
    """Return the share of permuted sentences, by type, whose fb score differs from 0.5.

    It is that of two sentences of equal length; a difference says that the number of words changed.
    """
    flat = [scores for scores in study.tools if variant_name(scores.tool, scores.variant) == "fb"]
    if not flat:
        return Undefined("there are no fb scores; score with dted:variant=b,flat=true")
    values = flat[0].values
    changes = []
    for kind in study.reported[1:]:
        known = values[study.group(kind)]
        known = known[~np.isnan(known)]
        changed: Number = Undefined(f"there is no scored permutation of type {kind}")
        if len(known):
            changed = float(np.mean(np.abs(known - _UNCHANGED) > 1e-12))
        changes.append(TokenChange(type=kind, sentences=len(known), changed=changed))
    return tuple(changes)

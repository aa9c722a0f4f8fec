"""How many sentences tell the kinds apart by each variant's scores: the tables of the pilot. Section 13.6"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import comb, sqrt
from typing import TYPE_CHECKING

import numpy as np

from kilter.statistics.sample_size import sample_size
from kilter.statistics.undefined import Number, Undefined
from kilter.survey.analysis.judgment_study import REPORTED, SentenceGroup
from kilter.survey.analysis.variant import variant_name

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.survey.analysis.judgment_study import JudgmentStudy, ToolScores

    Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairSize:
    """Two kinds of sentences: the difference of their mean scores, and sentences per kind to show it."""

    first: SentenceGroup
    second: SentenceGroup
    difference: float
    needed: int | Undefined


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantSize:
    """One variant of DTED or DERP in one configuration.

    `deviation` is the standard deviation within kinds of sentences, of one-way analysis of variance; the
    level is shared by the comparisons of all pairs.
    """

    variant: str
    configuration: str
    scored: int
    deviation: Number
    comparisons: int
    pairs: tuple[PairSize, ...]


def variant_sizes(
    study: JudgmentStudy, *, level: float = 0.05, power: float = 0.8
) -> tuple[VariantSize, ...]:
    """Return the sentences per kind that pairwise comparisons need, by variant of DTED and DERP."""
    return tuple(
        _size(study, scores, name, level, power)
        for scores in study.tools
        if not scores.external and (name := variant_name(scores.tool, scores.variant)) is not None
    )


def _size(
    study: JudgmentStudy, scores: ToolScores, name: str, level: float, power: float
) -> VariantSize:
    groups: dict[SentenceGroup, Floats] = {}
    for kind in REPORTED:
        values = scores.values[study.group(kind)]
        known = values[~np.isnan(values)]
        if len(known):
            groups[kind] = known
    deviation = _within([*groups.values()])
    comparisons = comb(len(groups), 2)
    pairs = []
    for (first, one), (second, other) in combinations(groups.items(), 2):
        difference = float(one.mean() - other.mean())
        pairs.append(
            PairSize(
                first=first,
                second=second,
                difference=difference,
                needed=_needed(deviation, difference, comparisons, level, power),
            )
        )
    return VariantSize(
        variant=name,
        configuration=scores.configuration,
        scored=sum(map(len, groups.values())),
        deviation=deviation,
        comparisons=comparisons,
        pairs=tuple(pairs),
    )


def _within(groups: list[Floats]) -> Number:
    """Return the pooled standard deviation within groups."""
    freedom = sum(len(values) - 1 for values in groups)
    if freedom < 1:
        return Undefined("no kind of sentences has two scores")
    return sqrt(sum(float(((values - values.mean()) ** 2).sum()) for values in groups) / freedom)


def _needed(
    deviation: Number, difference: float, comparisons: int, level: float, power: float
) -> int | Undefined:
    if isinstance(deviation, Undefined):
        return deviation
    if deviation == 0.0:
        return Undefined("scores do not vary within kinds of sentences")
    if abs(difference) < _SAME:
        return Undefined("both kinds of sentences have the same mean score")
    return sample_size(
        deviation=deviation,
        difference=difference,
        level=level,
        power=power,
        comparisons=comparisons,
    )


_SAME = 1e-9

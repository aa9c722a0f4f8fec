"""How many judgments tell answers from each variant's scores, and how many sentences their kinds. Section 13.6"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from kilter.stats.significance import sample_size
from kilter.stats.undefined import Number, Undefined
from kilter.study.analysis.judgment_study import REPORTED
from kilter.study.analysis.variant import variant_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from kilter.study.analysis.judgment_study import JudgmentStudy, ToolScores

    Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairSize:
    """Two groups of values: the difference of their means, and how many values of each show it."""

    first: str
    second: str
    difference: float
    needed: int | Undefined


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantSize:
    """One variant of DTED or DERP in one configuration.

    `scored` counts its scores; `deviation` is the standard deviation within groups, of one-way analysis of
    variance. The level is shared by the comparisons.
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
    """Return the judgments that comparisons of questions with each variant of DTED and DERP need, as in [TH].

    The groups are the answers to each question, from 0 to 1, and the variant's scores of the sentences that
    were judged, once for each judgment; each question is compared with the variant.
    """
    rows = study.rows()
    answered = np.zeros(len(study), dtype=np.bool_)
    answers = {question.name: study.scores(question.name) for question in study.questions}
    for given in answers.values():
        answered |= ~np.isnan(given)
    sizes = []
    for name, scores in _variants(study):
        values = scores.values[study.sentence]
        used = rows & answered & ~np.isnan(values)
        groups = {
            question: known
            for question, given in answers.items()
            if len(known := given[used & ~np.isnan(given)])
        }
        pairs = [(question, name) for question in groups]
        sizes.append(_size(name, scores, {**groups, name: values[used]}, pairs, level, power))
    return tuple(sizes)


def kind_sizes(
    study: JudgmentStudy, *, level: float = 0.05, power: float = 0.8
) -> tuple[VariantSize, ...]:
    """Return the sentences per kind that tell every two kinds of them apart by each variant's scores."""
    sizes = []
    for name, scores in _variants(study):
        kinds = {str(kind): scores.values[study.group(kind)] for kind in REPORTED}
        groups = {
            kind: known for kind, values in kinds.items() if len(known := values[~np.isnan(values)])
        }
        sizes.append(_size(name, scores, groups, [*combinations(groups, 2)], level, power))
    return tuple(sizes)


def _variants(study: JudgmentStudy) -> list[tuple[str, ToolScores]]:
    return [
        (name, scores)
        for scores in study.tools
        if not scores.external and (name := variant_name(scores.tool, scores.variant)) is not None
    ]


def _size(
    name: str,
    scores: ToolScores,
    groups: Mapping[str, Floats],
    compared: Sequence[tuple[str, str]],
    level: float,
    power: float,
) -> VariantSize:
    deviation = _within([*groups.values()])
    pairs = []
    for first, second in compared:
        difference = float(groups[first].mean() - groups[second].mean())
        pairs.append(
            PairSize(
                first=first,
                second=second,
                difference=difference,
                needed=_needed(deviation, difference, len(compared), level, power),
            )
        )
    return VariantSize(
        variant=name,
        configuration=scores.configuration,
        scored=len(groups[name]) if name in groups else sum(map(len, groups.values())),
        deviation=deviation,
        comparisons=len(compared),
        pairs=tuple(pairs),
    )


def _within(groups: list[Floats]) -> Number:
    """Return the pooled standard deviation within groups."""
    freedom = sum(len(values) - 1 for values in groups if len(values))
    if freedom < 1:
        return Undefined("none of them has two values")
    within = sum(float(((values - values.mean()) ** 2).sum()) for values in groups if len(values))
    return sqrt(within / freedom)


def _needed(
    deviation: Number, difference: float, comparisons: int, level: float, power: float
) -> int | Undefined:
    if isinstance(deviation, Undefined):
        return deviation
    if deviation == 0.0:
        return Undefined("nothing varies within them")
    if abs(difference) < _SAME:
        return Undefined("both have the same mean")
    return sample_size(
        deviation=deviation,
        difference=difference,
        level=level,
        power=power,
        comparisons=comparisons,
    )


_SAME = 1e-9

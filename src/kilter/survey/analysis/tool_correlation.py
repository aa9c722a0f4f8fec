"""Correlation of judgments with every tool, by question, sentences and participants. Section 13.3"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from kilter.meta.correlation import spearman
from kilter.meta.participant_effect import group_means
from kilter.meta.segment_correlation import resampled_spearman
from kilter.structures.counted import counted
from kilter.structures.significance import holm, percentile_intervals
from kilter.structures.student import correlation_p
from kilter.structures.undefined import Number, Undefined, number
from kilter.survey.analysis.judgment_study import (
    DEGREE_TOOL,
    RANK_TOOL,
    REPORTED,
    TYPES,
    SentenceGroup,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from kilter.structures.resampling import Resampling
    from kilter.survey.analysis.adjustment import Adjustment
    from kilter.survey.analysis.judgment_study import JudgmentStudy, ToolScores

    Floats = NDArray[np.float64]
    Mask = NDArray[np.bool_]
    Key = tuple[str, str]

LEVEL = 0.05
LEAST_COMMON = 15
"""External tools with fewer common sentences have no correlation."""
_NOT_ASKED = Undefined("no interval was asked for")
_INAPPLICABLE = {
    RANK_TOOL: (SentenceGroup.PERMUTATION, *TYPES),
    DEGREE_TOOL: (SentenceGroup.TRANSLATION,),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Correlation:
    """Spearman's rho of so many judgments about so many sentences.

    `p` is that of the unadjusted judgments by the t approximation, as published. It takes judgments of one
    sentence for independent evidence and is far too small where many people judge the same sentences;
    `sentence_p` is that of the means of sentences. Both are corrected by Holm's method for all tools and
    configurations on the same judgments. The interval resamples sentences; undefined unless asked for.
    """

    rho: float
    judgments: int
    sentences: int
    p: Number
    holm: Number
    sentence_p: Number
    sentence_holm: Number
    low: Number
    high: Number

    @property
    def is_significant(self) -> bool:
        """Whether p is below 0.05, uncorrected, as published."""
        return isinstance(self.p, float) and self.p < LEVEL


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCorrelation:
    """One tool and variant: its correlation in each configuration, the largest and the smallest.

    `is_starred` says that all configurations are significant. `missing` counts judgments without answer.
    """

    question: str
    sentences: SentenceGroup
    adjusted: bool
    group: str
    tool: str
    variant: str
    configurations: Mapping[str, Correlation | Undefined]
    highest: Number
    lowest: Number
    is_starred: bool
    missing: int

    @property
    def name(self) -> str:
        """The tool and its variant, as metrics are named."""
        return f"{self.tool}:{self.variant}" if self.variant else self.tool


@dataclass(frozen=True, slots=True, kw_only=True)
class ExternalCorrelation:
    """One row of the table of external tools: translations scored, their share in percent, rho and p."""

    question: str
    tool: str
    variant: str
    configuration: str
    count: int
    coverage: float
    correlation: Correlation | Undefined


def tool_correlations(
    study: JudgmentStudy,
    *,
    adjustments: Mapping[str, Adjustment] | None = None,
    rows: NDArray[np.bool_] | None = None,
    group: str = "all",
    sentences: Sequence[SentenceGroup] = REPORTED,
    resampling: Resampling | None = None,
) -> tuple[ToolCorrelation, ...]:
    """Return the correlations of every tool with every question, unadjusted, then adjusted if given.

    `adjustments` are by question. `rows` chooses judgments, such as those of a subgroup named `group`;
    adjusted scores stay those that were estimated on everybody. Rank scores are for translations, degree
    scores for permutations only.
    """
    asked = np.ones(len(study), dtype=np.bool_) if rows is None else rows
    found = list[ToolCorrelation]()
    for question in study.questions:
        plain = study.scores(question.name)
        sides: list[tuple[bool, Floats]] = [(False, plain)]
        if adjustments is not None and question.name in adjustments:
            sides.append((True, adjustments[question.name].scores))
        for kind in sentences:
            chosen = asked & study.rows(kind)
            for adjusted, scores in sides:
                cell = _Cell(study, plain, scores, chosen, resampling)
                found += [
                    replace(
                        row, question=question.name, sentences=kind, adjusted=adjusted, group=group
                    )
                    for row in cell.rows(kind)
                ]
    return tuple(found)


@dataclass(frozen=True, slots=True, eq=False)
class _Cell:
    """The judgments that all tools of a table are correlated with."""

    study: JudgmentStudy
    plain: Floats
    scores: Floats
    chosen: Mask
    resampling: Resampling | None

    def rows(self, kind: SentenceGroup) -> list[ToolCorrelation]:
        """Return a row per tool and variant, p-values corrected over all of them."""
        tools = [tool for tool in self.study.tools if kind not in _INAPPLICABLE.get(tool.tool, ())]
        values = corrected(
            [correlation(self.study, tool, self.plain, self.scores, self.chosen, self.resampling)
             for tool in tools]
        )  # fmt: skip
        grouped: dict[Key, dict[str, Correlation | Undefined]] = {}
        for tool, value in zip(tools, values, strict=True):
            grouped.setdefault((tool.tool, tool.variant), {})[tool.configuration] = value
        missing = int(np.count_nonzero(np.isnan(self.plain[self.chosen])))
        return [_row(key, configurations, missing) for key, configurations in grouped.items()]


def _row(
    key: Key, configurations: Mapping[str, Correlation | Undefined], missing: int
) -> ToolCorrelation:
    known = [value for value in configurations.values() if isinstance(value, Correlation)]
    nothing = Undefined("no configuration has a correlation")
    return ToolCorrelation(
        question="",
        sentences=SentenceGroup.ALL,
        adjusted=False,
        group="",
        tool=key[0],
        variant=key[1],
        configurations=configurations,
        highest=max((value.rho for value in known), default=nothing),
        lowest=min((value.rho for value in known), default=nothing),
        is_starred=len(known) == len(configurations)
        and all(value.is_significant for value in known),
        missing=missing,
    )


def correlation(
    study: JudgmentStudy,
    tool: ToolScores,
    plain: Floats,
    scores: Floats,
    chosen: Mask,
    resampling: Resampling | None = None,
) -> Correlation | Undefined:
    """Return rho of a tool with scores of judgments; `plain` are the unadjusted ones, for p."""
    values = tool.values[study.sentence]
    if not chosen.any():
        return Undefined("there is no judgment about such a sentence")
    used = chosen & ~np.isnan(plain) & ~np.isnan(values)
    count = int(used.sum())
    if count < 3:
        return Undefined(f"{counted(count, 'judgment')} with answer and score; three are needed")
    if (values[used] == values[used][0]).all():
        return Undefined(f"{tool.name} gives all these sentences the same score")
    if (scores[used] == scores[used][0]).all():
        return Undefined("all answers are the same")
    rho = float(spearman(scores[used], values[used]))
    of_plain = rho if scores is plain else float(spearman(plain[used], values[used]))
    p = number(correlation_p(of_plain, count), "all unadjusted answers are the same")
    low, high = _interval(study, scores, values, used, resampling)
    shown, place, judged = np.unique(study.sentence[used], return_inverse=True, return_counts=True)
    means = group_means(plain[used], place.ravel(), judged)
    of_sentences = float(spearman(means, tool.values[shown]))
    sentence_p = number(
        correlation_p(of_sentences, len(shown)),
        f"{counted(len(shown), 'sentence')} whose mean answers do not vary enough",
    )
    return Correlation(
        rho=rho,
        judgments=count,
        sentences=len(shown),
        p=p,
        holm=p,
        sentence_p=sentence_p,
        sentence_holm=sentence_p,
        low=low,
        high=high,
    )


def _interval(
    study: JudgmentStudy, scores: Floats, values: Floats, used: Mask, resampling: Resampling | None
) -> tuple[Number, Number]:
    if resampling is None:
        return _NOT_ASKED, _NOT_ASKED
    shown, place = np.unique(study.sentence[used], return_inverse=True)
    if len(shown) < 3:
        few = Undefined(f"{counted(len(shown), 'sentence')}; an interval needs three")
        return few, few
    drawn = resampled_spearman(scores[used], values[used], place.ravel(), len(shown), resampling)
    ((low, high),) = percentile_intervals(drawn[np.newaxis], level=resampling.level).tolist()
    reason = "no resample has a correlation"
    return number(low, reason), number(high, reason)


def corrected(values: Sequence[Correlation | Undefined]) -> list[Correlation | Undefined]:
    """Return correlations with p-values corrected by Holm's method over all that have one."""
    known = [value for value in values if isinstance(value, Correlation)]
    families = zip(
        _holm([value.p for value in known]),
        _holm([value.sentence_p for value in known]),
        strict=True,
    )
    adjusted = (
        replace(value, holm=p, sentence_holm=by_sentence)
        for value, (p, by_sentence) in zip(known, families, strict=True)
    )
    return [value if isinstance(value, Undefined) else next(adjusted) for value in values]


def _holm(p_values: Sequence[Number]) -> list[Number]:
    found = holm([p if isinstance(p, float) else None for p in p_values])
    return [p if q is None else q for p, q in zip(p_values, found, strict=True)]


def external_correlations(
    study: JudgmentStudy, *, adjustments: Mapping[str, Adjustment] | None = None
) -> tuple[ExternalCorrelation, ...]:
    """Return the table of external tools on translations; fewer than 15 common sentences are undefined.

    Coverage is the percentage of the judged translations that a tool has scored. p-values are corrected
    over the tools of a question.
    """
    chosen = study.rows(SentenceGroup.TRANSLATION)
    shown = np.unique(study.sentence[chosen])
    tools = [tool for tool in study.tools if tool.external]
    common = [int(np.count_nonzero(~np.isnan(tool.values[shown]))) for tool in tools]
    found = list[ExternalCorrelation]()
    for question in study.questions:
        plain = study.scores(question.name)
        adjustment = (adjustments or {}).get(question.name)
        scores = plain if adjustment is None else adjustment.scores
        values = corrected(
            [
                correlation(study, tool, plain, scores, chosen)
                if count >= LEAST_COMMON
                else Undefined(
                    f"{counted(count, 'common sentence')}; fewer than {LEAST_COMMON} are left out"
                )
                for tool, count in zip(tools, common, strict=True)
            ]
        )
        found += [
            ExternalCorrelation(
                question=question.name,
                tool=tool.tool,
                variant=tool.variant,
                configuration=tool.configuration,
                count=count,
                coverage=100.0 * count / len(shown) if len(shown) else 0.0,
                correlation=value,
            )
            for tool, count, value in zip(tools, common, values, strict=True)
        ]
    return tuple(found)

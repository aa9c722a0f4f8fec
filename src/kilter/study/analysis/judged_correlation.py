"""Correlation of judgments with every tool: tests, intervals, and by question, sentences and participants. Section 13.3"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.counted import counted
from kilter.core.judgments import levelled
from kilter.run.meta.segment_correlation import resampled_spearman
from kilter.stats.correlation import spearman
from kilter.stats.participant_effect import group_means
from kilter.stats.significance import correlation_p, holm, percentile_intervals
from kilter.stats.undefined import Number, Undefined, number
from kilter.study.judgments.judgment_study import ALL_TYPES, DEGREE_TOOL, RANK_TOOL, SentenceGroup

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from kilter.stats.resampling import Resampling
    from kilter.study.analysis.adjustment import Adjustment, ToolKey
    from kilter.study.judgments.judgment_study import JudgmentStudy, ToolScores

    Floats = NDArray[np.float64]
    Mask = NDArray[np.bool_]
    Key = tuple[str, str]


LEVEL = 0.05
_NOT_ASKED = Undefined("no interval was asked for")
LEAST_COMMON = 15
"""Tools with fewer common sentences have no correlation: three sentences in a row would have rho = 1 and p = 0."""


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


@dataclass(frozen=True, slots=True, eq=False)
class ChosenJudgments:
    """Some judgments of a study: unadjusted scores for tests, and those to correlate, perhaps adjusted."""

    study: JudgmentStudy
    plain: Floats
    scores: Floats
    chosen: Mask

    def correlations(
        self, tools: Sequence[ToolScores], *, resampling: Resampling | None = None
    ) -> list[Correlation | Undefined]:
        """Return the correlation with each tool; p-values are not corrected yet."""
        answered = self.chosen & ~np.isnan(self.plain)
        together: dict[bytes, list[int]] = {}
        for place, tool in enumerate(tools):
            used = answered & ~np.isnan(tool.values)[self.study.sentence]
            together.setdefault(used.tobytes(), []).append(place)
        by_place: dict[int, Correlation | Undefined] = {}
        for mask, places in together.items():
            rows = np.flatnonzero(np.frombuffer(mask, dtype=np.bool_))
            values = self._on_rows([tools[place] for place in places], rows, resampling)
            by_place.update(zip(places, values, strict=True))
        return [by_place[place] for place in range(len(tools))]

    def _on_rows(
        self, tools: Sequence[ToolScores], rows: NDArray[np.int64], resampling: Resampling | None
    ) -> list[Correlation | Undefined]:
        """Return the correlations with tools that have scores for the same judgments."""
        reason = self._too_few(rows)
        if reason is not None:
            return [reason] * len(tools)
        values = np.stack([tool.values for tool in tools])
        judged_sentences, place, judged = np.unique(
            self.study.sentence[rows], return_inverse=True, return_counts=True
        )
        scores, plain = self.scores[rows], self.plain[rows]
        on_rows, on_sentences = values[:, self.study.sentence[rows]], values[:, judged_sentences]
        means = levelled(group_means(plain, place.ravel(), judged))
        rhos = spearman(scores[np.newaxis], on_rows).tolist()
        of_plain = spearman(plain[np.newaxis], on_rows).tolist()
        of_means = spearman(means[np.newaxis], on_sentences).tolist()
        listed = list[Correlation | Undefined]()
        for at, tool in enumerate(tools):
            if np.isnan(rhos[at]):
                listed.append(Undefined(f"{tool.name} gives all these sentences the same score"))
                continue
            p = number(
                correlation_p(of_plain[at], len(rows)), "all unadjusted answers are the same"
            )
            sentence_p = _by_sentences(of_means[at], len(judged_sentences))
            low, high = _interval(
                scores, on_rows[at], place.ravel(), len(judged_sentences), resampling
            )
            listed.append(
                Correlation(
                    rho=rhos[at],
                    judgments=len(rows),
                    sentences=len(judged_sentences),
                    p=p,
                    holm=p,
                    sentence_p=sentence_p,
                    sentence_holm=sentence_p,
                    low=low,
                    high=high,
                )
            )
        return listed

    def _too_few(self, rows: NDArray[np.int64]) -> Undefined | None:
        if not self.chosen.any():
            return Undefined("there is no judgment about such a sentence")
        sentences = len(np.unique(self.study.sentence[rows]))
        if sentences < LEAST_COMMON:
            return Undefined(
                f"{counted(sentences, 'sentence')} with answer and score; a correlation needs {LEAST_COMMON}"
            )
        if (self.scores[rows] == self.scores[rows[0]]).all():
            return Undefined("all answers are the same")
        return None


def _by_sentences(rho: float, sentences: int) -> Number:
    return number(
        correlation_p(rho, sentences),
        f"{counted(sentences, 'sentence')} whose mean answers do not vary enough",
    )


def _interval(
    scores: Floats,
    values: Floats,
    sentence: NDArray[np.int64],
    sentences: int,
    resampling: Resampling | None,
) -> tuple[Number, Number]:
    if resampling is None:
        return _NOT_ASKED, _NOT_ASKED
    drawn = resampled_spearman(scores, values, sentence, sentences, resampling)
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
    corrected = holm([p if isinstance(p, float) else None for p in p_values])
    return [p if q is None else q for p, q in zip(p_values, corrected, strict=True)]


_INAPPLICABLE = {
    RANK_TOOL: (SentenceGroup.PERMUTATION, *ALL_TYPES),
    DEGREE_TOOL: (SentenceGroup.TRANSLATION,),
}

ENOUGH = 0.9
"""The share of sentences that a tool must have scored to be compared with tools that scored all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCorrelation:
    """One tool and variant: its correlation in each configuration, the largest and the smallest.

    `is_starred` says that all configurations are significant. `missing` counts judgments without answer,
    `judged` sentences with one, whether the tool has scored them or not.
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
    judged: int
    external: bool

    @property
    def covers_all(self) -> bool:
        """Whether it has scored so many of the judged sentences that it stands for all of them."""
        known = [v.sentences for v in self.configurations.values() if isinstance(v, Correlation)]
        return bool(known) and min(known) >= ENOUGH * self.judged

    @property
    def name(self) -> str:
        """The tool and its variant, as metrics are named."""
        return f"{self.tool}:{self.variant}" if self.variant else self.tool


def tool_correlations(
    study: JudgmentStudy,
    *,
    adjustments: Mapping[str, Adjustment] | None = None,
    by_tool: Mapping[ToolKey, Adjustment] | None = None,
    rows: NDArray[np.bool_] | None = None,
    group: str = "all",
    sentences: Sequence[SentenceGroup] | None = None,
    resampling: Resampling | None = None,
) -> tuple[ToolCorrelation, ...]:
    """Return the correlations of every tool with every question, unadjusted, then adjusted if given.

    `adjustments` are by question; `by_tool` are adjustments with the tool itself as the predictor, which take
    their place. `rows` chooses judgments, such as those of a subgroup named `group`;
    adjusted scores stay those that were estimated on everybody. Rank scores are for translations, degree
    scores for permutations only.
    """
    asked = np.ones(len(study), dtype=np.bool_) if rows is None else rows
    correlations = list[ToolCorrelation]()
    for question in study.questions:
        plain = study.scores(question.name)
        sides: list[tuple[bool, Floats]] = [(False, plain)]
        if adjustments is not None and question.name in adjustments:
            sides.append((True, adjustments[question.name].scores))
        for kind in study.reported if sentences is None else sentences:
            chosen = asked & study.rows(kind)
            for adjusted, scores in sides:
                judged = ChosenJudgments(study, plain, scores, chosen)
                correlations += [
                    replace(
                        row, question=question.name, sentences=kind, adjusted=adjusted, group=group
                    )
                    for row in _tool_rows(
                        judged, kind, resampling, question.name, by_tool if adjusted else None
                    )
                ]
    return tuple(correlations)


def _tool_rows(
    judged: ChosenJudgments,
    kind: SentenceGroup,
    resampling: Resampling | None,
    question: str,
    by_tool: Mapping[ToolKey, Adjustment] | None,
) -> list[ToolCorrelation]:
    """Return a row per tool and variant, p-values corrected over all of them."""
    tools = [tool for tool in judged.study.tools if kind not in _INAPPLICABLE.get(tool.tool, ())]
    values = corrected(
        judged.correlations(tools, resampling=resampling)
        if by_tool is None
        else [
            replace(
                judged, scores=by_tool[question, tool.name, tool.configuration].scores
            ).correlations([tool], resampling=resampling)[0]
            for tool in tools
        ]
    )
    grouped: dict[Key, dict[str, Correlation | Undefined]] = {}
    for tool, value in zip(tools, values, strict=True):
        grouped.setdefault((tool.tool, tool.variant), {})[tool.configuration] = value
    unanswered = np.isnan(judged.plain)
    missing = int(np.count_nonzero(judged.chosen & unanswered))
    sentences = len(np.unique(judged.study.sentence[judged.chosen & ~unanswered]))
    external = {(tool.tool, tool.variant) for tool in tools if tool.external}
    return [
        replace(
            _tool_row(key, configurations),
            missing=missing,
            judged=sentences,
            external=key in external,
        )
        for key, configurations in grouped.items()
    ]


def _tool_row(key: Key, configurations: Mapping[str, Correlation | Undefined]) -> ToolCorrelation:
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
        missing=0,
        judged=0,
        external=False,
    )

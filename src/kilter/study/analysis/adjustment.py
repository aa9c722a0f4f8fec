"""Judgments without the differences between participants. Section 13.2, [TH] chapter 7"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.counted import counted
from kilter.core.judgments import levelled
from kilter.core.settings import Choice
from kilter.core.table import Table
from kilter.render.chart.drawing import INK, Style
from kilter.render.chart.frame import Caption, Key, statement
from kilter.render.chart.mark import Dot, Points
from kilter.render.chart.row_chart import Row, RowGroup, row_pages
from kilter.render.page.sub_report import SubReport, figure_pages, file_name
from kilter.stats.participant_effect import ParticipantEffects, anova_effects, reml_effects
from kilter.stats.significance import two_sided_p
from kilter.stats.undefined import Number, Undefined, number
from kilter.study.analysis.summary import said, said_p

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from kilter.study.judgments.judgment_study import JudgmentStudy, ToolScores

    Floats = NDArray[np.float64]


ToolKey = tuple[str, str, str]
"""A question, the name of a tool with its variant, and a configuration."""
_QUANTILE = NormalDist().inv_cdf(0.975)


class Estimator(Choice):
    """How participants' effects are estimated: in closed form, or with crossed sentence effects."""

    ANOVA = "anova"
    REML = "reml"


class EffectSource(Choice):
    """Whose judgments effects are estimated on: all, or those about shared sentences."""

    ALL = "all"
    SHARED = "shared"


@dataclass(frozen=True, slots=True, kw_only=True)
class ParticipantEffect:
    """How far a participant judges above the others, with a 95% prediction interval."""

    participant: str
    judgments: int
    mean_residual: Number
    effect: float
    low: Number
    high: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class TTest:
    """Student's two-tailed test of two samples, variances pooled."""

    t: float
    freedom: int
    p: float


@dataclass(frozen=True, kw_only=True, eq=False)
class Adjustment:
    """Effects, variances, and the scores from 0 to 1 without the effects; `scores` follows the judgments.

    `judgments` are those that effects are estimated on; `missing` are others about the same sentences, which
    lack an answer or the predictor's score. Scores are not clipped. Undefined variances come with effects of 0: scores are then unchanged.
    """

    question: str
    estimator: Estimator
    source: EffectSource
    predictor: str | None
    judgments: int
    missing: int
    intercept: Number
    slope: Number
    participant_variance: Number
    sentence_variance: Number
    residual_variance: Number
    effects: tuple[ParticipantEffect, ...]
    scores: NDArray[np.float64]
    change: TTest | Undefined


def adjust(
    study: JudgmentStudy,
    question: str,
    *,
    estimator: Estimator = Estimator.ANOVA,
    source: EffectSource = EffectSource.ALL,
    predictor: ToolScores | None = None,
) -> Adjustment:
    """Return the answers to a question without participants' effects.

    Effects are estimated on translations and permutations, or the shared ones among them, with an answer
    and, if there is a predictor, its score; they are taken from every answer.
    """
    scores = study.scores(question)
    known = ~np.isnan(scores)
    asked = study.rows()
    if source is EffectSource.SHARED:
        asked = asked & study.shared[study.sentence]
    used = known & asked
    x = None if predictor is None else predictor.values[study.sentence]
    if x is not None:
        used &= ~np.isnan(x)
    estimate = _estimate(study, scores, used, x, estimator)
    # What is the same but for rounding must tie.
    adjusted = levelled(scores - estimate.effects[study.participant])
    tested = known & study.rows()
    counts = np.bincount(study.participant[used], minlength=len(study.participants))
    return Adjustment(
        question=question,
        estimator=estimator,
        source=source,
        predictor=None if predictor is None else predictor.name,
        judgments=int(used.sum()),
        missing=int(np.count_nonzero(asked & ~used)),
        intercept=number(estimate.intercept, _NO_JUDGMENT),
        slope=number(estimate.slope, _NO_JUDGMENT),
        participant_variance=estimate.participant_variance,
        sentence_variance=estimate.sentence_variance,
        residual_variance=estimate.residual_variance,
        effects=tuple(
            _effect(person.id, int(counts[place]), estimate, place)
            for place, person in enumerate(study.participants)
        ),
        scores=adjusted,
        change=t_test(scores[tested], adjusted[tested]),
    )


def tool_adjustments(
    study: JudgmentStudy,
    *,
    estimator: Estimator = Estimator.ANOVA,
    source: EffectSource = EffectSource.ALL,
) -> dict[ToolKey, Adjustment]:
    """Return an adjustment by question and tool, with the scores of the tool as the predictor."""
    return {
        (question.name, tool.name, tool.configuration): adjust(
            study, question.name, estimator=estimator, source=source, predictor=tool
        )
        for question in study.questions
        for tool in study.tools
    }


_NO_JUDGMENT = "there is no judgment to estimate it from"


def _estimate(
    study: JudgmentStudy,
    scores: Floats,
    used: NDArray[np.bool_],
    predictor: Floats | None,
    estimator: Estimator,
) -> ParticipantEffects:
    people = len(study.participants)
    if not used.any():
        nothing = Undefined(_NO_JUDGMENT)
        return ParticipantEffects.unknown(nothing, people, line=(np.nan, np.nan))
    x = None if predictor is None else predictor[used]
    participant = study.participant[used]
    if estimator is Estimator.ANOVA:
        return anova_effects(scores[used], participant, people, predictor=x)
    levels = (people, len(study.sentences))
    return reml_effects(scores[used], participant, study.sentence[used], levels=levels, predictor=x)


def _effect(
    name: str, judgments: int, estimate: ParticipantEffects, place: int
) -> ParticipantEffect:
    effect, deviation = float(estimate.effects[place]), float(estimate.deviations[place])
    reason = "variances are undefined" if judgments else "no judgment to estimate it from"
    if not judgments:
        deviation = np.nan
    return ParticipantEffect(
        participant=name,
        judgments=judgments,
        mean_residual=number(float(estimate.mean_residuals[place]), reason),
        effect=effect,
        low=number(effect - _QUANTILE * deviation, reason),
        high=number(effect + _QUANTILE * deviation, reason),
    )


def t_test(first: Floats, second: Floats) -> TTest | Undefined:
    """Return Student's two-tailed test of two samples with pooled variance.

    >>> import numpy as np
    >>> found = t_test(np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 6.0]))
    >>> round(found.t, 6), found.freedom, round(found.p, 6)
    (-1.549193, 4, 0.196261)
    """
    freedom = len(first) + len(second) - 2
    if min(len(first), len(second)) < 2:
        return Undefined("a test needs two answers")
    squares = float(((first - first.mean()) ** 2).sum() + ((second - second.mean()) ** 2).sum())
    if squares == 0.0:
        return Undefined("all answers are the same")
    error = sqrt(squares / freedom * (1.0 / len(first) + 1.0 / len(second)))
    t = float(first.mean() - second.mean()) / error
    return TTest(t=t, freedom=freedom, p=two_sided_p(t, freedom))


_NAMES = {
    Estimator.ANOVA: "in closed form, by analysis of variance over participants",
    Estimator.REML: "by restricted maximum likelihood, with crossed effects of sentences",
}


_CENTRED = (
    "Effects are centred: what is taken from one participant's answers is given to another's, so that both means "
    "are the same and the test cannot differ from zero, but for participants who answered less often than others."
)


_SOURCES = {
    EffectSource.ALL: "all translations and permutations",
    EffectSource.SHARED: "the sentences that all questionnaires share",
}


def adjustment_report(study: JudgmentStudy, adjustments: Mapping[str, Adjustment]) -> SubReport:
    """Return the sub-report of variances, and of the test between original and adjusted values."""
    listed = list(adjustments.values())
    no_test = [each.change for each in listed]
    tests = [(t, t, t) if isinstance(t, Undefined) else (t.t, t.freedom, t.p) for t in no_test]
    return SubReport(
        name="adjustment",
        title="Differences between participants",
        figures=tuple(
            figure
            for each in listed
            for figure in figure_pages(
                adjusted_figures(study, each, simulated=study.simulated),
                name=file_name("figure", each.question),
            )
        ),
        text=(_shares(listed), *(_sentence(each) for each in listed))
        if listed
        else ("Judgments were not adjusted, as asked for.",),
        data=Table(
            columns=(
                "question",
                "estimator",
                "effects from",
                "n",
                "missing",
                "mean",
                "participant variance",
                "sentence variance",
                "residual variance",
                "t",
                "df",
                "p",
            ),
            rows=tuple(
                (
                    each.question,
                    str(each.estimator),
                    str(each.source),
                    each.judgments,
                    each.missing,
                    each.intercept,
                    each.participant_variance,
                    each.sentence_variance,
                    each.residual_variance,
                    *test,
                )
                for each, test in zip(listed, tests, strict=True)
            ),
            left=3,
        ),
        shown=(
            Table(
                columns=(
                    "question",
                    "n",
                    "missing",
                    "participant variance",
                    "sentence variance",
                    "residual variance",
                    "t",
                    "p",
                ),
                rows=tuple(
                    (
                        each.question,
                        each.judgments,
                        each.missing,
                        each.participant_variance,
                        each.sentence_variance,
                        each.residual_variance,
                        test[0],
                        test[2],
                    )
                    for each, test in zip(listed, tests, strict=True)
                ),
                title="Variances, and the test between original and adjusted answers",
            ),
        ),
        notes=(*_policy(study, listed),),
    )


def _policy(study: JudgmentStudy, listed: list[Adjustment]) -> list[str]:
    if not listed:
        return [f"n: {counted(int(study.rows().sum()), 'judgment')}; no effect was estimated."]
    first = listed[0]
    return [
        (
            f"n: judgments with an answer about {_SOURCES[first.source]}; missing: those about the same sentences "
            "without one, which are left out."
        ),
        (
            f"Effects are estimated {_NAMES[first.estimator]}, without a predictor; answers go from 0 to 1, adjusted "
            "ones are not clipped."
        ),
        (
            "t and p: two-tailed test of two samples with pooled variance, original against adjusted answers, as in "
            f"[TH]. {_CENTRED}"
        ),
    ]


def _shares(listed: list[Adjustment]) -> str:
    """Return how much of the variance of answers lies between participants."""
    told = []
    for each in listed:
        variances = (each.participant_variance, each.sentence_variance, each.residual_variance)
        known = [value for value in variances if isinstance(value, float)]
        between = each.participant_variance
        share = (
            f"undefined ({between.reason})"
            if isinstance(between, Undefined)
            else f"{between / sum(known):.1%}"
            if sum(known) > 0
            else "undefined (answers do not vary)"
        )
        told.append(f"{each.question} {share}")
    return (
        f"Share of the variance of answers that differences between participants explain: {', '.join(told)}. The "
        "rest is differences between sentences, and chance."
    )


def _sentence(each: Adjustment) -> str:
    test = (
        f"there is no test: {each.change.reason}"
        if isinstance(each.change, Undefined)
        else f"the published test of original against adjusted answers gives t = {_rounded(each.change.t)}, "
        f"p = {said_p(each.change.p)}; it says nothing about how much was adjusted, since effects are centred"
    )
    return (
        f"Answers to {each.question}: the variance between participants is "
        f"{said(each.participant_variance, digits=4)}, the residual variance {said(each.residual_variance, digits=4)}; "
        f"{test}."
    )


def effect_report(adjustments: Mapping[str, Adjustment], *, simulated: bool) -> SubReport:
    """Return the sub-report of the effect of each participant."""
    listed = list(adjustments.values())
    rows = tuple(
        (each.question, effect.participant, effect.judgments, effect.mean_residual, effect.effect,
         effect.low, effect.high)
        for each in listed
        for effect in each.effects
    )  # fmt: skip
    return SubReport(
        name="effects",
        title="Effects of participants",
        figures=tuple(
            figure
            for each in listed
            for figure in figure_pages(
                effect_figures(each, simulated=simulated), name=file_name("figure", each.question)
            )
        ),
        text=tuple(_extremes(each) for each in listed)
        or ("Judgments were not adjusted, as asked for.",),
        data=Table(
            columns=("question", "participant", "n", "mean residual", "effect", "low", "high"),
            rows=rows,
            left=2,
        ),
        notes=(
            (
                "n: judgments that the effect is estimated on. An effect above 0 says that the participant judges "
                "above the others; low and high are a 95% prediction interval. It is taken from each of their answers."
            ),
        ),
    )


def tool_adjustment_report(adjustments: Mapping[ToolKey, Adjustment]) -> SubReport:
    """Return the sub-report of adjustments that have a tool's scores as the predictor."""
    slopes = [each.slope for each in adjustments.values() if isinstance(each.slope, float)]
    return SubReport(
        name="tool-adjustment",
        title="Adjustment by tool",
        text=(
            (
                f"Each of {counted(len(adjustments), 'column')} of scores has its own adjustment, by question: answers "
                "are regressed on the scores before participants are compared. Slopes lie between "
                f"{min(slopes, default=0.0):.3f} and {max(slopes, default=0.0):.3f}."
            ),
        ),
        data=Table(
            columns=(
                "question", "tool", "configuration", "n", "missing", "intercept", "slope", "participant variance",
                "residual variance",
            ),
            rows=tuple(
                (question, tool, configuration or None, each.judgments, each.missing, each.intercept,
                 each.slope, each.participant_variance, each.residual_variance)
                for (question, tool, configuration), each in adjustments.items()
            ),
            left=3,
        ),
        notes=(
            "n: judgments with an answer and a score; missing: those without one of them, which are left out.",
        ),
    )  # fmt: skip


def _rounded(t: float) -> str:
    """Return a value of t; what rounds to 0 has no sign."""
    return f"{t:.3f}" if abs(t) >= 0.0005 else "0.000"


def _extremes(each: Adjustment) -> str:
    values = [effect.effect for effect in each.effects]
    return f"{each.question}: effects lie between {min(values):.3f} and {max(values):.3f}."


def effect_figures(adjustment: Adjustment, *, simulated: bool) -> tuple[str, ...]:
    """Return every participant's effect with its interval, the most severe first."""
    notes = [
        (
            f"Estimator {adjustment.estimator}, effects estimated on {adjustment.source} sentences. Lines are 95% "
            "prediction intervals; strokes are mean residuals, before they are drawn towards 0."
        )
    ]
    for name, variance in (
        ("participants", adjustment.participant_variance),
        ("residuals", adjustment.residual_variance),
    ):
        told = variance if isinstance(variance, Undefined) else f"{variance:.4f}"
        notes.append(f"Variance of {name}: {told}")
    caption = Caption(
        title=f"Effects of participants on {adjustment.question}", notes=notes, simulated=simulated
    )
    if not adjustment.effects:
        return (statement(caption, Undefined("there is no participant")),)
    ordered = sorted(adjustment.effects, key=lambda entry: (entry.effect, entry.participant))
    return row_pages(
        [RowGroup("", [Row(entry.participant, [_effect_mark(entry)]) for entry in ordered])],
        caption=caption,
        axis=f"effect on scores from 0 to 1 (n = {counted(adjustment.judgments, 'judgment')})",
        keys=[Key("mean residual", "stroke", Style(INK, "", "", ""))],
        rule=0.0,
    )


def _effect_mark(entry: ParticipantEffect) -> Dot:
    residual = entry.mean_residual
    low = None if isinstance(entry.low, Undefined) else entry.low
    high = None if isinstance(entry.high, Undefined) else entry.high
    return Dot(
        value=entry.effect,
        low=low,
        high=high,
        strokes=[] if isinstance(residual, Undefined) else [residual],
        text=f"{entry.effect:+.3f} (n = {entry.judgments})",
    )


def adjusted_figures(
    study: JudgmentStudy, adjustment: Adjustment, *, simulated: bool
) -> tuple[str, ...]:
    """Return each participant's mean score, as given and without the participant's effect."""
    change = adjustment.change
    told = (
        f"t-test between original and adjusted scores: {change}"
        if isinstance(change, Undefined)
        else f"t-test between original and adjusted scores: t = {_rounded(change.t)}, {change.freedom} degrees "
        f"of freedom, p = {f'{change.p:.3g}' if change.p else said_p(0.0)}"
    )
    caption = Caption(
        title=f"Mean answers to {adjustment.question}, original and adjusted",
        notes=[told, _CENTRED],
        simulated=simulated,
    )
    if not study.participants:
        return (statement(caption, Undefined("there is no participant")),)
    original = study.scores(adjustment.question)
    known = study.rows() & ~np.isnan(original)
    rows = []
    for place, person in enumerate(study.participants):
        chosen = known & (study.participant == place)
        rows.append(Row(person.id, [_means(original[chosen], adjustment.scores[chosen])]))
    return row_pages(
        [RowGroup("", rows)],
        caption=caption,
        axis=f"mean score (n = {counted(int(known.sum()), 'judgment')})",
        series=["original", "adjusted"],
        reach=(0.0, 1.0),
    )


def _means(original: Floats, adjusted: Floats) -> Points | Undefined:
    if not len(original):
        return Undefined("there is no answer")
    means = [float(values.mean()) for values in (original, adjusted)]
    return Points(values=means, text=", ".join(f"{mean:.3f}" for mean in means))

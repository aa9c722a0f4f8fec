"""Figures of participants' effects, and of scores before and after adjustment. Section 13.2"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kilter.counted import counted
from kilter.reports.chart.drawing import INK, Style
from kilter.reports.chart.frame import Caption, Key, statement
from kilter.reports.chart.mark import Dot, Points
from kilter.reports.chart.row_chart import Row, RowGroup, row_chart
from kilter.statistics.undefined import Undefined

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kilter.survey.analysis.adjustment import Adjustment, ParticipantEffect
    from kilter.survey.analysis.judgment_study import JudgmentStudy

    Floats = NDArray[np.float64]


def effect_figure(adjustment: Adjustment, *, simulated: bool) -> str:
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
        return statement(caption, Undefined("there is no participant"))
    ordered = sorted(adjustment.effects, key=lambda entry: (entry.effect, entry.participant))
    return row_chart(
        [RowGroup("", [Row(entry.participant, [_effect(entry)]) for entry in ordered])],
        caption=caption,
        axis=f"effect on scores from 0 to 1 (n = {counted(adjustment.judgments, 'judgment')})",
        keys=[Key("mean residual", "stroke", Style(INK, "", "", ""))],
        rule=0.0,
    )


def _effect(entry: ParticipantEffect) -> Dot:
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


def adjusted_figure(study: JudgmentStudy, adjustment: Adjustment, *, simulated: bool) -> str:
    """Return each participant's mean score, as given and without the participant's effect."""
    change = adjustment.change
    told = (
        f"t-test between original and adjusted scores: {change}"
        if isinstance(change, Undefined)
        else f"t-test between original and adjusted scores: t = {change.t:.3f}, {change.freedom} degrees "
        f"of freedom, p = {change.p:.3g}"
    )
    caption = Caption(
        title=f"Mean answers to {adjustment.question}, original and adjusted",
        notes=[told],
        simulated=simulated,
    )
    if not study.participants:
        return statement(caption, Undefined("there is no participant"))
    original = study.scores(adjustment.question)
    known = study.rows() & ~np.isnan(original)
    rows = []
    for place, person in enumerate(study.participants):
        chosen = known & (study.participant == place)
        rows.append(Row(person.id, [_means(original[chosen], adjustment.scores[chosen])]))
    return row_chart(
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

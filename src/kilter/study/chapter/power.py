"""The power of the next study, by simulation. Section 13.6"""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.counted import counted
from kilter.core.table import Table
from kilter.render.chart.chart import Curve, curve_chart
from kilter.render.chart.frame import Caption, statement
from kilter.render.page.sub_report import Cell, Figure, SubReport
from kilter.stats.undefined import Number, Undefined
from kilter.study.analysis.judgment_study import SentenceGroup
from kilter.study.analysis.power import Power, PowerDesign, simulated_power
from kilter.study.chapter.sample_size import LEVEL
from kilter.study.simulation.effect import Effects

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kilter.study.analysis.adjustment import Adjustment
    from kilter.study.analysis.judgment_study import JudgmentStudy

ACCURACIES = (0.1, 0.2, 0.3)


REPETITIONS = 500


_ENOUGH = 0.8
"""The power that studies are usually planned for."""


def power_report(
    study: JudgmentStudy, variances: Mapping[str, Adjustment], *, seed: int
) -> SubReport:
    """Return the sub-report of power by number of participants.

    `variances` are estimates with crossed effects, which tell noise from differences between sentences.
    """
    design = _design(study)
    curves: dict[str, list[tuple[float, Power]]] = {}
    rows = list[tuple[Cell, ...]]()
    people = len(study.participants)
    sizes = sorted({max(2, people // 4), max(2, people // 2), max(2, people), 2 * people})
    layouts = (
        {size: replace(design, participants=size).layout(seed=seed) for size in sizes}
        if design is not None
        else {}
    )
    for question in study.questions:
        effects = effects_like(variances.get(question.name))
        for accuracy in ACCURACIES:
            for size, layout in layouts.items():
                power = simulated_power(
                    layout,
                    effects=effects,
                    question=question.name,
                    accuracy=accuracy,
                    level=LEVEL,
                    repetitions=REPETITIONS,
                    seed=seed,
                )
                curves.setdefault(f"{question.name}, accuracy {accuracy:g}", []).append(
                    (size, power)
                )
                rows.append(
                    (question.name, accuracy, size, power.count, power.share, power.low, power.high,
                     power.rho, effects.participant_deviation, effects.noise_deviation)
                )  # fmt: skip
    columns = (
        "question", "accuracy", "participants", "sentences", "power", "low", "high", "mean rho",
        "participant_deviation", "noise_deviation",
    )  # fmt: skip
    return SubReport(
        name="power",
        title="Power by simulation",
        figures=(Figure(svg=power_figure(curves, x="participants", simulated=study.simulated)),),
        text=(_power_text(design, rows, people=max(2, people)),),
        data=Table(columns=columns, rows=tuple(rows)),
        shown=(Table(columns=columns[:8], rows=tuple(row[:8] for row in rows)),) if rows else (),
        notes=(
            (
                f"n: {REPETITIONS} simulated studies for each row; nobody was asked, also where the study is real. "
                "power: the share whose correlation is significant at 0.05 by the means of sentences, with a 95% "
                "interval."
            ),
            (
                "accuracy: correlation of a tool with the true quality of order. Participants and noise vary as in this "
                "study where that is known; all else is as 'kilter survey simulate' assumes."
            ),
        ),
    )


def _power_text(design: PowerDesign | None, rows: list[tuple[Cell, ...]], *, people: int) -> str:
    if design is None:
        return "There is no judged translation, and so no design to repeat."
    text = (
        f"Each simulated participant judges {design.sentences} translations, {design.shared} of them shared, as "
        "in this study."
    )
    if not rows:
        return f"{text} There is no question on a scale."
    found = "; ".join(
        f"{accuracy:g}: "
        + ", ".join(
            f"{row[0]} {row[4]:.0%}"
            for row in rows
            if (row[1], row[2]) == (accuracy, people) and isinstance(row[4], float)
        )
        for accuracy in ACCURACIES
    )
    return (
        f"{text} In so many of {REPETITIONS} such studies with {counted(people, 'participant')} the correlation of a tool is "
        f"significant, by how far the tool correlates with the true quality of order: {found}."
    )


def _design(study: JudgmentStudy) -> PowerDesign | None:
    chosen = study.rows(SentenceGroup.TRANSLATION)
    if not chosen.any():
        return None
    counts = np.bincount(study.participant[chosen], minlength=len(study.participants))
    sentences = max(1, int(np.median(counts)))
    judged_sentences = np.unique(study.sentence[chosen])
    shared = int(np.count_nonzero(study.shared[judged_sentences]))
    return PowerDesign(
        participants=len(study.participants), sentences=sentences, shared=min(shared, sentences)
    )


def effects_like(adjustment: Adjustment | None) -> Effects:
    """Return effects whose participants and noise vary as in the data; as usual where that is unknown."""
    usual = Effects()
    if adjustment is None:
        return usual
    return replace(
        usual,
        participant_deviation=_deviation(
            adjustment.participant_variance, usual.participant_deviation
        ),
        noise_deviation=_deviation(adjustment.residual_variance, usual.noise_deviation),
    )


def _deviation(variance: Number, usual: float) -> float:
    return usual if isinstance(variance, Undefined) else min(1.0, sqrt(variance))


def power_figure(
    powers: Mapping[str, Sequence[tuple[float, Power]]], *, x: str, simulated: bool
) -> str:
    """Return the power of designs by what `x` names, a curve for each name, with 95% intervals."""
    every = [power for points in powers.values() for _, power in points]
    if not every:
        caption = Caption(title="Power by simulation", simulated=simulated)
        return statement(caption, Undefined("no power was simulated"))
    first = every[0]
    caption = Caption(
        title="Power by simulation",
        notes=[
            (
                f"Share of {first.repetitions} simulated studies a point with a correlation that is "
                f"significant at {first.level:g}, with 95% intervals. Dashed: {_ENOUGH}."
            )
        ],
        simulated=simulated,
    )
    curves = [
        Curve(
            name=name,
            points=[(at, power.share) for at, power in points],
            intervals=[(power.low, power.high) for _, power in points],
        )
        for name, points in powers.items()
    ]
    return curve_chart(curves, caption=caption, x=x, y="power", reach=(0.0, 1.0), rule=_ENOUGH)

"""How large the next study should be. Section 13.6"""

from __future__ import annotations

from dataclasses import replace
from math import comb, sqrt
from typing import TYPE_CHECKING

import numpy as np

from kilter.reports.page.sub_report import Cell, Figure, ReportTable, SubReport, file_name
from kilter.reports.study.planning_figure import power_figure, sample_size_figure
from kilter.statistics.sample_size import sample_size
from kilter.statistics.undefined import Number, Undefined
from kilter.survey.analysis.judgment_study import TYPES, SentenceGroup
from kilter.survey.analysis.power import Power, PowerDesign, simulated_power
from kilter.survey.analysis.summary import summarise
from kilter.survey.simulation.effect import Effects

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kilter.survey.analysis.adjustment import Adjustment
    from kilter.survey.analysis.judgment_study import JudgmentStudy

DIFFERENCES = (0.05, 0.1, 0.15, 0.2, 0.25)
POWERS = (0.8, 0.9)
LEVEL = 0.05
ACCURACIES = (0.1, 0.2, 0.3)
REPETITIONS = 500


def sample_size_report(study: JudgmentStudy) -> SubReport:
    """Return the sub-report of judgments needed to tell two means apart."""
    rows = list[tuple[Cell, ...]]()
    text, figures = [], []
    for question in study.questions:
        found = summarise(study.scores(question.name)[study.rows()])
        text.append(f"{question.name}: {_deviation_text(found.deviation)}")
        if isinstance(found.deviation, float) and found.deviation > 0.0:
            drawn = sample_size_figure(deviation=found.deviation, simulated=study.simulated)
            figures.append(
                Figure(svg=drawn, name=file_name("figure", question.name), subject=question.name)
            )
        rows += [
            (question.name, found.count, found.deviation, difference, comparisons, power,
             _size(found.deviation, difference, comparisons, power))
            for comparisons in (1, comb(len(TYPES), 2))
            for power in POWERS
            for difference in DIFFERENCES
        ]  # fmt: skip
    return SubReport(
        name="sample-size",
        title="Sample size for a comparison of means",
        text=tuple(text),
        figures=tuple(figures),
        data=ReportTable(
            columns=("question", "n", "deviation", "difference", "comparisons", "power", "needed"),
            rows=tuple(rows),
        ),
        notes=(
            (
                "n: answers that the standard deviation is taken from, missing ones left out. needed: judgments per "
                "group = 2 (z_(1 - a/2k) + z_(1 - b))^2 s^2 / d^2, rounded up, for k two-tailed comparisons at the "
                f"level a = {LEVEL} and the power 1 - b."
            ),
            "Judgments are taken for independent; several of one participant or sentence are worth less.",
        ),
    )


def _deviation_text(deviation: Number) -> str:
    if isinstance(deviation, Undefined):
        return f"no sample size can be computed: {deviation.reason}."
    needed = _size(deviation, 0.1, 1, 0.8)
    if isinstance(needed, Undefined):
        return f"no sample size can be computed: {needed.reason}."
    return (
        f"with the standard deviation {deviation:.3f} of this study, {needed} judgments per group show a "
        "difference of 0.1 with a power of 0.8."
    )


def _size(deviation: Number, difference: float, comparisons: int, power: float) -> int | Undefined:
    if isinstance(deviation, Undefined):
        return deviation
    if deviation == 0.0:
        return Undefined("all answers are the same")
    return sample_size(
        deviation=deviation,
        difference=difference,
        level=LEVEL,
        power=power,
        comparisons=comparisons,
    )


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
    for question in study.questions if design is not None else ():
        effects = effects_like(variances.get(question.name))
        for accuracy in ACCURACIES:
            for size in sizes:
                assert design is not None  # noqa: S101 - no question without
                found = simulated_power(
                    replace(design, participants=size).layout(seed=seed),
                    effects=effects,
                    question=question.name,
                    accuracy=accuracy,
                    level=LEVEL,
                    repetitions=REPETITIONS,
                    seed=seed,
                )
                curves.setdefault(f"{question.name}, accuracy {accuracy:g}", []).append(
                    (size, found)
                )
                rows.append(
                    (question.name, accuracy, size, found.count, found.share, found.low, found.high,
                     found.rho, effects.participant_deviation, effects.noise_deviation)
                )  # fmt: skip
    columns = (
        "question", "accuracy", "participants", "sentences", "power", "low", "high", "mean rho",
        "participant_deviation", "noise_deviation",
    )  # fmt: skip
    return SubReport(
        name="power",
        title="Power by simulation",
        figures=(Figure(svg=power_figure(curves, x="participants", simulated=study.simulated)),),
        text=(_power_text(design, rows),),
        data=ReportTable(columns=columns, rows=tuple(rows)),
        shown=(ReportTable(columns=columns[:8], rows=tuple(row[:8] for row in rows)),)
        if rows
        else (),
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


def _power_text(design: PowerDesign | None, rows: list[tuple[Cell, ...]]) -> str:
    if design is None:
        return "There is no judged translation, and so no design to repeat."
    text = (
        f"Each simulated participant judges {design.sentences} translations, {design.shared} of them shared, as "
        "in this study."
    )
    if not rows:
        return f"{text} There is no question on a scale."
    return text


def _design(study: JudgmentStudy) -> PowerDesign | None:
    chosen = study.rows(SentenceGroup.TRANSLATION)
    if not chosen.any():
        return None
    counts = np.bincount(study.participant[chosen], minlength=len(study.participants))
    sentences = max(1, int(np.median(counts)))
    shown = np.unique(study.sentence[chosen])
    shared = int(np.count_nonzero(study.shared[shown]))
    return PowerDesign(
        participants=len(study.participants), sentences=sentences, shared=min(shared, sentences)
    )


def effects_like(found: Adjustment | None) -> Effects:
    """Return effects whose participants and noise vary as in the data; as usual where that is unknown."""
    usual = Effects()
    if found is None:
        return usual
    return replace(
        usual,
        participant_deviation=_deviation(found.participant_variance, usual.participant_deviation),
        noise_deviation=_deviation(found.residual_variance, usual.noise_deviation),
    )


def _deviation(variance: Number, usual: float) -> float:
    return usual if isinstance(variance, Undefined) else min(1.0, sqrt(variance))

"""How many judgments the next study needs. Section 13.6"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING

from kilter.core.counted import counted
from kilter.core.table import Table
from kilter.render.chart.chart import Curve, curve_chart
from kilter.render.chart.frame import Caption
from kilter.render.page.sub_report import Cell, Figure, SubReport, file_name
from kilter.stats.significance import sample_size
from kilter.stats.undefined import Number, Undefined
from kilter.study.analysis.summary import summarise
from kilter.study.judgments.judgment_study import TYPES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kilter.study.judgments.judgment_study import JudgmentStudy


DIFFERENCES = (0.05, 0.1, 0.15, 0.2, 0.25)


POWERS = (0.8, 0.9)


LEVEL = 0.05


_STEPS = range(2, 21)


def sample_size_report(study: JudgmentStudy) -> SubReport:
    """Return the sub-report of judgments needed to tell two means apart."""
    rows = list[tuple[Cell, ...]]()
    text, figures = [], []
    for question in study.questions:
        summary = summarise(study.scores(question.name)[study.rows()])
        text.append(f"{question.name}: {_deviation_text(summary.deviation)}")
        if isinstance(summary.deviation, float) and summary.deviation > 0.0:
            drawn = sample_size_figure(deviation=summary.deviation, simulated=study.simulated)
            figures.append(
                Figure(svg=drawn, name=file_name("figure", question.name), subject=question.name)
            )
        rows += [
            (question.name, summary.count, summary.deviation, difference, comparisons, power,
             _size(summary.deviation, difference, comparisons, power))
            for comparisons in (1, comb(len(TYPES), 2))
            for power in POWERS
            for difference in DIFFERENCES
        ]  # fmt: skip
    return SubReport(
        name="sample-size",
        title="Sample size for a comparison of means",
        text=tuple(text),
        figures=tuple(figures),
        data=Table(
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
        f"with the standard deviation {deviation:.3f} of this study, {needed} independent judgments per group are "
        "needed to show a difference of 0.1 with a power of 0.8."
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


def sample_size_figure(
    *,
    deviation: float,
    level: float = 0.05,
    comparisons: int = 1,
    powers: Sequence[float] = (0.8, 0.9),
    simulated: bool,
) -> str:
    """Return how many judgments a group needs by the difference of means, for each power."""
    curves = [
        Curve(
            name=f"power {power:g}",
            points=[
                (
                    step / 20 * deviation,
                    float(
                        sample_size(
                            deviation=deviation,
                            difference=step / 20 * deviation,
                            level=level,
                            power=power,
                            comparisons=comparisons,
                        )
                    ),
                )
                for step in _STEPS
            ],
        )
        for power in powers
    ]
    caption = Caption(
        title="Judgments needed to show a difference of means",
        notes=[
            (
                f"Standard deviation {deviation:.3g}, level {level:g}, two-tailed, "
                f"{counted(comparisons, 'comparison')}."
            )
        ],
        simulated=simulated,
    )
    return curve_chart(
        curves,
        caption=caption,
        x="true difference of means",
        y="judgments per group",
        log=True,
    )

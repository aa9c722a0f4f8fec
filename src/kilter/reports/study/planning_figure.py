"""Figures for planning: sample sizes and power. Section 13.6"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.counted import counted
from kilter.reports.chart.chart import Curve, curve_chart
from kilter.reports.chart.frame import Caption, statement
from kilter.statistics.sample_size import sample_size
from kilter.statistics.undefined import Undefined

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kilter.survey.analysis.power import Power

_ENOUGH = 0.8
"""The power that studies are usually planned for."""
_STEPS = range(2, 21)


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


def power_figure(
    powers: Mapping[str, Sequence[tuple[float, Power]]], *, x: str, simulated: bool
) -> str:
    """Return the power of designs by what `x` names, a curve for each name, with 95% intervals."""
    found = [power for points in powers.values() for _, power in points]
    if not found:
        caption = Caption(title="Power by simulation", simulated=simulated)
        return statement(caption, Undefined("no power was simulated"))
    first = found[0]
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

"""Figures of answers: use of levels, two questions together, types and degrees. Sections 13.1, 13.3"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

from kilter.counted import counted
from kilter.reports.chart.chart import Curve, curve_chart
from kilter.reports.chart.drawing import Style
from kilter.reports.chart.frame import Caption, Key, statement
from kilter.reports.chart.heat_map import heat_map
from kilter.reports.chart.mark import Stack, shade_of
from kilter.reports.chart.row_chart import Row, RowGroup, row_chart
from kilter.reports.chart.sentence_label import sentence_label
from kilter.statistics.undefined import Undefined

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kilter.survey.analysis.answer_distribution import LevelUse, QuestionTable
    from kilter.survey.analysis.permutation_degree import DegreeAnswers
    from kilter.survey.analysis.summary import Summary

_MOST_LEVELS = 11
_NORMAL = 1.959963984540054
"""The 97.5% quantile of the standard normal distribution."""


def level_figure(uses: Sequence[LevelUse], *, simulated: bool) -> str:
    """Return the share of each level by question and participant, all participants first."""
    questions = list(dict.fromkeys(use.question for use in uses))
    caption = Caption(
        title="Use of levels by participant",
        notes=["Numbers in bars are percentages; from the worst level, dark, to the best, white."],
        simulated=simulated,
    )
    if not uses:
        return statement(caption, Undefined("there is no question on a scale"))
    scales = {tuple(use.shares) for use in uses if not isinstance(use.shares, Undefined)}
    keys = list[Key]()
    if len(scales) == 1:
        (levels,) = scales
        keys = [
            Key(f"level {level}", "shade", Style(shade_of(place, len(levels)).fill, "", "", ""))
            for place, level in enumerate(levels)
        ]
    sections = [
        RowGroup(question, _level_rows([use for use in uses if use.question == question]))
        for question in questions
    ]
    few = keys if len(keys) <= _MOST_LEVELS else []
    return row_chart(sections, caption=caption, axis="share of answers", keys=few)


def _level_rows(uses: Sequence[LevelUse]) -> list[Row] | Undefined:
    known = [len(use.shares) for use in uses if not isinstance(use.shares, Undefined)]
    levels = max(known, default=0)
    if levels > _MOST_LEVELS:
        return Undefined(f"there are {levels} levels, too many for shares of each")
    return [Row(use.participant or "all participants", [_stack(use)]) for use in uses]


def _stack(use: LevelUse) -> Stack | Undefined:
    if isinstance(use.shares, Undefined):
        return use.shares
    missing = f", {use.missing} missing" if use.missing else ""
    return Stack(shares=list(use.shares.values()), text=f"n = {use.answered}{missing}")


def question_table_figure(table: QuestionTable | Undefined, *, simulated: bool) -> str:
    """Return the table of two questions as shaded cells with their counts."""
    if isinstance(table, Undefined):
        caption = Caption(title="Answers to two questions", simulated=simulated)
        return statement(caption, table)
    r = table.pearson
    caption = Caption(
        title=f"Answers to {table.rows} and {table.columns}: {sentence_label(table.sentences)}",
        notes=[
            f"n = {table.judgments} judgments with both answers, {table.missing} without; "
            + (f"Pearson's r {r}" if isinstance(r, Undefined) else f"Pearson's r = {r:.3f}")
        ],
        simulated=simulated,
    )
    return heat_map(
        table.counts,
        caption=caption,
        rows=(table.rows, [str(level) for level in table.row_levels]),
        columns=(table.columns, [str(level) for level in table.column_levels]),
    )


def degree_figure(answers: Sequence[DegreeAnswers], *, question: str, simulated: bool) -> str:
    """Return mean answers to a question with 95% intervals by degree, a curve for each type."""
    chosen = [entry for entry in answers if entry.question == question]
    kinds = list(dict.fromkeys(entry.type for entry in chosen))
    curves, notes = list[Curve](), list[str]()
    for number, kind in enumerate(kinds):
        found = [entry for entry in chosen if entry.type == kind]
        means = [(entry, mean_interval(entry.answers)) for entry in found]
        known = [(entry, mean) for entry, mean in means if not isinstance(mean, Undefined)]
        notes += [
            f"{kind}, degree {entry.degree}: {mean}"
            for entry, mean in means
            if isinstance(mean, Undefined)
        ]
        total = sum(entry.answers.count for entry in found)
        curves.append(
            Curve(
                name=f"{kind} (n = {counted(total, 'judgment')})",
                points=[(float(entry.degree), mean.value) for entry, mean in known],
                intervals=[(mean.low, mean.high) for _, mean in known],
                aside=5.0 * (number - (len(kinds) - 1) / 2),
            )
        )
    intervals = "Vertical lines are 95% intervals of the mean, judgments taken as independent."
    caption = Caption(
        title=f"Answers to {question} by type and degree of permutation",
        notes=[intervals, *notes],
        simulated=simulated,
    )
    if not curves:
        return statement(caption, Undefined("there is no judgment about a permutation"))
    return curve_chart(
        curves,
        caption=caption,
        x="degree",
        y="mean answer, from 0 (worst) to 1 (best)",
        reach=(0.0, 1.0),
    )


@dataclass(frozen=True, slots=True)
class MeanInterval:
    """A mean and the ends of its 95% interval."""

    value: float
    low: float
    high: float


def mean_interval(summary: Summary) -> MeanInterval | Undefined:
    """Return a mean with its 95% interval; a single value has no width.

    >>> from kilter.survey.analysis.summary import summarise
    >>> import numpy as np
    >>> mean_interval(summarise(np.array([0.5])))
    MeanInterval(value=0.5, low=0.5, high=0.5)
    """
    mean, deviation = summary.mean, summary.deviation
    if isinstance(mean, Undefined):
        return mean
    half = 0.0
    if not isinstance(deviation, Undefined):
        half = _NORMAL * deviation / sqrt(summary.count)
    return MeanInterval(mean, mean - half, mean + half)

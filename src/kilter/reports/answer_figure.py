"""Figures of answers: use of levels, two questions together, types and degrees. Sections 13.1, 13.3"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from kilter.reports.drawing import Style
from kilter.reports.frame import Caption, Key, statement
from kilter.reports.heat_map import heat_map
from kilter.reports.mark import Dot, Stack, shade_of
from kilter.reports.row_chart import Row, Section, row_chart
from kilter.structures.undefined import Undefined

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
        Section(question, _level_rows([use for use in uses if use.question == question]))
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
        title=f"Answers to {table.rows} and {table.columns}: {_sentences(str(table.sentences))}",
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


def _sentences(group: str) -> str:
    return {
        "all": "all sentences",
        "translation": "translations",
        "permutation": "permutations",
    }.get(group, f"permutations of type {group}")


def degree_figure(answers: Sequence[DegreeAnswers], *, simulated: bool) -> str:
    """Return mean answers with 95% intervals by type and degree of permutations."""
    caption = Caption(
        title="Answers by type and degree of permutation",
        notes=["Lines are 95% intervals of the mean, judgments taken as independent."],
        simulated=simulated,
    )
    if not answers:
        return statement(caption, Undefined("there is no judgment about a permutation"))
    questions = list(dict.fromkeys(entry.question for entry in answers))
    found = {(entry.type, entry.degree, entry.question): entry for entry in answers}
    sections = []
    for kind in dict.fromkeys(entry.type for entry in answers):
        degrees = sorted({entry.degree for entry in answers if entry.type == kind})
        rows = []
        for degree in degrees:
            entries = [found[kind, degree, question] for question in questions]
            rows.append(
                Row(
                    f"degree {degree} ({entries[0].sentences} sentences)",
                    [mean_dot(entry.answers) for entry in entries],
                )
            )
        sections.append(Section(str(kind), rows))
    return row_chart(
        sections,
        caption=caption,
        axis="mean answer, from 0 (worst) to 1 (best)",
        series=questions,
        reach=(0.0, 1.0),
    )


def mean_dot(summary: Summary) -> Dot | Undefined:
    """Return a mean with its 95% interval; without one for a single value."""
    if isinstance(summary.mean, Undefined):
        return summary.mean
    text = f"{summary.mean:.2f} (n = {summary.count})"
    if isinstance(summary.deviation, Undefined):
        return Dot(value=summary.mean, text=text)
    half = _NORMAL * summary.deviation / sqrt(summary.count)
    return Dot(value=summary.mean, low=summary.mean - half, high=summary.mean + half, text=text)

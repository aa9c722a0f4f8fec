"""Which levels participants use, and how answers to two questions go together. Section 13.1"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.counted import counted
from kilter.core.table import Table
from kilter.render.chart.drawing import Style
from kilter.render.chart.frame import Caption, Key, statement
from kilter.render.chart.heat_map import heat_map
from kilter.render.chart.mark import Stack, shade_of
from kilter.render.chart.row_chart import Row, RowGroup, row_pages
from kilter.render.page.sub_report import Cell, Figure, SubReport, figure_pages, file_name
from kilter.stats.correlation import pearson
from kilter.stats.undefined import Number, Undefined, number
from kilter.study.analysis.judged_correlation import LEAST_COMMON
from kilter.study.analysis.summary import SUMMARY, said, summarise, summary_cells
from kilter.study.judgments.judgment_study import SentenceGroup, sentence_label

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from kilter.io.judgments.survey_export import QuestionScale
    from kilter.study.judgments.judgment_study import JudgmentStudy


# A table with more rows or columns than this is not a table for people; sliders have more.
MOST_LEVELS = 11


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelUse:
    """The share of each level among one participant's answers to a question; all people's if None."""

    participant: str | None
    question: str
    answered: int
    missing: int
    shares: Mapping[int, float] | Undefined
    never_used: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionTable:
    """How often each two levels of two questions were given together; counts[row][column]."""

    rows: str
    columns: str
    sentences: SentenceGroup
    row_levels: tuple[int, ...]
    column_levels: tuple[int, ...]
    counts: tuple[tuple[int, ...], ...]
    judgments: int
    missing: int
    pearson: Number


def level_use(study: JudgmentStudy) -> tuple[LevelUse, ...]:
    """Return the use of levels by question: of all people first, then of each participant.

    Control items and pairs are left out.
    """
    rows = study.rows()
    uses = []
    for question in study.questions:
        levels = study.levels[question.name]
        uses.append(_use(question, None, levels[rows]))
        uses += [
            _use(question, person.id, levels[rows & (study.participant == place)])
            for place, person in enumerate(study.participants)
        ]
    return tuple(uses)


def _use(question: QuestionScale, participant: str | None, levels: NDArray[np.float64]) -> LevelUse:
    known = levels[~np.isnan(levels)]
    counts = {level: int(np.count_nonzero(known == level)) for level in question.levels}
    shares: Mapping[int, float] | Undefined = Undefined("there is no answer")
    if len(known):
        shares = {level: count / len(known) for level, count in counts.items()}
    return LevelUse(
        participant=participant,
        question=question.name,
        answered=len(known),
        missing=len(levels) - len(known),
        shares=shares,
        never_used=tuple(level for level, count in counts.items() if not count),
    )


def question_table(
    study: JudgmentStudy,
    *,
    rows: str = "holistic",
    columns: str = "order",
    sentences: SentenceGroup = SentenceGroup.ALL,
) -> QuestionTable | Undefined:
    """Return the table of two questions over a group of sentences, with Pearson's r."""
    asked = {question.name: question for question in study.questions}
    for name in (rows, columns):
        if name not in asked:
            return Undefined(f"the study has no question {name} on a scale")
        if len(asked[name].levels) > MOST_LEVELS:
            return Undefined(
                f"{name} has {len(asked[name].levels)} levels, too many for a table of answers"
            )
    chosen = study.rows(sentences)
    first, second = study.levels[rows][chosen], study.levels[columns][chosen]
    both = ~np.isnan(first) & ~np.isnan(second)
    first, second = first[both], second[both]
    judged = len(np.unique(study.sentence[chosen][both]))
    if judged < LEAST_COMMON:
        r = None
        reason = (
            f"{counted(judged, 'sentence')} with both answers; a correlation needs {LEAST_COMMON}"
        )
    else:
        r = float(pearson(first, second))
        reason = "all answers to a question are the same"
    return QuestionTable(
        rows=rows,
        columns=columns,
        sentences=sentences,
        row_levels=tuple(asked[rows].levels),
        column_levels=tuple(asked[columns].levels),
        counts=tuple(
            tuple(
                int(np.count_nonzero((first == a) & (second == b))) for b in asked[columns].levels
            )
            for a in asked[rows].levels
        ),
        judgments=len(first),
        missing=len(both) - len(first),
        pearson=number(r, reason),
    )


_TABLES = (SentenceGroup.ALL, SentenceGroup.TRANSLATION, SentenceGroup.PERMUTATION)


EVERYBODY = "all"


_PUBLISHED = ("holistic", "order")


def level_figures(uses: Sequence[LevelUse], *, simulated: bool) -> tuple[str, ...]:
    """Return the share of each level by question and participant, all participants first."""
    questions = list(dict.fromkeys(use.question for use in uses))
    caption = Caption(
        title="Use of levels by participant",
        notes=["Numbers in bars are percentages; from the worst level, dark, to the best, white."],
        simulated=simulated,
    )
    if not uses:
        return (statement(caption, Undefined("there is no question on a scale")),)
    scales = {tuple(use.shares) for use in uses if not isinstance(use.shares, Undefined)}
    keys = list[Key]()
    if len(scales) == 1:
        (levels,) = scales
        keys = [
            Key(f"level {level}", "shade", Style(shade_of(place, len(levels)).fill, "", "", ""))
            for place, level in enumerate(levels)
        ]
    sections = [
        RowGroup(question, _level_marks([use for use in uses if use.question == question]))
        for question in questions
    ]
    few = keys if len(keys) <= MOST_LEVELS else []
    return row_pages(sections, caption=caption, axis="share of answers", keys=few)


def _level_marks(uses: Sequence[LevelUse]) -> list[Row] | Undefined:
    known = [len(use.shares) for use in uses if not isinstance(use.shares, Undefined)]
    levels = max(known, default=0)
    if levels > MOST_LEVELS:
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


def level_report(study: JudgmentStudy) -> SubReport:
    """Return the sub-report of the use of levels."""
    uses = level_use(study)
    data = Table(
        columns=("participant", "question", "level", "share", "answered", "missing", "never used"),
        rows=tuple(row for use in uses for row in _level_rows(study, use)),
        left=2,
    )
    everybody = [use for use in uses if use.participant is None]
    return SubReport(
        name="levels",
        title="Use of the levels",
        text=tuple(_used(study, use, uses) for use in everybody),
        data=data,
        shown=tuple(_level_table(study, uses, question.name) for question in study.questions),
        figures=tuple(
            figure
            for question in study.questions
            if len(question.levels) <= MOST_LEVELS
            for figure in figure_pages(
                level_figures(
                    [use for use in uses if use.question == question.name],
                    simulated=study.simulated,
                ),
                name=file_name("figure", question.name),
                subject=question.name,
            )
        ),
        notes=(
            (
                "n: answers; missing: judgments without an answer to this question, which are left out of the "
                "shares. Control items are left out. Level 1 is the worst."
            ),
        ),
    )


def _used(study: JudgmentStudy, use: LevelUse, uses: tuple[LevelUse, ...]) -> str:
    idle = sum(
        bool(other.never_used) for other in uses
        if other.participant is not None and other.question == use.question
    )  # fmt: skip
    if isinstance(use.shares, Undefined):
        return f"{use.question}: {use.shares.reason}."
    if len(use.shares) > MOST_LEVELS:
        summary = summarise(study.levels[use.question][study.rows()])
        return (
            f"{use.question}: {counted(use.answered, 'answer')}, {use.missing} missing; on average "
            f"{said(summary.mean, digits=1)} on a scale from {min(use.shares)} to {max(use.shares)}."
        )
    top, bottom = max(use.shares), min(use.shares)
    return (
        f"{use.question}: {counted(use.answered, 'answer')}, {use.missing} missing; the best level has "
        f"{use.shares[top]:.1%} of the answers and the worst {use.shares[bottom]:.1%}. "
        f"{counted(idle, 'participant')} left a level unused."
    )


def _level_rows(study: JudgmentStudy, use: LevelUse) -> list[tuple[Cell, ...]]:
    levels = study.question(use.question).levels
    unused = " ".join(map(str, use.never_used))
    shares: dict[int, Cell] = {
        level: use.shares if isinstance(use.shares, Undefined) else use.shares[level]
        for level in levels
    }
    who = use.participant or EVERYBODY
    return [
        (who, use.question, level, shares[level], use.answered, use.missing, unused)
        for level in levels
    ]


def _level_table(study: JudgmentStudy, uses: tuple[LevelUse, ...], question: str) -> Table:
    levels = study.question(question).levels
    if len(levels) > MOST_LEVELS:
        return _scale_table(study, question)
    rows = []
    for use in uses:
        if use.question != question:
            continue
        shares = use.shares
        rows.append(
            (
                use.participant or EVERYBODY,
                use.answered,
                use.missing,
                *(shares if isinstance(shares, Undefined) else shares[level] for level in levels),
                " ".join(map(str, use.never_used)) or None,
            )
        )
    return Table(
        columns=("participant", "n", "missing", *map(str, levels), "never used"),
        rows=tuple(rows),
        title=f"Share of each level of {question} by participant",
    )


def _scale_table(study: JudgmentStudy, question: str) -> Table:
    """Return answers in short where there are too many levels to list."""
    rows = study.rows()
    everybody = [(EVERYBODY, rows)] + [
        (person.id, rows & (study.participant == place))
        for place, person in enumerate(study.participants)
    ]
    return Table(
        columns=("participant", *SUMMARY),
        rows=tuple(
            (who, *summary_cells(summarise(study.levels[question][chosen])))
            for who, chosen in everybody
        ),
        title=f"Answers to {question} by participant",
    )


def question_report(study: JudgmentStudy) -> SubReport:
    """Return the sub-report of two questions together, with Pearson's r."""
    first, second = _asked(study)
    tables = {
        group: question_table(study, rows=first, columns=second, sentences=group)
        for group in _TABLES
    }
    known = {group: table for group, table in tables.items() if not isinstance(table, Undefined)}
    data = Table(
        columns=(
            "sentences", first, second, "judgments", "all judgments", "missing", "Pearson r",
        ),
        rows=tuple(
            (str(group), row_level, level, count, table.judgments, table.missing, table.pearson)
            for group, table in known.items()
            for row_level, row in zip(table.row_levels, table.counts, strict=True)
            for level, count in zip(table.column_levels, row, strict=True)
        ),
    )  # fmt: skip
    reasons = {str(table) for table in tables.values() if isinstance(table, Undefined)}
    return SubReport(
        name="questions",
        title=f"Answers to {first} and {second} together",
        text=(_correlated(known), *(_together(table) for table in known.values()))
        if known
        else tuple(sorted(reasons)),
        data=data,
        shown=tuple(_square(table) for table in known.values()),
        figures=tuple(
            Figure(
                svg=question_table_figure(table, simulated=study.simulated),
                name=file_name("figure", group),
            )
            for group, table in tables.items()
        ),
        notes=(
            (
                "n: judgments with both answers; those without one of them are missing and left out. "
                "The lowest level is the worst."
            ),
        ),
    )


def _asked(study: JudgmentStudy) -> tuple[str, str]:
    """Return the two questions of [TH], or else the first two that were asked."""
    names = [question.name for question in study.questions]
    if {*_PUBLISHED} <= {*names} or len(names) < 2:
        return _PUBLISHED
    return names[0], names[1]


def _correlated(tables: Mapping[SentenceGroup, QuestionTable]) -> str:
    """Return how far the two questions go together, on all sentences and on each kind."""
    first = next(iter(tables.values()))
    listed = [
        f"{said(table.pearson)} on {_name(group).lower()}"
        for group, table in tables.items()
        if group is not SentenceGroup.ALL and table.judgments
    ]
    return (
        f"Answers to {first.rows} and {first.columns} correlate with Pearson's r = {said(first.pearson)} over "
        f"{counted(first.judgments, 'judgment')}{': ' * bool(listed)}{', '.join(listed)}."
    )


def _together(table: QuestionTable) -> str:
    last = (len(table.row_levels) - 1, len(table.column_levels) - 1)
    cells = table.counts
    return (
        f"{_name(table.sentences)}: {counted(table.judgments, 'judgment')} with both answers ({table.missing} without); "
        f"in {cells[last[0]][last[1]]} both are the best, in {cells[0][0]} both the worst, in {cells[0][last[1]]} {table.rows} is "
        f"the worst and {table.columns} the best, in {cells[last[0]][0]} the other way round."
    )


def _name(group: SentenceGroup) -> str:
    return "All sentences" if group is SentenceGroup.ALL else f"{str(group).capitalize()}s"


def _square(table: QuestionTable) -> Table:
    return Table(
        columns=(f"{table.rows} \\ {table.columns}", *map(str, table.column_levels), "sum"),
        rows=tuple(
            (str(level), *row, sum(row))
            for level, row in zip(table.row_levels, table.counts, strict=True)
        ),
        title=f"{_name(table.sentences)}: judgments by level of {table.rows} (rows) and of {table.columns} "
        "(columns)",
    )

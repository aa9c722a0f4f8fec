"""Participants in groups: the published splits, and any field. Section 13.5"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.counted import counted
from kilter.core.table import Table
from kilter.render.page.sub_report import SubReport, figure_pages, file_name
from kilter.stats.undefined import Undefined
from kilter.study.analysis.demographics import (
    FURTHER,
    OTHERS,
    field_label,
    field_number,
    field_value,
)
from kilter.study.analysis.tool_correlation import (
    NAMES,
    Correction,
    best_sentence,
    chosen,
    correlation_table,
    is_of,
    on_sentences_of,
    placed,
    range_text,
    side_by_side,
    tool_of,
)
from kilter.study.analysis.tool_name import tool_label
from kilter.study.judgments.judgment_study import REPORTED, SentenceGroup, sentence_label

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from kilter.study.analysis.judged_correlation import ToolCorrelation
    from kilter.study.judgments.judgment_study import JudgmentStudy


AGE = 30
LANGUAGE_POINTS = 11
EDUCATION = {
    "school or none": "up to undergraduate",
    "college diploma": "up to undergraduate",
    "undergraduate": "up to undergraduate",
    "masters": "masters or higher",
    "phd or higher": "masters or higher",
}


@dataclass(frozen=True, kw_only=True, eq=False)
class Subgroup:
    """Some participants, such as `age < 30`: how many, how many judgments, and which rows these are."""

    name: str
    participants: int
    judgments: int
    rows: NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True, eq=False)
class Split:
    """Participants by one field; those who left it empty are in no group.

    `hidden` are participants whose group is too small to be shown, by itself or with other small ones.
    """

    field: str
    groups: tuple[Subgroup, ...]
    missing: int
    hidden: int = 0


_TWO = 2


def published_splits(study: JudgmentStudy, *, smallest: int = 1) -> dict[str, Split | Undefined]:
    """Return the splits of [TH]: age 30, language points 11, education from Masters."""
    degrees = [field_value(person, "education") for person in study.participants]
    known = [EDUCATION.get((value or "").lower()) for value in degrees]
    return {
        "age": split_by(study, "age", threshold=AGE, smallest=smallest),
        "language_points": split_by(
            study, "language_points", threshold=LANGUAGE_POINTS, smallest=smallest
        ),
        "education": _split(
            study, "education", known, tuple(dict.fromkeys(EDUCATION.values())), smallest=smallest
        ),
    }


def further_splits(study: JudgmentStudy, *, smallest: int = 1) -> dict[str, Split | Undefined]:
    """Return splits by first language, disability and recruitment group, where answers differ."""
    splits = {}
    for name in FURTHER:
        if len({field_value(person, name) for person in study.participants} - {None}) > 1:
            splits[name] = split_by(study, name, smallest=smallest)
    return splits


def split_by(
    study: JudgmentStudy, field: str, *, threshold: float | None = None, smallest: int = 1
) -> Split | Undefined:
    """Return the groups by a field of participants: by value, or below and from a threshold.

    Groups with fewer participants than `smallest` are one group of other answers if these are enough
    together, and hidden otherwise; the sides of a threshold are hidden.
    """
    if threshold is None:
        values = [field_value(person, field) for person in study.participants]
        names: Sequence[str] = sorted({value for value in values if value is not None})
        return _split(study, field, values, names, smallest=smallest)
    names = (f"< {threshold:g}", f">= {threshold:g}")
    numbers = [field_number(person, field) for person in study.participants]
    sides = [None if np.isnan(value) else names[value >= threshold] for value in numbers]
    return _split(study, field, sides, names, answer="number", smallest=smallest)


def _split(
    study: JudgmentStudy,
    field: str,
    groups: list[str | None],
    names: Sequence[str],
    *,
    answer: str = "known answer",
    smallest: int,
) -> Split | Undefined:
    """Return a split by the group of each participant; groups without participants are kept."""
    if not any(group is not None for group in groups):
        return Undefined(f"no participant can be placed by {field}: nobody gave a {answer}")
    small = [name for name in names if 0 < groups.count(name) < smallest]
    together = sum(groups.count(name) for name in small)
    hidden = 0
    if answer != "number" and len(small) > 1 and together >= smallest:
        groups = [OTHERS if group in small else group for group in groups]
        names = [*(name for name in names if name not in small), OTHERS]
    else:
        hidden = together
        names = [name for name in names if name not in small]
    if smallest > 1 and sum(name in groups for name in names) < _TWO:
        return Undefined(
            f"fewer than two groups by {field_label(field)} have {smallest} participants, and smaller ones are "
            "not shown"
        )
    found = []
    for name in names:
        members = np.array([group == name for group in groups], dtype=np.bool_)
        rows = members[study.participant]
        found.append(
            Subgroup(
                name=f"{field_label(field)} {name}",
                participants=int(members.sum()),
                judgments=int(np.count_nonzero(rows & study.rows())),
                rows=rows,
            )
        )
    return Split(
        field=field,
        groups=tuple(found),
        missing=sum(group is None for group in groups),
        hidden=hidden,
    )


def subgroup_figures(
    rows: Sequence[ToolCorrelation],
    *,
    question: str,
    sentences: SentenceGroup,
    groups: Sequence[Subgroup],
    adjusted: bool = True,
    simulated: bool,
) -> tuple[str, ...]:
    """Return every tool's correlation with one question, subgroups of participants side by side."""
    chosen = on_sentences_of(rows, sentences, adjusted=adjusted)
    series = {
        group.name: {tool_of(row): row for row in chosen if is_of(row, question, group.name)}
        for group in groups
    }
    sizes = {
        group.name: f"{group.name} ({counted(group.participants, 'participant')}, "
        f"{counted(group.judgments, 'judgment')})"
        for group in groups
    }
    title = f"Correlation of tools with {question} by subgroup: {sentence_label(sentences)}"
    return side_by_side(series, sizes, title, adjusted=adjusted, simulated=simulated)


def split_report(
    splits: Mapping[str, Split | Undefined],
    rows: Mapping[str, Sequence[ToolCorrelation]] | None = None,
    *,
    best: ToolCorrelation | None = None,
    participants: int,
    smallest: int = 1,
) -> SubReport:
    """Return the sub-report of the sizes of groups, and of how far the best tool differs between them.

    `rows` are correlations of groups by the name of their split; `best` is the tool to look at.
    """
    text = [
        f"{name}: {split.reason}." for name, split in splits.items() if isinstance(split, Undefined)
    ]
    known = [split for split in splits.values() if not isinstance(split, Undefined)]
    return SubReport(
        name="subgroups",
        title="Groups of participants",
        text=(
            f"Participants are compared by {', '.join(map(field_label, splits)) or 'nothing'}.",
            *text,
            *([] if best is None else [_differences(splits, rows or {}, best)]),
        ),
        data=Table(
            columns=("field", "group", "participants", "judgments", "missing", "hidden"),
            rows=tuple(
                (
                    split.field,
                    group.name,
                    group.participants,
                    group.judgments,
                    split.missing,
                    split.hidden,
                )
                for split in known
                for group in split.groups
            ),
            left=2,
        ),
        notes=(
            (
                f"n: {counted(participants, 'participant')}; missing: participants without an answer to this field, "
                "who are in none of its groups; hidden: participants whose group is too small to be shown."
            ),
            *(
                [
                    (
                        f"Groups of fewer than {smallest} participants are one group of {OTHERS}, or hidden where "
                        "these are too few as well."
                    )
                ]
                if smallest > 1
                else []
            ),
        ),
    )


def _differences(
    splits: Mapping[str, Split | Undefined],
    rows: Mapping[str, Sequence[ToolCorrelation]],
    best: ToolCorrelation,
) -> str:
    """Return by which split the correlation of one tool differs most and least between groups."""
    differences = []
    for name in splits:
        values = {
            row.group: row.highest
            for row in rows.get(name, ())
            if (row.question, row.sentences, row.adjusted, row.name)
            == (best.question, best.sentences, best.adjusted, best.name)
            and isinstance(row.highest, float)
        }
        if len(values) > 1:
            low, high = min(values, key=values.__getitem__), max(values, key=values.__getitem__)
            differences.append(
                (
                    values[high] - values[low],
                    f"by {field_label(name)} ({high}: {values[high]:.3f}, {low}: {values[low]:.3f})",
                )
            )
    if not differences:
        return "No two groups can be compared."
    most, least = max(differences), min(differences)
    told = f"{'most ' if most is not least else ''}{most[1]}"
    if most is not least:
        told += f" and least {least[1]}"
    return (
        f"The largest correlation of {tool_label(best.tool, best.variant)} with {best.question} on "
        f"{NAMES[best.sentences]} differs {told}. No difference between groups is tested."
    )


def subgroup_report(
    name: str,
    split: Split | Undefined,
    rows: Sequence[ToolCorrelation],
    *,
    adjusted: bool,
    correction: Correction,
    simulated: bool,
) -> SubReport:
    """Return the sub-report of the correlations of each group of one split."""
    questions = list(dict.fromkeys(row.question for row in rows))
    called = field_label(name)
    groups = () if isinstance(split, Undefined) else split.groups
    text = (str(split).capitalize() + ".",) if isinstance(split, Undefined) else tuple(
        f"{group.name} ({counted(group.participants, 'participant')}, "
        f"{counted(group.judgments, 'judgment')}): "
        + best_sentence(
            *(
                [row for row in chosen(rows, sentences=SentenceGroup.TRANSLATION, adjusted=side)
                 if row.group == group.name and row.question == question]
                for side in (adjusted, False)
            )
        )
        for group in groups
        for question in questions
    )  # fmt: skip
    tables = tuple(
        table
        for question in questions
        for kind in REPORTED
        if (
            table := _table(
                [row for row in rows if row.sentences is kind and row.question == question],
                [group.name for group in groups], question, kind, correction, adjusted=adjusted,
            )
        ).rows
    )  # fmt: skip
    return SubReport(
        name=file_name("subgroup", name),
        title=f"Correlation by {called}",
        figures=tuple(
            figure
            for question in questions
            for figure in figure_pages(
                subgroup_figures(
                    rows,
                    question=question,
                    sentences=SentenceGroup.TRANSLATION,
                    groups=groups,
                    adjusted=adjusted,
                    simulated=simulated,
                ),
                name=file_name("figure", question),
                subject=called,
            )
        ),
        text=text,
        data=correlation_table(rows, intervals=False),
        shown=tables,
        notes=(
            (
                "n: judgments of the group with answer and score, in CSV and JSON for each configuration; missing "
                "answers are left out. Adjusted answers are those that were estimated on everybody."
            ),
            "The largest correlation over configurations, the smallest in brackets; stars as for all participants.",
        ),
    )


def _table(
    rows: Sequence[ToolCorrelation],
    groups: Sequence[str],
    question: str,
    kind: SentenceGroup,
    correction: Correction,
    *,
    adjusted: bool,
) -> Table:
    by_tool = {(row.tool, row.variant, row.group, row.adjusted): row for row in rows}
    tools = list(dict.fromkeys((row.tool, row.variant) for row in sorted(rows, key=placed)))
    sides = {"": False, ", adjusted": True} if adjusted else {"": False}
    return Table(
        columns=("tool", *(f"{group}{named}" for group in groups for named in sides)),
        rows=tuple(
            (
                tool_label(*tool),
                *(
                    range_text(by_tool[*tool, group, side], correction)
                    for group in groups
                    for side in sides.values()
                ),
            )
            for tool in tools
        ),
        title=f"Spearman's rho with {question} on {NAMES[kind]}",
    )

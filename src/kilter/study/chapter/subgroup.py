"""The same correlations for groups of participants. Section 13.5"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.core.counted import counted
from kilter.core.table import Table
from kilter.render.page.sub_report import SubReport, figure_pages, file_name
from kilter.stats.undefined import Undefined
from kilter.study.analysis.demographics import field_label
from kilter.study.analysis.judgment_study import REPORTED, SentenceGroup
from kilter.study.analysis.subgroup import OTHERS
from kilter.study.chapter.correlation_figure import is_of, on_sentences_of, side_by_side, tool_of
from kilter.study.chapter.sentence_label import sentence_label
from kilter.study.chapter.tool_correlation import (
    NAMES,
    Correction,
    best_sentence,
    chosen,
    correlation_table,
    placed,
    range_text,
)
from kilter.study.chapter.tool_label import tool_label

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kilter.study.analysis.subgroup import Split, Subgroup
    from kilter.study.analysis.tool_correlation import ToolCorrelation


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
    """Return how far the correlation of one tool differs between the groups of each split."""
    told = []
    for name in splits:
        values = {
            row.group: row.highest
            for row in rows.get(name, ())
            if (row.question, row.sentences, row.adjusted, row.name)
            == (best.question, best.sentences, best.adjusted, best.name)
            and isinstance(row.highest, float)
        }
        if len(values) > 1:
            told.append(", ".join(f"{group} {value:.3f}" for group, value in values.items()))
    if not told:
        return "No two groups can be compared."
    return (
        f"The largest correlation of {tool_label(best.tool, best.variant)} with {best.question} on "
        f"{NAMES[best.sentences]} is, by group: {'; '.join(told)}. No difference between groups is tested."
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

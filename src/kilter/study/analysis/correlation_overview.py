"""Correlations of every tool on all kinds of sentences side by side. Section 13.3"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.core.table import Table
from kilter.render.chart.frame import Caption, statement
from kilter.render.chart.mark import Points
from kilter.render.chart.row_chart import Row, RowGroup, row_chart, row_pages
from kilter.render.page.sub_report import Figure, SubReport, figure_pages, file_name
from kilter.stats.undefined import Undefined
from kilter.study.analysis.tool_correlation import (
    Correction,
    by_family_rows,
    placed,
    range_text,
    without_further,
)
from kilter.study.analysis.tool_name import ToolFamily, tool_family, tool_label
from kilter.study.judgments.judgment_study import REPORTED, SentenceGroup, sentence_label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kilter.study.analysis.judged_correlation import ToolCorrelation


_KEY = ("question", "kind of sentences", "adjusted", "tool", "variant")


def overview_report(
    rows: Sequence[ToolCorrelation], *, adjusted: bool, correction: Correction, simulated: bool
) -> SubReport:
    """Return the sub-report of all tools by kind of sentence; people see adjusted values where there are any."""
    questions = list(dict.fromkeys(row.question for row in rows))
    chosen = [row for row in rows if row.adjusted is adjusted]
    best = best_of_families(chosen)
    pictured, _ = without_further(chosen)
    return SubReport(
        name="overview",
        title="All tools on all kinds of sentences",
        text=_families(best),
        data=Table(
            columns=(*_KEY, "highest", "lowest", "missing", "judged"),
            rows=tuple(
                (row.question, str(row.sentences), row.adjusted, row.tool, row.variant, row.highest,
                 row.lowest, row.missing, row.judged)
                for row in rows
            ),
            left=len(_KEY),
        ),
        shown=tuple(_table(pictured, question, correction) for question in questions),
        figures=(
            Figure(
                svg=best_figure(best, adjusted=adjusted, simulated=simulated), name="figure-best"
            ),
            *(
                figure
                for question in questions
                for figure in figure_pages(
                    overview_figures(pictured, question=question, simulated=simulated),
                    name=file_name("figure", question),
                )
            ),
        ),
        notes=(
            (
                "n: judgments with answer and score, in the tables of each kind of sentence; missing answers are left out. "
                "The largest correlation over configurations, the smallest in brackets; stars as there, answers "
                f"{'adjusted' if adjusted else 'unadjusted'}."
            ),
        ),
    )  # fmt: skip


def best_of_families(rows: Sequence[ToolCorrelation]) -> list[ToolCorrelation]:
    """Return, of each family, both questions' rows on translations of the tool that is best on order.

    Only tools that scored nine in ten sentences are compared. Without a question of order the first counts.
    """
    on = [row for row in rows if row.sentences is SentenceGroup.TRANSLATION]
    asked = _deciding(on)
    best: dict[ToolFamily, tuple[float, str]] = {}
    for row in on:
        if row.question == asked and row.covers_all and isinstance(row.highest, float):
            family = tool_family(row.tool, row.variant, external=row.external)
            best[family] = max(best.get(family, (-2.0, "")), (row.highest, row.name))
    names = [best[family][1] for family in ToolFamily if family in best]
    return [row for name in names for row in on if row.name == name]


def _deciding(rows: Sequence[ToolCorrelation]) -> str:
    """Return the question by which tools are the best: order, or else the first."""
    questions = list(dict.fromkeys(row.question for row in rows))
    return "order" if "order" in questions else next(iter(questions), "")


def best_on_order(rows: Sequence[ToolCorrelation]) -> ToolCorrelation | None:
    """Return the row of the tool that correlates most with order on translations, None if there is none."""
    listed = [
        (row.highest, row) for row in best_of_families(rows) if isinstance(row.highest, float)
    ]
    asked = [pair for pair in listed if pair[1].question == "order"] or listed
    return max(asked, key=lambda pair: pair[0])[1] if asked else None


def _families(best: Sequence[ToolCorrelation]) -> tuple[str, ...]:
    found = []
    for question in dict.fromkeys(row.question for row in best):
        listed = [
            f"{tool_label(row.tool, row.variant)} {row.highest:.3f} "
            f"({tool_family(row.tool, row.variant, external=row.external)})"
            for row in best
            if row.question == question and isinstance(row.highest, float)
        ]
        found.append(
            f"Correlations of the best tools with {question} on translations: {', '.join(listed)}."
        )
    lead = f"The best tool of a family is the one that correlates most with {_deciding(best)} on translations."
    return (lead, *found) if found else ("No tool has a correlation on translations.",)


def best_figure(best: Sequence[ToolCorrelation], *, adjusted: bool, simulated: bool) -> str:
    """Return the largest correlation of the best tool of each family, a marker for each question."""
    caption = Caption(
        title=f"The best tool of each family on translations ({'adjusted' if adjusted else 'unadjusted'})",
        notes=[
            *([f"Best: the largest correlation with {_deciding(best)}."] if best else []),
            "The largest over configurations, of tools that scored nine in ten sentences.",
        ],
        simulated=simulated,
    )
    if not best:
        return statement(caption, Undefined("no tool has a correlation on translations"))
    questions = list(dict.fromkeys(row.question for row in best))
    by_tool = {(row.tool, row.variant, row.question): row for row in best}
    rows = [
        Row(
            f"{tool_label(row.tool, row.variant)} "
            f"({tool_family(row.tool, row.variant, external=row.external)})",
            [_points([by_tool.get((row.tool, row.variant, question)) for question in questions])],
        )
        for row in {(row.tool, row.variant): row for row in best}.values()
    ]
    return row_chart(
        [RowGroup("", rows)], caption=caption, axis="Spearman's rho", series=questions, reach=(0.0,)
    )


def _table(rows: Sequence[ToolCorrelation], question: str, correction: Correction) -> Table:
    of_question = [row for row in rows if row.question == question]
    kinds = [kind for kind in REPORTED if any(row.sentences is kind for row in of_question)]
    by_tool = {(row.sentences, row.tool, row.variant): row for row in of_question}
    return Table(
        columns=("tool", *map(str, kinds)),
        rows=by_family_rows(
            of_question,
            lambda tool: tuple(
                range_text(by_tool[kind, *tool], correction)
                if (kind, *tool) in by_tool
                else _INAPPLICABLE
                for kind in kinds
            ),
            columns=len(kinds),
        ),
        title=f"Spearman's rho with {question} by kind of sentence",
    )


_INAPPLICABLE = Undefined("the tool does not score such sentences")


def overview_figures(
    rows: Sequence[ToolCorrelation], *, question: str, simulated: bool
) -> tuple[str, ...]:
    """Return the largest correlation of every tool, a marker for each kind of sentence."""
    chosen = [row for row in rows if row.question == question]
    kinds = [kind for kind in REPORTED if any(row.sentences is kind for row in chosen)]
    caption = Caption(
        title=f"Correlation of tools with {question} by kind of sentence",
        notes=["The largest over configurations. f: flattened."],
        simulated=simulated,
    )
    if not chosen:
        return (statement(caption, Undefined("no tool was correlated with these judgments")),)
    by_tool = {(row.sentences, row.tool, row.variant): row for row in chosen}
    groups: dict[ToolFamily, list[Row]] = {family: [] for family in ToolFamily}
    for row in {(row.tool, row.variant): row for row in sorted(chosen, key=placed)}.values():
        marks = [by_tool.get((kind, row.tool, row.variant)) for kind in kinds]
        family = tool_family(row.tool, row.variant, external=row.external)
        groups[family].append(Row(tool_label(row.tool, row.variant), [_points(marks)]))
    return row_pages(
        [RowGroup(str(family), listed) for family, listed in groups.items() if listed],
        caption=caption,
        axis="Spearman's rho",
        series=[sentence_label(kind) for kind in kinds],
        rule=0.0,
    )


def _points(rows: Sequence[ToolCorrelation | None]) -> Points | Undefined:
    values = [row.highest if row and isinstance(row.highest, float) else None for row in rows]
    if all(value is None for value in values):
        return Undefined("no correlation on any kind of sentence")
    return Points(
        values=values,
        text=", ".join("-" if value is None else f"{value:.2f}" for value in values),
    )

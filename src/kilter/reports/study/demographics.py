"""Who took part. Section 13.1"""

from __future__ import annotations

from math import floor
from typing import TYPE_CHECKING

from kilter.counted import counted
from kilter.reports.chart.frame import Caption
from kilter.reports.chart.row_chart import RowGroup, count_rows, row_pages
from kilter.reports.page.sub_report import Cell, ReportTable, SubReport, figure_pages
from kilter.reports.study.summary_cell import SUMMARY, said, summary_cells
from kilter.statistics.undefined import Undefined
from kilter.survey.analysis.demographics import demographics

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kilter.survey.analysis.demographics import FieldDescription
    from kilter.survey.analysis.judgment_study import JudgmentStudy

_ABSENT = "absent"


_MOST_VALUES = 12


def participant_report(study: JudgmentStudy) -> SubReport:
    """Return the sub-report of demographics."""
    fields = demographics(study)
    rows = list[tuple[Cell, ...]]()
    summaries = list[tuple[Cell, ...]]()
    for name, field in fields.items():
        if isinstance(field, Undefined):
            rows.append((name, _ABSENT, field, field, 0, len(study.participants)))
            continue
        rows += [
            (name, value, count, count / field.answered, field.answered, field.missing)
            for value, count in field.counts.items()
        ]
        if field.summary is not None:
            summaries.append((name, *summary_cells(field.summary)))
    data = ReportTable(
        columns=("field", "answer", "participants", "share", "answered", "missing"),
        rows=tuple(rows),
        left=2,
        caption="Answers of participants about themselves",
    )
    shown = ReportTable(
        columns=("field", *SUMMARY),
        rows=tuple(summaries),
        caption="Participants in numbers",
    )
    return SubReport(
        name="participants",
        title="Participants",
        text=(_people(study, fields),),
        data=data,
        shown=(shown, data),
        notes=(
            (
                f"n: {counted(len(study.participants), 'participant')} with a judgment; {study.idle} more took "
                "part and judged nothing, and are in no table."
            ),
            "Shares are of those who answered; missing are participants without an answer.",
        ),
        figures=figure_pages(demographics_figures(fields, simulated=study.simulated)),
    )


def _people(study: JudgmentStudy, fields: dict[str, FieldDescription | Undefined]) -> str:
    text = (
        f"{counted(len(study.participants), 'participant')} gave "
        f"{counted(len(study), 'judgment')} of {counted(_shown(study), 'sentence')}."
    )
    age = fields["age"]
    if isinstance(age, Undefined):
        return f"{text} Their age is unknown: {age.reason}."
    assert age.summary is not None  # noqa: S101 - ages are numbers
    return (
        f"{text} Their mean age is {said(age.summary.mean, digits=1)} (standard deviation "
        f"{said(age.summary.deviation, digits=1)})."
    )


def _shown(study: JudgmentStudy) -> int:
    return len(set(study.sentence.tolist()))


def demographics_figures(
    fields: Mapping[str, FieldDescription | Undefined], *, simulated: bool
) -> tuple[str, ...]:
    """Return what participants said of themselves, field by field."""
    sections = [
        RowGroup(name.replace("_", " "), described)
        if isinstance(described, Undefined)
        else RowGroup(_field_heading(described), count_rows(_values(described)))
        for name, described in fields.items()
    ]
    caption = Caption(title="Participants", simulated=simulated)
    return row_pages(sections, caption=caption, axis="participants", whole=True)


def _field_heading(described: FieldDescription) -> str:
    parts = [f"n = {described.answered}"]
    if described.missing:
        parts.append(f"{described.missing} missing")
    summary = described.summary
    if summary is not None and not isinstance(summary.mean, Undefined):
        parts.append(f"mean {summary.mean:.1f}")
        if not isinstance(summary.deviation, Undefined):
            parts.append(f"standard deviation {summary.deviation:.1f}")
    return f"{described.field.replace('_', ' ')} ({', '.join(parts)})"


def _values(described: FieldDescription) -> Mapping[str, int]:
    """Return counts by answer: numbers in their order, many of them in steps; names as they are."""
    try:
        numbers = sorted((float(value), count) for value, count in described.counts.items())
    except ValueError:
        return described.counts
    if described.summary is None:
        return described.counts
    if len(numbers) <= _MOST_VALUES:
        return {f"{value:g}": count for value, count in numbers}
    step = next(
        step * 10**power
        for power in range(300)
        for step in (1, 2, 5)
        if (numbers[-1][0] - numbers[0][0]) / (step * 10**power) < _MOST_VALUES
    )
    grouped: dict[str, int] = {}
    first, last = (floor(value / step) for value in (numbers[0][0], numbers[-1][0]))
    for place in range(first, last + 1):
        name = f"{place * step} to under {(place + 1) * step}"
        grouped[name] = sum(c for value, c in numbers if floor(value / step) == place)
    return grouped

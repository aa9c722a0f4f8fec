"""Who took part: age, gender, nationality, education, languages, recruitment. Section 13.1"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from math import floor
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.counted import counted
from kilter.core.table import Table
from kilter.io.table import number
from kilter.render.chart.frame import Caption
from kilter.render.chart.row_chart import RowGroup, count_rows, row_pages
from kilter.render.page.sub_report import Cell, SubReport, figure_pages
from kilter.stats.undefined import Undefined
from kilter.study.analysis.summary import SUMMARY, Summary, said, summarise, summary_cells
from kilter.study.judgments.judgment_study import RecruitedGroup

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kilter.study.judgments.judgment_study import JudgmentStudy, StudyParticipant


NUMERIC = ("age", "grammar_attention", "number_of_languages", "language_points")
NAMED = ("gender", "nationality", "education")
FURTHER = ("first_language_english", "disability", "group")
FURTHER_NUMERIC = ("years_fluent",)
"""What not every study asks: described where somebody has answered."""
LABELS = {"first_language_english": "English first language", "group": "recruitment group"}
"""What fields are called where their name says too little."""
OTHERS = "other answers"
"""What groups that were too small by themselves are called together."""
_LANGUAGE = re.compile(r"(?:^|; )[^;()]+ \([^();]*\)")


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldDescription:
    """One thing that participants said; `summary` only where answers are numbers."""

    field: str
    answered: int
    missing: int
    counts: Mapping[str, int]
    summary: Summary | None


def demographics(study: JudgmentStudy) -> dict[str, FieldDescription | Undefined]:
    """Return what is known of the participants, by field; a field that nobody filled in is undefined.

    First language, years of English, disability and recruitment group are there if anybody has one.
    """
    described = {name: _described(study.participants, name) for name in (*NAMED, *NUMERIC)}
    further = {name: _described(study.participants, name) for name in (*FURTHER, *FURTHER_NUMERIC)}
    return described | {
        name: field for name, field in further.items() if not isinstance(field, Undefined)
    }


def field_label(name: str) -> str:
    """Return what a field is called for people.

    >>> field_label("group"), field_label("language_points")
    ('recruitment group', 'language points')
    """
    return LABELS.get(name, name.replace("_", " "))


def field_value(participant: StudyParticipant, name: str) -> str | None:
    """Return what a participant said; `number_of_languages` counts those in `languages`.

    Of a disability only yes or no counts: what somebody wrote about it is in no analysis.
    """
    if name == "disability":
        told = participant.fields.get(name)
        return None if told is None else "no" if told.strip().lower() == "no" else "yes"
    if name != "number_of_languages":
        return participant.fields.get(name)
    languages = participant.fields.get("languages")
    return None if languages is None else str(len(_LANGUAGE.findall(languages)))


def field_number(participant: StudyParticipant, name: str) -> float:
    """Return what a participant said as a number, NaN if there is none."""
    value = field_value(participant, name)
    value_found = None if value is None else number(value)
    return float("nan") if value_found is None else value_found


def _described(participants: Sequence[StudyParticipant], name: str) -> FieldDescription | Undefined:
    values = [field_value(participant, name) for participant in participants]
    known = [value for value in values if value is not None]
    if not known:
        return Undefined(f"no participant said anything about {name}")
    numbers = np.array([field_number(participant, name) for participant in participants])
    return FieldDescription(
        field=name,
        answered=len(known),
        missing=len(values) - len(known),
        counts=dict(sorted(Counter(known).items(), key=lambda entry: (-entry[1], entry[0]))),
        summary=summarise(numbers) if name in NUMERIC + FURTHER_NUMERIC else None,
    )


_YEARS = ("age", "years_fluent")
"""Fields of whole years, which are shown without decimals."""


def _rounded(name: str, cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """Return numbers as people read them: years as whole numbers, others with one decimal."""
    digits = 0 if name in _YEARS else 1
    return tuple(f"{cell:.{digits}f}" if isinstance(cell, float) else cell for cell in cells)


_ABSENT = "absent"
_ALL = "all answers"


_MOST_VALUES = 12


def participant_report(study: JudgmentStudy, *, smallest: int = 1) -> SubReport:
    """Return the sub-report of demographics; answers of fewer participants than `smallest` are put together."""
    fields = demographics(study)
    rows = list[tuple[Cell, ...]]()
    summaries = list[tuple[Cell, ...]]()
    for name, field in fields.items():
        if isinstance(field, Undefined):
            rows.append((name, _ABSENT, field, field, 0, len(study.participants)))
            continue
        rows += [
            (name, value, count, count / field.answered, field.answered, field.missing)
            for value, count in answer_counts(field, smallest=smallest).items()
        ]
        if field.summary is not None:
            summaries.append(
                (name, *_rounded(name, summary_cells(_allowed(field, field.summary, smallest))))
            )
    data = Table(
        columns=("field", "answer", "participants", "share", "answered", "missing"),
        rows=tuple(rows),
        left=2,
        title="Answers of participants about themselves",
    )
    shown = Table(
        columns=("field", *SUMMARY),
        rows=tuple(summaries),
        title="Participants in numbers",
    )
    return SubReport(
        name="participants",
        title="Participants",
        text=(_people(study, fields, smallest),),
        data=data,
        shown=(shown, data),
        notes=(
            (
                f"n: {counted(len(study.participants), 'participant')} with a judgment; {study.idle} more took "
                "part and judged nothing, and are in no table."
            ),
            *(
                [
                    (
                        f"{counted(study.unknown, 'participant')} with a judgment "
                        f"{'is' if study.unknown == 1 else 'are'} not in the table of participants: nothing is "
                        "known of them here."
                    )
                ]
                if study.unknown
                else []
            ),
            "Shares are of those who answered; missing are participants without an answer.",
            *(
                [
                    (
                        f"Answers of fewer than {smallest} participants are put together: those of names as "
                        f"{OTHERS}, numbers with their neighbours. Of numbers that fewer gave, no mean, deviation or "
                        "median is shown, and an end only if as many gave it. Of a disability only yes or no is counted."
                    )
                ]
                if smallest > 1
                else []
            ),
        ),
        figures=figure_pages(
            demographics_figures(fields, smallest=smallest, simulated=study.simulated)
        ),
    )


def _allowed(described: FieldDescription, summary: Summary, smallest: int) -> Summary:
    """Return a summary without what would tell about fewer participants than `smallest`."""
    if summary.count < smallest:
        few = Undefined(
            f"{counted(summary.count, 'participant')} said it, and fewer than {smallest} are not shown"
        )
        return replace(summary, mean=few, deviation=few, median=few, lowest=few, highest=few)
    ends = [
        value
        if sum(count for said, count in described.counts.items() if number(said) == value)
        >= smallest
        else Undefined(f"fewer than {smallest} participants gave it")
        for value in (summary.lowest, summary.highest)
    ]
    return summary if smallest <= 1 else replace(summary, lowest=ends[0], highest=ends[1])


def _people(
    study: JudgmentStudy, fields: dict[str, FieldDescription | Undefined], smallest: int
) -> str:
    text = (
        f"{counted(len(study.participants), 'participant')} gave "
        f"{counted(len(study), 'judgment')} of {counted(_shown(study), 'sentence')}."
    )
    age = fields["age"]
    if isinstance(age, Undefined):
        return f"{text} Their age is unknown: {age.reason}."
    assert age.summary is not None  # noqa: S101 - ages are numbers
    summary = _allowed(age, age.summary, smallest)
    if isinstance(summary.mean, Undefined):
        return f"{text} Their age is not shown: {summary.mean.reason}."
    return (
        f"{text} Their mean age is {said(summary.mean, digits=0)} (standard deviation "
        f"{said(summary.deviation, digits=0)})."
    )


def _shown(study: JudgmentStudy) -> int:
    return len(set(study.sentence.tolist()))


def demographics_figures(
    fields: Mapping[str, FieldDescription | Undefined], *, smallest: int = 1, simulated: bool
) -> tuple[str, ...]:
    """Return what participants said of themselves, field by field."""
    sections = [
        RowGroup(field_label(name), described)
        if isinstance(described, Undefined)
        else RowGroup(
            _field_heading(described, smallest),
            count_rows(answer_counts(described, smallest=smallest)),
        )
        for name, described in fields.items()
    ]
    caption = Caption(title="Participants", simulated=simulated)
    return row_pages(sections, caption=caption, axis="participants", whole=True)


def _field_heading(described: FieldDescription, smallest: int) -> str:
    parts = [f"n = {described.answered}"]
    if described.missing:
        parts.append(f"{described.missing} missing")
    summary = described.summary
    summary = None if summary is None else _allowed(described, summary, smallest)
    if summary is not None and not isinstance(summary.mean, Undefined):
        digits = 0 if described.field in _YEARS else 1
        parts.append(f"mean {summary.mean:.{digits}f}")
        if not isinstance(summary.deviation, Undefined):
            parts.append(f"standard deviation {summary.deviation:.{digits}f}")
    return f"{field_label(described.field)} ({', '.join(parts)})"


def answer_counts(described: FieldDescription, *, smallest: int = 1) -> Mapping[str, int]:
    """Return participants by answer: numbers in their order, many of them in steps; names as they are.

    What fewer than `smallest` gave is put together: numbers with their neighbours, names as other answers,
    of which there are at least so many unless all answers are in one. The ends of what was put together are
    left open, since they are what one participant said.
    """
    try:
        numbers = sorted((float(value), count) for value, count in described.counts.items())
    except ValueError:
        numbers = []
    if described.summary is None or not numbers:
        return _merged_names(described.counts, smallest)
    many = len(numbers) > _MOST_VALUES
    bins = _bins(numbers, _step(numbers[-1][0] - numbers[0][0]) if many else None)
    merged = _merged_bins(bins, smallest)
    names = [_bin_name(low, high, under=many) for low, high, _ in merged]
    if merged[0] != bins[0]:
        names[0] = f"{'under' if many else 'up to'} {merged[0][1]:g}"
    if merged[-1] != bins[-1]:
        names[-1] = f"{merged[-1][0]:g} or more"
    if len(merged) == 1 and (merged[0] != bins[0] or merged[0][2] < smallest):
        names = [_ALL]
    return dict(zip(names, (count for *_, count in merged), strict=True))


def _step(span: float) -> int:
    return next(
        step * int(10**power)
        for power in range(300)
        for step in (1, 2, 5)
        if span / (step * 10**power) < _MOST_VALUES
    )


def _bins(
    numbers: Sequence[tuple[float, int]], step: int | None
) -> list[tuple[float, float | None, int]]:
    """Return from where, to under where and how many; without a step each number by itself, without an end."""
    if step is None:
        return [(value, None, count) for value, count in numbers]
    first, last = (floor(value / step) for value in (numbers[0][0], numbers[-1][0]))
    return [
        (place * step, (place + 1) * step, sum(c for value, c in numbers if floor(value / step) == place))
        for place in range(first, last + 1)
    ]  # fmt: skip


def _merged_bins(
    bins: Sequence[tuple[float, float | None, int]], smallest: int
) -> list[tuple[float, float | None, int]]:
    """Return bins with so many participants each: neighbours are put together, the rest with the last."""
    if smallest <= 1:
        return list(bins)
    merged: list[tuple[float, float | None, int]] = []
    for low, high, count in bins:
        if merged and merged[-1][2] < smallest:
            start, _, before = merged[-1]
            merged[-1] = (start, low if high is None else high, before + count)
        else:
            merged.append((low, high, count))
    if len(merged) > 1 and merged[-1][2] < smallest:
        low, high, count = merged.pop()
        start, _, before = merged[-1]
        merged[-1] = (start, low if high is None else high, before + count)
    return merged


def _bin_name(low: float, high: float | None, *, under: bool) -> str:
    return f"{low:g}" if high is None else f"{low:g} to {'under ' if under else ''}{high:g}"


def _merged_names(counts: Mapping[str, int], smallest: int) -> Mapping[str, int]:
    kept = {name: count for name, count in counts.items() if count >= smallest}
    small = {name: count for name, count in counts.items() if count < smallest}
    while small and kept and sum(small.values()) < smallest:
        least = min(kept, key=lambda name: (kept[name], name))
        small[least] = kept.pop(least)
    if not small:
        return kept
    return {**kept, OTHERS if kept else _ALL: sum(small.values())}


OTHER_GROUPS = "other groups"


def recruitment_report(study: JudgmentStudy, *, smallest: int) -> SubReport:
    """Return the sub-report of recruitment groups; those of fewer than `smallest` who responded are put together."""
    groups = _put_together(study.recruitment, smallest)
    whole = _sum("all", study.recruitment)
    rows = [
        (each.name, each.advertised, each.responded, _share(each), each.judged) for each in groups
    ]
    # Where some who responded are of groups that nobody counted, the sum has no share.
    known = all(each.advertised is not None for each in study.recruitment)
    share = _share(whole) if known else None
    rows.append((whole.name, whole.advertised, whole.responded, share, whole.judged))
    return SubReport(
        name="recruitment",
        title="Recruitment",
        text=(_text(study.recruitment),),
        data=Table(
            columns=("group", "advertised to", "responded", "share", "judged"),
            rows=tuple(rows),
        ),
        notes=(
            (
                "n: people. advertised to: what the description of the study says; a dash where it says nothing. "
                "responded: those who consented or judged; judged: those with a judgment."
            ),
            *(
                [
                    (
                        f"Groups of which fewer than {smallest} responded are put together as {OTHER_GROUPS}; it is said to "
                        "how many these were advertised if it is known of all."
                    )
                ]
                if smallest > 1
                else []
            ),
        ),
    )


def _text(groups: Sequence[RecruitedGroup]) -> str:
    counted = [each for each in groups if each.advertised is not None]
    asked, came = sum(each.advertised or 0 for each in counted), sum(e.responded for e in counted)
    share = f" ({came / asked:.1%})" if asked else ""
    return f"Of {asked} people that the study was advertised to, {came} responded{share}."


def _share(group: RecruitedGroup) -> Cell:
    return group.responded / group.advertised if group.advertised else None


def _put_together(groups: Sequence[RecruitedGroup], smallest: int) -> list[RecruitedGroup]:
    small = [each for each in groups if 0 < each.responded < smallest]
    kept = [each for each in groups if each not in small]
    while small and kept and sum(each.responded for each in small) < smallest:
        least = min(kept, key=lambda each: (each.responded == 0, each.responded, each.name))
        kept.remove(least)
        small.append(least)
    if not small:
        return kept
    known = all(each.advertised is not None for each in small)
    merged = _sum(OTHER_GROUPS, small, advertised=known)
    return [*kept, merged]


def _sum(name: str, groups: Sequence[RecruitedGroup], *, advertised: bool = True) -> RecruitedGroup:
    return RecruitedGroup(
        name=name,
        advertised=sum(each.advertised or 0 for each in groups) if advertised else None,
        responded=sum(each.responded for each in groups),
        judged=sum(each.judged for each in groups),
    )

"""Who took part, what they read, and whether questionnaires are alike. Section 13.1"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kilter.counted import counted
from kilter.reports.page.sub_report import Cell, Figure, ReportTable, SubReport
from kilter.reports.study.sample_figure import (
    demographics_figure,
    language_figure,
    length_figure,
    length_scatter_figure,
    quality_figure,
)
from kilter.reports.study.summary_cell import SUMMARY, prefixed, said, summary_cells
from kilter.statistics.undefined import Undefined
from kilter.survey.analysis.demographics import demographics
from kilter.survey.analysis.sentence_length import sentence_lengths, source_languages
from kilter.survey.analysis.uniformity import quality_by_position, quality_by_questionnaire

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kilter.survey.analysis.demographics import FieldDescription
    from kilter.survey.analysis.judgment_study import JudgmentStudy
    from kilter.survey.analysis.uniformity import PlaceQuality

_ABSENT = "absent"


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
        figures=(Figure(svg=demographics_figure(fields, simulated=study.simulated)),),
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


def length_report(study: JudgmentStudy) -> SubReport:
    """Return the sub-report of lengths in words."""
    found = sentence_lengths(study)
    line = found.regression
    text = f"The regression of hypothesis on reference length is {line}."
    if not isinstance(line, Undefined):
        text = (
            f"Hypothesis and reference length correlate with Pearson's r = {line.pearson:.3f}; the line is "
            f"hypothesis = {line.intercept:.2f} + {line.slope:.3f} x reference, over "
            f"{counted(line.count, 'sentence')}."
        )
    return SubReport(
        name="lengths",
        title="Lengths of sentences",
        text=(text,),
        data=ReportTable(
            columns=("text", "words", "sentences"),
            rows=tuple(
                (each.text, words, count)
                for each in found.lengths
                for words, count in each.counts.items()
            ),
        ),
        shown=(
            ReportTable(
                columns=("text", *SUMMARY),
                rows=tuple((each.text, *summary_cells(each.summary)) for each in found.lengths),
                caption="Words of the judged sentences",
            ),
        ),
        figures=(
            Figure(svg=length_figure(found, simulated=study.simulated)),
            Figure(
                svg=length_scatter_figure(found, simulated=study.simulated),
                name="figure-regression",
            ),
        ),
        notes=(
            (
                "n: sentences; missing: sentences whose text is unknown. Words are split at blanks; control "
                "items are left out."
            ),
        ),
    )


def language_report(study: JudgmentStudy) -> SubReport:
    """Return the sub-report of source languages."""
    found = source_languages(study)
    total = sum(found.values())
    known = [name for name in found if name != "unknown"]
    text = f"The sentences come from {counted(len(known), 'source language')}."
    if "unknown" in found:
        text += f" The source language of {counted(found['unknown'], 'sentence')} is unknown."
    return SubReport(
        name="languages",
        title="Source languages",
        text=(text,),
        data=ReportTable(
            columns=("source language", "sentences", "share"),
            rows=tuple((name, count, count / total) for name, count in found.items()),
        ),
        notes=(f"n: {counted(total, 'sentence')} judged; missing: {found.get('unknown', 0)}.",),
        figures=(Figure(svg=language_figure(found, simulated=study.simulated)),),
    )


def position_report(study: JudgmentStudy) -> SubReport:
    """Return the sub-report of quality by position."""
    return _uniformity(study, quality_by_position(study), "position")


def questionnaire_report(study: JudgmentStudy) -> SubReport:
    """Return the sub-report of quality by questionnaire."""
    return _uniformity(study, quality_by_questionnaire(study), "questionnaire")


def _uniformity(study: JudgmentStudy, places: Sequence[PlaceQuality], by: str) -> SubReport:
    questions = [question.name for question in study.questions]
    kinds = sorted({kind for place in places for kind in place.kinds})
    rows = tuple(
        (
            place.place,
            place.judgments,
            *(place.kinds.get(kind, 0) for kind in kinds),
            *summary_cells(place.rank_score),
            *summary_cells(place.degree_score),
            *(cell for name in questions for cell in summary_cells(place.answers[name])),
        )
        for place in places
    )
    columns = (
        by, "judgments", *kinds, *prefixed("rank_score"), *prefixed("degree_score"),
        *(column for name in questions for column in prefixed(name)),
    )  # fmt: skip
    shown = ReportTable(
        columns=(by, *kinds, "rank score", "degree score", *questions),
        rows=tuple(
            (
                place.place,
                *(place.kinds.get(kind, 0) for kind in kinds),
                place.rank_score.mean,
                place.degree_score.mean,
                *(place.answers[name].mean for name in questions),
            )
            for place in places
        ),
        left=0,
        caption=f"Judgments by kind of sentence, and mean quality, by {by}",
    )
    missing = {name: sum(place.answers[name].missing for place in places) for name in questions}
    return SubReport(
        name=by,
        title=f"Quality by {by}",
        text=tuple(_range(places, name, by) for name in questions),
        data=ReportTable(columns=columns, rows=rows, left=0),
        shown=(shown,),
        figures=(Figure(svg=quality_figure(places, by=by, simulated=study.simulated)),),
        notes=(
            f"n: {counted(len(study), 'judgment')}; missing answers: "
            + ", ".join(f"{count} {name}" for name, count in missing.items())
            + "; they are left out of the means.",
            (
                "Rank scores are those of translations, degree scores those of permutations; answers go from 0, "
                "the worst, to 1."
            ),
        ),
    )


def _range(places: Sequence[PlaceQuality], question: str, by: str) -> str:
    means = [m for place in places if isinstance(m := place.answers[question].mean, float)]
    if not means:
        return f"There is no answer to the question {question}."
    return (
        f"Mean {question} scores by {by} lie between {min(means):.3f} and {max(means):.3f}, on average "
        f"{sum(means) / len(means):.3f}."
    )

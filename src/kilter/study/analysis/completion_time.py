"""How long judgments and questionnaires took. Section 13.1"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kilter.core.table import Table
from kilter.render.chart.frame import Caption, statement
from kilter.render.chart.mark import Bar
from kilter.render.chart.row_chart import Row, RowGroup, row_pages
from kilter.render.page.sub_report import SubReport, figure_pages
from kilter.stats.undefined import Number, Undefined
from kilter.study.analysis.summary import SUMMARY, Summary, said, summarise, summary_cells

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kilter.study.judgments.judgment_study import JudgmentStudy


_MINUTE = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ParticipantTime:
    """One participant: seconds of `timed` judgments, and the minutes that these took together."""

    participant: str
    timed: int
    missing: int
    median_seconds: Number
    minutes: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class CompletionTimes:
    """Seconds of judgments, also of the first and the second half of questionnaires; minutes of people."""

    seconds: Summary
    first_half: Summary
    second_half: Summary
    minutes: Summary
    participants: tuple[ParticipantTime, ...]


def completion_times(study: JudgmentStudy) -> CompletionTimes:
    """Return how long judgments took, control items included; on paper nobody measured it."""
    people = tuple(
        _time(person.id, study.seconds[study.participant == place])
        for place, person in enumerate(study.participants)
    )
    # Halves of each questionnaire, so that shorter ones have both.
    longest = np.zeros(len(study.participants))
    np.maximum.at(longest, study.participant, study.position)
    later = study.position > longest[study.participant] / 2
    minutes = [p.minutes if isinstance(p.minutes, float) else np.nan for p in people]
    return CompletionTimes(
        seconds=summarise(study.seconds),
        first_half=summarise(study.seconds[~later]),
        second_half=summarise(study.seconds[later]),
        minutes=summarise(np.array(minutes, dtype=np.float64)),
        participants=people,
    )


def _time(name: str, seconds: np.ndarray[tuple[int], np.dtype[np.float64]]) -> ParticipantTime:
    summary = summarise(seconds)
    known = seconds[~np.isnan(seconds)]
    return ParticipantTime(
        participant=name,
        timed=summary.count,
        missing=summary.missing,
        median_seconds=summary.median,
        minutes=float(known.sum()) / _MINUTE if len(known) else Undefined("no time is known"),
    )


def completion_report(study: JudgmentStudy) -> SubReport:
    """Return the sub-report of completion times."""
    times = completion_times(study)
    measures = {
        "seconds of a judgment": times.seconds,
        "seconds in the first half": times.first_half,
        "seconds in the second half": times.second_half,
        "minutes of a participant": times.minutes,
    }
    return SubReport(
        name="times",
        title="Completion times",
        text=(completion_sentence(times),),
        data=Table(
            columns=("participant", "timed", "missing", "median seconds", "minutes"),
            rows=tuple(
                (each.participant, each.timed, each.missing, each.median_seconds, each.minutes)
                for each in times.participants
            ),
        ),
        shown=(
            Table(
                columns=("measure", *SUMMARY),
                rows=tuple((name, *summary_cells(each)) for name, each in measures.items()),
                title="Seconds of judgments and minutes of participants",
            ),
        ),
        figures=figure_pages(completion_figures(times.participants, simulated=study.simulated)),
        notes=(
            (
                "n: judgments, or participants, whose time is known; missing: those whose time is not, such as on "
                "paper. The time of a judgment is how long its page was looked at, control items included; the time "
                "of a participant is that of all judgments together, without pages before and after."
            ),
        ),
    )


def completion_sentence(times: CompletionTimes) -> str:
    """Return how long it took, in a sentence."""
    if isinstance(times.seconds.median, Undefined):
        return "How long judgments took is not known."
    halves = (
        f" ({said(times.first_half.median, digits=1)} in the first half of the questionnaire, "
        f"{said(times.second_half.median, digits=1)} in the second)"
    )
    return (
        f"The median judgment took {said(times.seconds.median, digits=1)} seconds{halves}, and the median "
        f"participant {said(times.minutes.median, digits=1)} minutes for all judgments, from "
        f"{said(times.minutes.lowest, digits=1)} to {said(times.minutes.highest, digits=1)}."
    )


def completion_figures(times: Sequence[ParticipantTime], *, simulated: bool) -> tuple[str, ...]:
    """Return the minutes of every participant, the fastest first."""
    caption = Caption(title="Minutes of participants for all judgments", simulated=simulated)
    known = [(each.minutes, each) for each in times if isinstance(each.minutes, float)]
    if not known:
        return (statement(caption, Undefined("no time is known")),)
    rows = [
        Row(
            each.participant,
            [Bar(value=minutes, text=f"{minutes:.1f} (n = {each.timed})")],
        )
        for minutes, each in sorted(known, key=lambda pair: (pair[0], pair[1].participant))
    ]
    return row_pages([RowGroup("", rows)], caption=caption, axis="minutes")

"""How long judgments and questionnaires took. Section 13.1"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kilter.stats.undefined import Number, Undefined
from kilter.study.analysis.summary import Summary, summarise

if TYPE_CHECKING:
    from kilter.study.analysis.judgment_study import JudgmentStudy

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

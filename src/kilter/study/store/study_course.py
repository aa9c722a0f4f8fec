"""How a study went so far: people who came, people who have submitted, items with an answer, over time."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kilter.study.store.participant import Participant

_MOST = 60
_STEPS = (
    (timedelta(hours=1), "%d. %H:00"),
    (timedelta(days=1), "%Y-%m-%d"),
    (timedelta(days=7), "%Y-%m-%d"),
    (timedelta(days=28), "%Y-%m-%d"),
)
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class StudyCourse:
    """Numbers at the end of every step of time (UTC), all counted from the beginning.

    Steps are hours if there are two days or less, else days, weeks or four weeks: at most sixty, if that is
    possible. `labels` name their beginnings.
    """

    labels: tuple[str, ...]
    started: tuple[int, ...]
    submitted: tuple[int, ...]
    answered: tuple[int, ...]


def study_course(people: Iterable[Participant], answered: Iterable[float]) -> StudyCourse | None:
    """Return the course of a study, from its people and the moments at which items got an answer.

    There is none as long as nobody has come.
    """
    listed = list(people)
    started = sorted(p.informed_at for p in listed if p.informed_at is not None)
    submitted = sorted(p.submitted_at for p in listed if p.submitted_at is not None)
    items = sorted(answered)
    moments = [*started, *submitted, *items]
    if not started:
        return None
    first, last = (datetime.fromtimestamp(end, UTC) for end in (min(moments), max(moments)))
    step, form = _step(last - first)
    begin = first.replace(minute=0, second=0, microsecond=0)
    if step >= _DAY:
        begin = begin.replace(hour=0)
    starts = [begin]
    while starts[-1] + step <= last:
        starts.append(starts[-1] + step)
    ends = [(start + step).timestamp() for start in starts]
    return StudyCourse(
        tuple(start.strftime(form) for start in starts),
        *(_until(ends, counted) for counted in (started, submitted, items)),
    )


def _step(span: timedelta) -> tuple[timedelta, str]:
    if span <= 2 * _DAY:
        return _STEPS[0]
    return next((step for step in _STEPS[1:] if span / step[0] < _MOST), _STEPS[-1])


def _until(ends: Sequence[float], moments: Sequence[float]) -> tuple[int, ...]:
    return tuple(bisect_right(moments, end) for end in ends)

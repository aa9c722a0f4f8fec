"""Who may answer now: decided here alone, for every page that is shown and everything that is written."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from kilter.core.errors import KilterError
from kilter.core.settings import Choice
from kilter.study.password import token_hash
from kilter.study.store.model import PARTICIPANT, PARTICIPANT_SESSION
from kilter.study.store.participant import Participant, Stage
from kilter.study.store.state import read_state

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sqlalchemy import Connection

    from kilter.study.store.state import State

UNFINISHED = frozenset(Stage) - {Stage.SUBMITTED, Stage.WITHDRAWN}
"""The stages of somebody whose answers can change."""


@dataclass(frozen=True, slots=True)
class Step:
    """Something that changes what is kept of somebody: for which stages it is, and the token of the visit it is part of."""

    stages: Collection[Stage] = UNFINISHED
    visit: str | None = None


ANY_STEP = Step()
"""What can be done at any stage before the end, by no visit."""


class Refusal(Choice):
    """Why somebody may not do something now."""

    NO_VISIT = "no visit"
    WITHDRAWN = "withdrawn"
    SUBMITTED = "submitted"
    OTHER_STAGE = "other stage"
    STUDY_CLOSED = "study closed"
    PAUSED = "paused"


class NotAdmittedError(KilterError):
    """Somebody may not do now what they ask for, for a `reason`; nothing was written."""

    def __init__(self, reason: Refusal) -> None:
        super().__init__(f"not admitted: {reason}")
        self.reason = reason


def refusal(
    participant: Participant | None, state: State, stages: Collection[Stage]
) -> Refusal | None:
    """Return why a participant may not do what is for these stages, or None if they may.

    `participant` is None for whoever has no visit, or one that is over. A study that is paused or closed takes
    nothing; whoever has submitted can still read what is for them.
    """
    if participant is None:
        return Refusal.NO_VISIT
    if participant.stage is Stage.WITHDRAWN:
        return Refusal.WITHDRAWN
    if participant.stage not in stages:
        is_over = participant.stage is Stage.SUBMITTED
        return Refusal.SUBMITTED if is_over else Refusal.OTHER_STAGE
    return None if participant.stage is Stage.SUBMITTED else study_refusal(state)


def study_refusal(state: State) -> Refusal | None:
    """Return why a study takes nothing from anybody now, if so."""
    if state.closed_at is not None:
        return Refusal.STUDY_CLOSED
    return Refusal.PAUSED if state.paused else None


def admit(connection: Connection, participant: int, step: Step) -> None:
    """Lock a participant for a transaction that writes, if they may take this step now.

    Whoever may not is a `NotAdmittedError`, and so is somebody whose visit has ended.
    """
    state = read_state(connection, keep=True)
    wanted = select(PARTICIPANT).where(PARTICIPANT.c.id == participant).with_for_update()
    row = connection.execute(wanted).first()
    is_absent = step.visit is not None and not _is_present(connection, participant, step.visit)
    person = None if row is None or is_absent else participant_of(row)
    reason = refusal(person, state, step.stages)
    if reason is not None:
        raise NotAdmittedError(reason)


def _is_present(connection: Connection, participant: int, visit: str) -> bool:
    session = PARTICIPANT_SESSION.c
    own = session.token_hash == token_hash(visit), session.participant == participant
    lasts = session.expires_at >= time.time()
    return connection.execute(select(session.participant).where(*own, lasts)).first() is not None


_COLUMNS = tuple(column.name for column in PARTICIPANT.columns)


def participant_of(row: Sequence[Any]) -> Participant:
    """Return the participant of a row, which may hold more after the participant's columns."""
    values: dict[str, Any] = dict(zip(_COLUMNS, row, strict=False))
    values.pop("token_hash")
    for name in ("consent", "personal"):
        values[name] = None if values[name] is None else json.loads(values[name])
    return Participant(**values)

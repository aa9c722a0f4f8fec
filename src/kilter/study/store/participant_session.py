"""Visits of participants: their sessions, with all that pages need to know of whoever asks."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import Text, bindparam, cast, func, literal_column, select

from kilter.study.password import token_hash
from kilter.study.store.admission import participant_of
from kilter.study.store.model import ANSWER, PARTICIPANT, PARTICIPANT_SESSION, STATE
from kilter.study.store.session import Sessions
from kilter.study.store.state import State

if TYPE_CHECKING:
    from typing import Any

    from sqlalchemy import Select

    from kilter.study.store.database import Database
    from kilter.study.store.participant import Participant

VISIT_SECONDS = 2 * 3600.0
"""A session is over after so long without a request."""


@dataclass(frozen=True, slots=True)
class Visit:
    """Who takes part, what the researcher has set, and the answers by position: all at the same moment."""

    participant: Participant
    state: State
    answers: dict[int, dict[str, int]]


class ParticipantSessions(Sessions[int]):
    """The visits of one study's participants; safe to use from many threads."""

    def __init__(self, database: Database) -> None:
        column = PARTICIPANT_SESSION.c.participant
        super().__init__(database, column, seconds=VISIT_SECONDS, renewed=True)
        self._wanted = _wanted(is_sqlite=database.is_sqlite)

    def find(self, token: str) -> Visit | None:
        """Return whose session this is, if it is not over, with everything that pages need, in one query."""
        with self._database.reading() as connection:
            row = connection.execute(self._wanted, {"hashed": token_hash(token)}).first()
        if row is None:
            return None
        *person, expires_at, paused, open_limit, links, closed_at, answers = row
        if not self._lasts(token, expires_at):
            return None
        by_position: dict[int, dict[str, int]] = {}
        for position, question, value in json.loads(answers or "[]"):
            by_position.setdefault(position, {})[question] = value
        state = State(bool(paused), open_limit, links, closed_at)
        return Visit(participant_of(person), state, by_position)


def _wanted(*, is_sqlite: bool) -> Select[Any]:
    """Return the statement that reads everything about a visit at once."""
    columns = (ANSWER.c.position, ANSWER.c.question, ANSWER.c.value)
    listed = (
        func.json_group_array(func.json_array(*columns))
        if is_sqlite
        else cast(func.json_agg(func.json_build_array(*columns)), Text)
    )
    answers = select(listed).where(ANSWER.c.participant == PARTICIPANT.c.id).scalar_subquery()
    state = (STATE.c.paused, STATE.c.open_limit, STATE.c.links, STATE.c.closed_at)
    return (
        select(PARTICIPANT, PARTICIPANT_SESSION.c.expires_at, *state, answers)
        .join_from(
            PARTICIPANT_SESSION, PARTICIPANT, PARTICIPANT_SESSION.c.participant == PARTICIPANT.c.id
        )
        .join(STATE, STATE.c.id == literal_column("1"))
        .where(PARTICIPANT_SESSION.c.token_hash == bindparam("hashed"))
    )

"""Sessions of participants: what a browser holds in the place of the personal link, for some hours."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import Text, bindparam, cast, delete, func, literal_column, select, update

from kilter.study.password import new_token, token_hash
from kilter.study.store.admission import participant_of
from kilter.study.store.model import ANSWER, PARTICIPANT, PARTICIPANT_SESSION, STATE
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


class ParticipantSessions:
    """The visits of one study's participants; safe to use from many threads.

    A token of a session leads to no personal link: whoever finds a browser open can go on until the
    session is over, and not after that.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._wanted = _wanted(is_sqlite=database.is_sqlite)

    def begin(self, participant: int) -> str:
        """Return the token of a new session."""
        token = new_token()
        values = {
            "token_hash": token_hash(token),
            "participant": participant,
            "expires_at": time.time() + VISIT_SECONDS,
        }
        with self._database.writing() as connection:
            connection.execute(PARTICIPANT_SESSION.insert().values(**values))
        return token

    def find(self, token: str) -> Visit | None:
        """Return whose session this is, if it is not over; a request half-way through makes it last on."""
        hashed = token_hash(token)
        now = time.time()
        with self._database.reading() as connection:
            row = connection.execute(self._wanted, {"hashed": hashed}).first()
        if row is None:
            return None
        *person, expires_at, paused, open_limit, links, closed_at, answers = row
        if expires_at < now:
            return None
        if expires_at < now + VISIT_SECONDS / 2:
            # Not at every request: each would be a write.
            own = PARTICIPANT_SESSION.c.token_hash == hashed
            with self._database.writing() as connection:
                connection.execute(
                    update(PARTICIPANT_SESSION).where(own).values(expires_at=now + VISIT_SECONDS)
                )
        by_position: dict[int, dict[str, int]] = {}
        for position, question, value in json.loads(answers or "[]"):
            by_position.setdefault(position, {})[question] = value
        state = State(bool(paused), open_limit, links, closed_at)
        return Visit(participant_of(person), state, by_position)

    def end(self, token: str) -> None:
        """Forget a session."""
        own = PARTICIPANT_SESSION.c.token_hash == token_hash(token)
        with self._database.writing() as connection:
            connection.execute(delete(PARTICIPANT_SESSION).where(own))

    def forget(self) -> None:
        """Remove sessions that are over."""
        old = PARTICIPANT_SESSION.c.expires_at < time.time()
        with self._database.reading() as connection:
            is_there = connection.execute(
                select(PARTICIPANT_SESSION.c.token_hash).where(old).limit(1)
            ).first()
        if is_there is not None:
            with self._database.writing() as connection:
                connection.execute(delete(PARTICIPANT_SESSION).where(old))


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

"""Sessions of participants: what a browser holds in the place of the personal link, for some hours."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from sqlalchemy import delete, select, update

from kilter.survey.password import new_token, token_hash
from kilter.survey.store.model import PARTICIPANT, PARTICIPANT_SESSION
from kilter.survey.store.participant import participant_of

if TYPE_CHECKING:
    from kilter.survey.store.database import Database
    from kilter.survey.store.participant import Participant

VISIT_SECONDS = 2 * 3600.0
"""A session is over after so long without a request."""


class ParticipantSessions:
    """The visits of one study's participants; safe to use from many threads.

    A token of a session leads to no personal link: whoever finds a browser open can go on until the
    session is over, and not after that.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

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

    def find(self, token: str) -> Participant | None:
        """Return whose session this is, if it is not over; a request half-way through makes it last on."""
        own = PARTICIPANT_SESSION.c.token_hash == token_hash(token)
        wanted = (
            select(PARTICIPANT, PARTICIPANT_SESSION.c.expires_at)
            .join(PARTICIPANT_SESSION, PARTICIPANT_SESSION.c.participant == PARTICIPANT.c.id)
            .where(own)
        )
        now = time.time()
        with self._database.reading() as connection:
            row = connection.execute(wanted).first()
        if row is None or row.expires_at < now:
            return None
        if row.expires_at < now + VISIT_SECONDS / 2:
            # Not at every request: each would be a write.
            with self._database.writing() as connection:
                connection.execute(
                    update(PARTICIPANT_SESSION).where(own).values(expires_at=now + VISIT_SECONDS)
                )
        return participant_of(row)

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

"""The database of one study: what researchers set, participants, answers and sessions."""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from typing import TYPE_CHECKING

from sqlalchemy import func, select, update
from sqlalchemy.exc import SQLAlchemyError

from kilter.core.errors import InputError
from kilter.study.store.action import ActionTable
from kilter.study.store.analysis_run import AnalysisTable
from kilter.study.store.answer import AnswerTable
from kilter.study.store.attempt import AttemptTable
from kilter.study.store.closing import Closing, close
from kilter.study.store.erasure import Erasure, erase, finish_erasures
from kilter.study.store.model import ANSWER, PARTICIPANT, SESSION, STATE
from kilter.study.store.participant import STEPS
from kilter.study.store.participant_session import ParticipantSessions
from kilter.study.store.participant_table import ParticipantTable, check_open
from kilter.study.store.request_counters import RequestCounters
from kilter.study.store.session import Sessions
from kilter.study.store.state import State, read_state

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kilter.study.design.item import Questionnaire
    from kilter.study.store.database import Database

RESEARCHER_SECONDS = 12 * 3600.0
"""A researcher's session is over so long after the login."""


class Store:
    """The participants, answers and sessions of one study; safe to use from many threads."""

    def __init__(
        self, database: Database, questionnaires: Sequence[Questionnaire], *, secret: bytes
    ) -> None:
        self._database = database
        self._secret = secret
        self._numbers = [entry.number for entry in questionnaires]
        self.participants = ParticipantTable(database, self._numbers, secret=secret)
        self.answers = AnswerTable(database, self.participants, secret=secret)
        self.actions = ActionTable(database)
        self.requests = RequestCounters(database)
        self.analyses = AnalysisTable(database)
        self.sessions = Sessions(
            database, SESSION.c.account, seconds=RESEARCHER_SECONDS, renewed=False
        )
        self.visits = ParticipantSessions(database)
        self.attempts = AttemptTable(database, secret=secret)

    @property
    def name(self) -> str:
        """How messages name the database."""
        return self._database.name

    @property
    def is_sqlite(self) -> bool:
        """Whether the database is a file of SQLite."""
        return self._database.is_sqlite

    @property
    def connections(self) -> int:
        """How many connections to the database there may be."""
        return self._database.connections

    def prepare(self, questionnaires: Sequence[Questionnaire], *, open_limit: int) -> None:
        """Make the database ready for a study: one link per questionnaire; refuse another study's."""
        listed = [[entry.number, *entry.items] for entry in questionnaires]
        fingerprint = hashlib.sha256(
            self._secret + json.dumps(listed, ensure_ascii=False).encode()
        ).hexdigest()
        with self._database.writing() as connection:
            self._database.lock(connection, "study")
            row = connection.execute(select(STATE)).first()
            if row is None:
                connection.execute(
                    STATE.insert().values(
                        id=1, fingerprint=fingerprint, paused=False, open_limit=open_limit, links=0
                    )
                )
                self.participants.add_links(connection, len(self._numbers))
            elif row.fingerprint != fingerprint:
                raise InputError(
                    "holds the answers of another study, or the questionnaires were changed; use a "
                    "database of its own for each study",
                    where=self.name,
                )

    def state(self) -> State:
        """Return what the researcher has set."""
        with self._database.reading() as connection:
            return read_state(connection)

    def counts(self) -> dict[str, int]:
        """Return how many people have come how far, and how many answers there are."""
        steps = [func.count(PARTICIPANT.c[name]) for name in (*STEPS, "withdrawn_at")]
        with self._database.reading() as connection:
            row = connection.execute(select(func.count(PARTICIPANT.c.id), *steps)).one()
            answers = connection.execute(select(func.count()).select_from(ANSWER)).scalar_one()
        names = [name.removesuffix("_at") for name in (*STEPS, "withdrawn_at")]
        numbers = zip(names, row[1:], strict=True)
        return {
            "participants": row[0],
            **{f"participants_{name}": number for name, number in numbers},
            "answers": answers,
        }

    def pause(self, *, paused: bool) -> None:
        """Pause the study, or go on."""
        with self._database.writing() as connection:
            connection.execute(update(STATE).values(paused=paused))

    def close_study(self, *, unlink: bool) -> Closing:
        """Close the study for good; with `unlink`, destroy what leads from people to answers."""
        return close(self._database, unlink=unlink)

    def extend(self, *, links: int = 0, open_places: int = 0, group: str | None = None) -> None:
        """Add links, of a group, and places for open recruitment; a closed study takes none."""
        with self._database.writing() as connection:
            check_open(connection, where=self.name)
            self.participants.add_links(connection, links, group=group)
            connection.execute(update(STATE).values(open_limit=STATE.c.open_limit + open_places))

    def erase(self, participant: int, *, judgments: bool) -> Erasure:
        """Remove what is about a participant and the token; on request the judgments, too."""
        return erase(self._database, participant, judgments=judgments)

    def settle(self, *, seconds: float = 0.0) -> bool:
        """Leave nothing that was erased in the database's files; return whether that was possible in time.

        Attempts that no limit looks at any more and visits that are over are removed before.
        """
        self.attempts.forget()
        self.visits.forget()
        self.sessions.forget()
        return finish_erasures(self._database, seconds=seconds)

    def close(self) -> None:
        """Close all connections; erasures that somebody was in the way of are tried once more."""
        with suppress(SQLAlchemyError):
            self.requests.flush()
            finish_erasures(self._database, seconds=0.0)
        self._database.close()

"""The participants of a study in its database: who joins, by which link, and who has a place."""

from __future__ import annotations

import hmac
import json
import time
from typing import TYPE_CHECKING

from sqlalchemy import func, select, update

from kilter.core.errors import InputError
from kilter.study.password import derived_token, new_token, participant_code, token_hash
from kilter.study.store.admission import ANY_STEP, Step, admit, participant_of, study_refusal
from kilter.study.store.model import PARTICIPANT, STATE
from kilter.study.store.participant import FullError, Participant
from kilter.study.store.state import read_state

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sqlalchemy import Connection

    from kilter.study.store.database import Database


class ParticipantTable:
    """The participants of one study; safe to use from many threads."""

    def __init__(self, database: Database, questionnaires: Sequence[int], *, secret: bytes) -> None:
        self._database = database
        self._secret = secret
        self._numbers = questionnaires

    def find(self, token: str) -> Participant | None:
        """Return whose token this is; the database compares hashes, which reveal nothing."""
        with self._database.reading() as connection:
            row = connection.execute(
                select(PARTICIPANT).where(PARTICIPANT.c.token_hash == token_hash(token))
            ).first()
        return None if row is None else participant_of(row)

    def all(self) -> list[Participant]:
        """Return all participants."""
        with self._database.reading() as connection:
            rows = connection.execute(select(PARTICIPANT).order_by(PARTICIPANT.c.id)).all()
        return [participant_of(row) for row in rows]

    def named(self, text: str) -> Participant | None:
        """Return the participant with this link, token, or code in exported data."""
        token = text.strip().rpartition("/")[2]
        person = self.find(token)
        if person is not None or not token:
            return person
        return next(
            (
                person
                for person in self.all()
                if hmac.compare_digest(
                    participant_code(self._secret, person.code_name).encode(), token.encode()
                )
            ),
            None,
        )

    def join(self, *, origin: str = "open") -> str:
        """Add a participant to the questionnaire with the fewest, and return the new token."""
        token = new_token()
        with self._database.writing() as connection:
            connection.execute(select(STATE.c.id).with_for_update())  # one place is given to one
            state = read_state(connection)
            is_shut = study_refusal(state) is not None
            if origin == "open" and (is_shut or not _has_place(connection, state.open_limit)):
                raise FullError("there is no place left")
            self.add(connection, token, origin, self._emptiest(connection))
        return token

    def has_place(self) -> bool:
        """Return whether open recruitment has not reached its limit."""
        with self._database.reading() as connection:
            limit = connection.execute(select(STATE.c.open_limit)).scalar_one()
            return _has_place(connection, limit)

    def _emptiest(self, connection: Connection) -> int:
        rows = connection.execute(
            select(PARTICIPANT.c.questionnaire, func.count())
            .where(
                PARTICIPANT.c.withdrawn_at.is_(None),
                PARTICIPANT.c.link.is_(None) | PARTICIPANT.c.informed_at.is_not(None),
            )
            .group_by(PARTICIPANT.c.questionnaire)
        ).all()
        counts = {row.questionnaire: row[1] for row in rows}
        return min(self._numbers, key=lambda number: (counts.get(number, 0), number))

    def advance(self, participant: int, step: Step = ANY_STEP, /, **values: object) -> None:
        """Write down a step of somebody who may take it now: its time, and `consent` or `personal` data as JSON."""
        stored = {
            key: json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else value
            for key, value in values.items()
        }
        with self._database.writing() as connection:
            admit(connection, participant, step)
            connection.execute(
                update(PARTICIPANT).where(PARTICIPANT.c.id == participant).values(**stored)
            )

    def submit(self, participant: int, step: Step = ANY_STEP) -> None:
        """Close the answers of a participant who may submit them now."""
        self.advance(participant, step, submitted_at=time.time())

    def link_token(self, link: int) -> str:
        """Return the token of a link; it is stored nowhere, only its hash."""
        return derived_token(self._secret, f"participant {link}")

    def add(
        self,
        connection: Connection,
        token: str,
        origin: str,
        questionnaire: int,
        *,
        group: str | None = None,
    ) -> int:
        """Write a new participant into a transaction, and return its number."""
        wanted = (
            PARTICIPANT.insert()
            .values(
                token_hash=token_hash(token),
                origin=origin,
                questionnaire=questionnaire,
                created_at=time.time(),
                recruitment_group=group,
            )
            .returning(PARTICIPANT.c.id)
        )
        key: int = connection.execute(wanted).scalar_one()
        return key

    def add_links(self, connection: Connection, count: int, *, group: str | None = None) -> None:
        """Write so many more participants with links, of a group, into a transaction."""
        row = connection.execute(select(STATE.c.links).with_for_update()).one()
        for link in range(row.links + 1, row.links + count + 1):
            values = {
                "token_hash": token_hash(self.link_token(link)),
                "link": link,
                "origin": "link",
                "questionnaire": self._numbers[(link - 1) % len(self._numbers)],
                "created_at": time.time(),
                "recruitment_group": group,
            }
            connection.execute(PARTICIPANT.insert().values(**values))
        connection.execute(update(STATE).values(links=row.links + count))

    def label_links(self, links: Collection[int], group: str | None) -> None:
        """Give links another group, or none; one that is not there is an `InputError`, and none is changed."""
        with self._database.writing() as connection:
            chosen = PARTICIPANT.c.link.in_(links)
            there = connection.execute(select(PARTICIPANT.c.link).where(chosen)).scalars().all()
            missing = sorted({*links} - {*there})
            if missing:
                raise InputError(
                    f"there is no link {missing[0]}, or whoever had it has withdrawn; see the links "
                    "that there are",
                    where=self._database.name,
                )
            connection.execute(update(PARTICIPANT).where(chosen).values(recruitment_group=group))


def check_open(connection: Connection, *, where: str) -> None:
    """Refuse to add anybody to a study that was closed."""
    if connection.execute(select(STATE.c.closed_at).with_for_update()).scalar_one() is not None:
        raise InputError(
            "the study was closed, and takes nobody any more; create a new one", where=where
        )


def _has_place(connection: Connection, limit: int) -> bool:
    by_open_recruitment = select(func.count()).where(PARTICIPANT.c.origin == "open")
    return int(connection.execute(by_open_recruitment).scalar_one()) < limit

"""Everything that is asked of the database."""

from __future__ import annotations

import hashlib
import hmac
import json
import time
from typing import TYPE_CHECKING, Any

from sqlalchemy import case, delete, func, select, update
from sqlalchemy.dialects.postgresql import insert as postgresql_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert

from kilter.errors import InputError, KilterError
from kilter.survey.password import derived_token, new_token, participant_code, token_hash
from kilter.survey.store.model import ANSWER, PARTICIPANT, SESSION, STATE, VISIT
from kilter.survey.store.record import Answer, Erased, Participant, State

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sqlalchemy import Connection, Row, Table

    from kilter.survey.design.item import Questionnaire
    from kilter.survey.store.database import Database
    from kilter.survey.store.record import PaperAnswers, Timing

SESSION_SECONDS = 12 * 3600
_SETTLE_SECONDS = 5.0
_STEPS = ("informed_at", "consented_at", "described_at", "sampled_at", "submitted_at")


class ClosedError(KilterError):
    """Answers of somebody who has submitted them, or has withdrawn, cannot change."""


class FullError(KilterError):
    """Open recruitment has reached its limit, is paused, or was never open."""


class Store:
    """The answers of one study; safe to use from many threads."""

    def __init__(
        self, database: Database, questionnaires: Sequence[Questionnaire], *, secret: bytes
    ) -> None:
        self._database = database
        self._secret = secret
        self._numbers = [entry.number for entry in questionnaires]

    @property
    def name(self) -> str:
        """How messages name the database."""
        return self._database.name

    def prepare(self, questionnaires: Sequence[Questionnaire], *, open_limit: int) -> None:
        """Make the database ready for a study: one link per questionnaire; refuse another study's."""
        listed = [[entry.number, *entry.items] for entry in questionnaires]
        fingerprint = hashlib.sha256(
            self._secret + json.dumps(listed, ensure_ascii=False).encode()
        ).hexdigest()
        with self._database.writing() as connection:
            row = connection.execute(select(STATE)).first()
            if row is None:
                connection.execute(
                    STATE.insert().values(
                        id=1, fingerprint=fingerprint, paused=False, open_limit=open_limit, links=0
                    )
                )
                self._add_links(connection, len(self._numbers))
            elif row.fingerprint != fingerprint:
                raise InputError(
                    "holds the answers of another study, or the questionnaires were changed; use a "
                    "database of its own for each study",
                    where=self.name,
                )

    # What researchers set

    def state(self) -> State:
        """Return what the researcher has set."""
        with self._database.reading() as connection:
            row = connection.execute(select(STATE)).one()
        return State(bool(row.paused), row.open_limit, row.links)

    def pause(self, *, paused: bool) -> None:
        """Pause the study, or go on."""
        with self._database.writing() as connection:
            connection.execute(update(STATE).values(paused=paused))

    def extend(self, *, links: int = 0, open_places: int = 0) -> None:
        """Add links, and places for open recruitment."""
        with self._database.writing() as connection:
            self._add_links(connection, links)
            connection.execute(update(STATE).values(open_limit=STATE.c.open_limit + open_places))

    def _add_links(self, connection: Connection, count: int) -> None:
        row = connection.execute(select(STATE.c.links).with_for_update()).one()
        for link in range(row.links + 1, row.links + count + 1):
            values = {
                "token_hash": token_hash(self.link_token(link)),
                "link": link,
                "origin": "link",
                "questionnaire": self._numbers[(link - 1) % len(self._numbers)],
                "created_at": time.time(),
            }
            connection.execute(PARTICIPANT.insert().values(**values))
        connection.execute(update(STATE).values(links=row.links + count))

    def link_token(self, link: int) -> str:
        """Return the token of a link; it is stored nowhere, only its hash."""
        return derived_token(self._secret, f"participant {link}")

    # Participants

    def participant(self, token: str) -> Participant | None:
        """Return whose token this is; the database compares hashes, which reveal nothing."""
        with self._database.reading() as connection:
            row = connection.execute(
                select(PARTICIPANT).where(PARTICIPANT.c.token_hash == token_hash(token))
            ).first()
        return None if row is None else _participant(row)

    def participants(self) -> list[Participant]:
        """Return all participants."""
        with self._database.reading() as connection:
            rows = connection.execute(select(PARTICIPANT).order_by(PARTICIPANT.c.id)).all()
        return [_participant(row) for row in rows]

    def join(self, *, origin: str = "open") -> str:
        """Add a participant to the questionnaire with the fewest, and return the new token."""
        token = new_token()
        with self._database.writing() as connection:
            state = connection.execute(select(STATE).with_for_update()).one()
            if origin == "open" and (state.paused or not _has_place(connection, state.open_limit)):
                raise FullError("there is no place left")
            self._insert(connection, token, origin, self._emptiest(connection))
        return token

    def has_place(self) -> bool:
        """Return whether open recruitment has not reached its limit."""
        with self._database.reading() as connection:
            limit = connection.execute(select(STATE.c.open_limit)).scalar_one()
            return _has_place(connection, limit)

    def has_entered(self, name: str) -> bool:
        """Return whether a participant's answers on paper are there already."""
        return self.participant(self._paper_token(name)) is not None

    def _paper_token(self, name: str) -> str:
        return derived_token(self._secret, f"paper {name}")

    def enter(self, people: Sequence[PaperAnswers]) -> None:
        """Add participants whose answers were typed in, all of them or none."""
        now = time.time()
        with self._database.writing() as connection:
            for person in people:
                token = self._paper_token(person.name)
                known = select(PARTICIPANT.c.id).where(
                    PARTICIPANT.c.token_hash == token_hash(token)
                )
                if connection.execute(known).first() is not None:
                    raise InputError(
                        f"{person.name} was imported before; erase that participant first, or use "
                        "another name"
                    )
                number = self._insert(connection, token, "paper", person.questionnaire)
                connection.execute(
                    update(PARTICIPANT)
                    .where(PARTICIPANT.c.id == number)
                    .values(
                        personal=json.dumps(person.personal or {}, ensure_ascii=False),
                        **dict.fromkeys(_STEPS, now),
                    )
                )
                rows = [
                    {
                        "participant": number,
                        "position": position,
                        "question": question,
                        "value": value,
                        "saved_at": now,
                    }
                    for position, answers in person.answers.items()
                    for question, value in answers.items()
                    if value is not None
                ]
                if rows:
                    connection.execute(ANSWER.insert(), rows)

    def named(self, text: str) -> Participant | None:
        """Return the participant with this link, token, or code in exported data."""
        token = text.strip().rpartition("/")[2]
        found = self.participant(token)
        if found is not None or not token:
            return found
        return next(
            (
                person
                for person in self.participants()
                if hmac.compare_digest(
                    participant_code(self._secret, person.id).encode(), token.encode()
                )
            ),
            None,
        )

    def _insert(self, connection: Connection, token: str, origin: str, questionnaire: int) -> int:
        wanted = (
            PARTICIPANT.insert()
            .values(
                token_hash=token_hash(token),
                origin=origin,
                questionnaire=questionnaire,
                created_at=time.time(),
            )
            .returning(PARTICIPANT.c.id)
        )
        key: int = connection.execute(wanted).scalar_one()
        return key

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

    def advance(self, participant: int, **values: object) -> None:
        """Write down a step: its time, and `consent` or `personal` data as JSON."""
        stored = {
            key: json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else value
            for key, value in values.items()
        }
        with self._database.writing() as connection:
            self._open_participant(connection, participant)
            connection.execute(
                update(PARTICIPANT).where(PARTICIPANT.c.id == participant).values(**stored)
            )

    def _open_participant(self, connection: Connection, participant: int) -> None:
        """Lock a participant's row and refuse one whose answers are closed."""
        row = connection.execute(
            select(PARTICIPANT.c.submitted_at, PARTICIPANT.c.withdrawn_at)
            .where(PARTICIPANT.c.id == participant)
            .with_for_update()
        ).first()
        if row is None or row.submitted_at is not None or row.withdrawn_at is not None:
            raise ClosedError("the answers are closed")

    # Answers

    def save(
        self,
        participant: int,
        position: int,
        answers: Mapping[str, int | None],
        *,
        timing: Timing | None = None,
    ) -> None:
        """Keep answers to the item at a position; None removes one. On return they are on disk."""
        now = time.time()
        with self._database.writing() as connection:
            self._open_participant(connection, participant)
            for question, value in answers.items():
                key = {"participant": participant, "position": position, "question": question}
                if value is None:
                    connection.execute(delete(ANSWER).where(*_matches(ANSWER, key)))
                else:
                    self._upsert(connection, ANSWER, key, {"value": value, "saved_at": now})
            if timing is not None:
                key = {"participant": participant, "position": position, "visit": timing.visit}
                opened = min(timing.opened_at, now)
                # A clock that was set back must not take away from what was seen before.
                later = case((VISIT.c.saved_at > now, VISIT.c.saved_at), else_=now)
                self._upsert(
                    connection,
                    VISIT,
                    key,
                    {"saved_at": later},
                    first={"opened_at": opened, "saved_at": now},
                )

    def _upsert(
        self,
        connection: Connection,
        table: Table,
        key: Mapping[str, Any],
        values: Mapping[str, object],
        *,
        first: Mapping[str, Any] | None = None,
    ) -> None:
        """Change the row with this key to `values`, or make it, then with what `first` says instead."""
        insert = sqlite_insert if self._database.is_sqlite else postgresql_insert
        statement = insert(table).values(**{**key, **values, **(first or {})})
        connection.execute(statement.on_conflict_do_update(index_elements=[*key], set_=values))

    def answers(self, participant: int) -> dict[int, dict[str, int]]:
        """Return the answers of a participant by position."""
        found: dict[int, dict[str, int]] = {}
        for answer in self.all_answers([participant]):
            found.setdefault(answer.position, {})[answer.question] = answer.value
        return found

    def all_answers(self, participants: Iterable[int] | None = None) -> list[Answer]:
        """Return answers by participant, position and question."""
        wanted = select(ANSWER).order_by(ANSWER.c.participant, ANSWER.c.position, ANSWER.c.question)
        if participants is not None:
            wanted = wanted.where(ANSWER.c.participant.in_(list(participants)))
        with self._database.reading() as connection:
            rows = connection.execute(wanted).all()
        return [Answer(*row) for row in rows]

    def seconds(self) -> dict[tuple[int, int], float]:
        """Return how long each participant looked at each item, all visits together."""
        spent = func.sum(VISIT.c.saved_at - VISIT.c.opened_at)
        wanted = select(VISIT.c.participant, VISIT.c.position, spent).group_by(
            VISIT.c.participant, VISIT.c.position
        )
        with self._database.reading() as connection:
            return {(row[0], row[1]): float(row[2]) for row in connection.execute(wanted)}

    def submit(self, participant: int) -> None:
        """Close the answers of a participant."""
        self.advance(participant, submitted_at=time.time())

    def erase(self, participant: int, *, judgments: bool) -> Erased:
        """Remove what is about a participant and the token; on request the judgments, too.

        With the judgments go all times. Of the row there stay the questionnaire, the way in, and that
        somebody has begun and withdrawn, at the time of the withdrawal: what progress and places count.
        """
        own = PARTICIPANT.c.id == participant
        with self._database.writing() as connection:
            connection.execute(select(PARTICIPANT.c.id).where(own).with_for_update())
            removed = 0
            if judgments:
                removed = connection.execute(
                    delete(ANSWER).where(ANSWER.c.participant == participant)
                ).rowcount
                connection.execute(delete(VISIT).where(VISIT.c.participant == participant))
            withdrawn = func.coalesce(PARTICIPANT.c.withdrawn_at, time.time())
            begun = case((PARTICIPANT.c.informed_at.is_not(None), withdrawn))
            times = {
                **dict.fromkeys(_STEPS, None),
                "informed_at": begun,
                "created_at": withdrawn,
            }
            connection.execute(
                update(PARTICIPANT)
                .where(own)
                .values(
                    token_hash=token_hash(new_token()),
                    link=None,
                    personal=None,
                    consent=None,
                    withdrawn_at=withdrawn,
                    **(times if judgments else {}),
                )
            )
            left = connection.execute(
                select(func.count()).where(ANSWER.c.participant == participant)
            ).scalar_one()
        return Erased(removed, left, self.settle(seconds=_SETTLE_SECONDS))

    # Sessions of researchers

    def begin_session(self) -> str:
        """Return the token of a new session, and forget sessions that are over."""
        token = new_token()
        now = time.time()
        with self._database.writing() as connection:
            connection.execute(delete(SESSION).where(SESSION.c.expires_at < now))
            connection.execute(
                SESSION.insert().values(
                    token_hash=token_hash(token), expires_at=now + SESSION_SECONDS
                )
            )
        return token

    def has_session(self, token: str) -> bool:
        """Return whether a token belongs to a session that is not over."""
        with self._database.reading() as connection:
            row = connection.execute(
                select(SESSION.c.expires_at).where(SESSION.c.token_hash == token_hash(token))
            ).first()
        return row is not None and row.expires_at >= time.time()

    def end_session(self, token: str) -> None:
        """Forget a session."""
        with self._database.writing() as connection:
            connection.execute(delete(SESSION).where(SESSION.c.token_hash == token_hash(token)))

    def settle(self, *, seconds: float = 0.0) -> bool:
        """Leave nothing in the write-ahead log of SQLite; return whether that was possible in time."""
        return self._database.settle(seconds=seconds)

    def close(self) -> None:
        """Close all connections."""
        self._database.close()


def _has_place(connection: Connection, limit: int) -> bool:
    opened = select(func.count()).where(PARTICIPANT.c.origin == "open")
    return int(connection.execute(opened).scalar_one()) < limit


def _matches(table: Table, key: Mapping[str, Any]) -> list[Any]:
    return [table.c[name] == value for name, value in key.items()]


def _participant(row: Row[Any]) -> Participant:
    values = dict(row._mapping)  # noqa: SLF001 - SQLAlchemy's documented way to the names
    values.pop("token_hash")
    for name in ("consent", "personal"):
        values[name] = None if values[name] is None else json.loads(values[name])
    return Participant(**values)

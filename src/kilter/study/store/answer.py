"""Answers: saved click by click or typed in from paper, and read again. Nothing else writes them."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sqlalchemy import case, delete, func, select, update
from sqlalchemy.dialects.postgresql import insert as postgresql_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert

from kilter.core.errors import InputError
from kilter.study.password import derived_token, token_hash
from kilter.study.store.admission import ANY_STEP, Step, admit
from kilter.study.store.model import ANSWER, COMMENT, PARTICIPANT, VISIT
from kilter.study.store.participant import STEPS
from kilter.study.store.participant_table import check_open

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sqlalchemy import ColumnElement, Connection, Table

    from kilter.study.store.database import Database
    from kilter.study.store.participant import Participant
    from kilter.study.store.participant_table import ParticipantTable


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer to one question about the item at a position, counted from 1."""

    participant: int
    position: int
    question: str
    value: int
    saved_at: float


@dataclass(slots=True)
class PaperAnswers:
    """What one participant wrote on paper."""

    name: str
    questionnaire: int
    answers: dict[int, dict[str, int | None]] = field(default_factory=dict)
    personal: dict[str, object] | None = None
    group: str | None = None
    consent: dict[str, bool] | None = None


@dataclass(frozen=True, slots=True)
class Timing:
    """One look at an item: what names it, and when the page was made."""

    visit: str
    opened_at: float


class AnswerTable:
    """The answers of one study; safe to use from many threads."""

    def __init__(
        self, database: Database, participants: ParticipantTable, *, secret: bytes
    ) -> None:
        self._database = database
        self._participants = participants
        self._secret = secret

    def save(
        self,
        participant: int,
        position: int,
        answers: Mapping[str, int | None],
        *,
        comment: str | None = None,
        timing: Timing | None = None,
        step: Step = ANY_STEP,
    ) -> None:
        """Keep answers to the item at a position; None removes one. On return they are on disk.

        A comment of None leaves the one that is there; an empty one removes it.

        Who may not do so now is refused, as `admit` says.
        """
        with self._database.writing() as connection:
            admit(connection, participant, step)
            self._keep(connection, participant, position, answers, timing)
            if comment is not None:
                self._keep_comment(connection, participant, position, comment)

    def _keep(
        self,
        connection: Connection,
        participant: int,
        position: int,
        answers: Mapping[str, int | None],
        timing: Timing | None,
    ) -> None:
        now = time.time()
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

    def _keep_comment(
        self, connection: Connection, participant: int, position: int, comment: str
    ) -> None:
        key = {"participant": participant, "position": position}
        if comment:
            self._upsert(connection, COMMENT, key, {"text": comment})
        else:
            connection.execute(delete(COMMENT).where(*_matches(COMMENT, key)))

    def comments(self, participant: int | None = None) -> dict[tuple[int, int], str]:
        """Return the comments of a participant, or of all, by participant and position."""
        wanted = select(COMMENT)
        if participant is not None:
            wanted = wanted.where(COMMENT.c.participant == participant)
        with self._database.reading() as connection:
            rows = connection.execute(wanted).all()
        return {(row.participant, row.position): row.text for row in rows}

    def _upsert(
        self,
        connection: Connection,
        table: Table,
        key: Mapping[str, object],
        values: Mapping[str, object],
        *,
        first: Mapping[str, object] | None = None,
    ) -> None:
        """Change the row with this key to `values`, or make it, then with what `first` says instead."""
        insert = sqlite_insert if self._database.is_sqlite else postgresql_insert
        statement = insert(table).values(**{**key, **values, **(first or {})})
        connection.execute(statement.on_conflict_do_update(index_elements=[*key], set_=values))

    def has_entered(self, name: str) -> bool:
        """Return whether a participant's answers on paper are there already."""
        return self.entered(name) is not None

    def entered(self, name: str) -> Participant | None:
        """Return the participant whose answers on paper were imported under a name, or the code of a booklet."""
        return self._participants.find(self._paper_token(name))

    def _paper_token(self, name: str) -> str:
        return derived_token(self._secret, f"paper {name}")

    def enter(self, people: Sequence[PaperAnswers]) -> None:
        """Add participants whose answers were typed in, all of them or none."""
        now = time.time()
        with self._database.writing() as connection:
            check_open(connection, where=self._database.name)
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
                number = self._participants.add(
                    connection, token, "paper", person.questionnaire, group=person.group
                )
                connection.execute(
                    update(PARTICIPANT)
                    .where(PARTICIPANT.c.id == number)
                    .values(
                        personal=json.dumps(person.personal or {}, ensure_ascii=False),
                        consent=None if person.consent is None else json.dumps(person.consent),
                        **dict.fromkeys(STEPS, now),
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

    def of(self, participant: int) -> dict[int, dict[str, int]]:
        """Return the answers of a participant by position."""
        by_position: dict[int, dict[str, int]] = {}
        for answer in self.all([participant]):
            by_position.setdefault(answer.position, {})[answer.question] = answer.value
        return by_position

    def all(self, participants: Iterable[int] | None = None) -> list[Answer]:
        """Return answers by participant, position and question."""
        wanted = select(ANSWER).order_by(ANSWER.c.participant, ANSWER.c.position, ANSWER.c.question)
        if participants is not None:
            wanted = wanted.where(ANSWER.c.participant.in_(list(participants)))
        with self._database.reading() as connection:
            rows = connection.execute(wanted).all()
        return [Answer(*row) for row in rows]

    def moments(self) -> list[float]:
        """Return when each item of each participant got its first answer that is still there."""
        wanted = select(func.min(ANSWER.c.saved_at)).group_by(
            ANSWER.c.participant, ANSWER.c.position
        )
        with self._database.reading() as connection:
            return [float(moment) for moment in connection.execute(wanted).scalars()]

    def seconds(self) -> dict[tuple[int, int], float]:
        """Return how long each participant looked at each item, all visits together."""
        spent = func.sum(VISIT.c.saved_at - VISIT.c.opened_at)
        wanted = select(VISIT.c.participant, VISIT.c.position, spent).group_by(
            VISIT.c.participant, VISIT.c.position
        )
        with self._database.reading() as connection:
            return {(row[0], row[1]): float(row[2]) for row in connection.execute(wanted)}


def _matches(table: Table, key: Mapping[str, object]) -> list[ColumnElement[bool]]:
    return [table.c[name] == value for name, value in key.items()]

"""People of a project: annotators and adjudicators, and the personal links by which they come."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, select, update

from kilter.study.annotation.project import Role
from kilter.study.annotation.store.model import PERSON, PERSON_SESSION
from kilter.study.password import derived_token, token_hash
from kilter.study.store.session import Sessions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection, Row

    from kilter.study.store.database import Database

VISIT_SECONDS = 12 * 3600.0
"""A session is over after so long without a request: a day of work with its breaks is one."""


@dataclass(frozen=True, slots=True)
class Person:
    """An annotator or an adjudicator; `opened_at` is when the link was first opened, if it was."""

    id: int
    name: str
    role: Role
    opened_at: float | None = None

    @property
    def adjudicates(self) -> bool:
        """Whether this is an adjudicator."""
        return self.role is Role.ADJUDICATOR


class PersonTable:
    """The people of one project and their sessions; safe to use from many threads."""

    def __init__(self, database: Database, *, secret: bytes) -> None:
        self._database = database
        self._secret = secret
        column = PERSON_SESSION.c.person
        self.sessions = Sessions(database, column, seconds=VISIT_SECONDS, renewed=True)

    def token(self, name: str) -> str:
        """Return the token of somebody's link; it is stored nowhere, only its hash."""
        return derived_token(self._secret, f"annotator {name}")

    def prepare(self, connection: Connection, people: Sequence[tuple[str, Role]]) -> None:
        """Write those who are new into a transaction, and their roles as they are now.

        Whoever is not in the project any more has no link that leads anywhere.
        """
        known = {row.name: row for row in connection.execute(select(PERSON)).all()}
        for name, role in people:
            if name not in known:
                values = {
                    "name": name,
                    "role": str(role),
                    "token_hash": token_hash(self.token(name)),
                }
                connection.execute(PERSON.insert().values(**values))
            elif known[name].role != str(role):
                connection.execute(
                    update(PERSON).where(PERSON.c.name == name).values(role=str(role))
                )
        gone = known.keys() - {name for name, _ in people}
        connection.execute(delete(PERSON).where(PERSON.c.name.in_(gone)))

    def all(self) -> list[Person]:
        """Return everybody, in the order in which they came into the project."""
        with self._database.reading() as connection:
            rows = connection.execute(select(PERSON).order_by(PERSON.c.id)).all()
        return [_person(row) for row in rows]

    def find(self, token: str) -> Person | None:
        """Return whose personal link this is; the database compares hashes, which reveal nothing."""
        with self._database.reading() as connection:
            row = connection.execute(
                select(PERSON).where(PERSON.c.token_hash == token_hash(token))
            ).first()
        return None if row is None else _person(row)

    def begin_visit(self, person: Person) -> str:
        """Return the token of a new session, and remember that the link was opened."""
        first = PERSON.c.id == person.id, PERSON.c.opened_at.is_(None)
        with self._database.writing() as connection:
            connection.execute(update(PERSON).where(*first).values(opened_at=time.time()))
        return self.sessions.begin(person.id)

    def visitor(self, token: str) -> Person | None:
        """Return whose session this is, if it is not over."""
        number = self.sessions.holder(token)
        with self._database.reading() as connection:
            row = connection.execute(select(PERSON).where(PERSON.c.id == number)).first()
        return None if row is None else _person(row)


def _person(row: Row[Any]) -> Person:
    return Person(row.id, row.name, Role(row.role), row.opened_at)

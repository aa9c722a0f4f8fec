"""The database of one project: people, annotations, attempts, actions."""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import func, select
from sqlalchemy.exc import SQLAlchemyError

from kilter.core.errors import InputError
from kilter.io.json_text import parse_json
from kilter.io.stream import is_file
from kilter.io.toml_table import inside
from kilter.study.annotation.project import KEY_FILE, read_project
from kilter.study.annotation.store.annotation_table import AnnotationTable
from kilter.study.annotation.store.model import ANNOTATION, PERSON, PROJECT
from kilter.study.annotation.store.person import PersonTable
from kilter.study.store.action import ActionKind, ActionTable, ActionWay
from kilter.study.store.attempt import AttemptTable
from kilter.study.store.database import CONNECTIONS, open_database
from kilter.study.store.request_counters import RequestCounters

if TYPE_CHECKING:
    from kilter.study.annotation.project import Project
    from kilter.study.store.database import Database

DATABASE_FILE = "annotations.db"
MIGRATIONS = Path(__file__).parent / "migrations"


class AnnotationStore:
    """What the people of one project have done; safe to use from many threads."""

    def __init__(self, database: Database, project: Project, *, secret: bytes) -> None:
        self._database = database
        self.people = PersonTable(database, secret=secret)
        self.annotations = AnnotationTable(database)
        self.attempts = AttemptTable(database, secret=secret)
        self.actions = ActionTable(database)
        self.requests = RequestCounters(database)
        self._prepare(project, secret)

    @property
    def name(self) -> str:
        """How messages name the database."""
        return self._database.name

    @property
    def connections(self) -> int:
        """How many connections to the database there may be."""
        return self._database.connections

    def _prepare(self, project: Project, secret: bytes) -> None:
        """Make the database ready for a project, or refuse another project's."""
        listed = json.dumps([each.words for each in project.sentences], ensure_ascii=False)
        fingerprint = hashlib.sha256(secret + listed.encode()).hexdigest()
        with self._database.writing() as connection:
            self._database.lock(connection, "project")
            found = connection.execute(select(PROJECT.c.fingerprint)).scalar_one_or_none()
            if found is None:
                connection.execute(PROJECT.insert().values(id=1, fingerprint=fingerprint))
            elif found != fingerprint:
                raise InputError(
                    "holds another project, or the sentences were changed; use a database of its own "
                    "for each project",
                    where=self.name,
                )
            self.people.prepare(connection, project.people())

    def state(self) -> str:
        """Return what the project is known by; it comes from the database."""
        with self._database.reading() as connection:
            found: str = connection.execute(select(PROJECT.c.fingerprint)).scalar_one()
        return found

    def counts(self) -> dict[str, int]:
        """Return how many people there are, and how many annotations are begun and done."""
        with self._database.reading() as connection:
            people = connection.execute(select(func.count(PERSON.c.id))).scalar_one()
            rows = connection.execute(
                select(ANNOTATION.c.done, func.count()).group_by(ANNOTATION.c.done)
            ).all()
        found = {bool(done): number for done, number in rows}
        return {
            "people": people,
            "annotations_begun": found.get(False, 0),
            "annotations_done": found.get(True, 0),
        }

    def settle(self, *, seconds: float = 0.0) -> bool:
        """Leave nothing in the write-ahead log of SQLite; return whether that was possible in time."""
        self.attempts.forget()
        self.people.sessions.forget()
        return self._database.settle(seconds=seconds)

    def close(self) -> None:
        """Close all connections."""
        with suppress(SQLAlchemyError):
            self.requests.flush()
        self._database.close()


class RunningProject:
    """A project with its database open."""

    def __init__(self, project: Project, store: AnnotationStore, secret: bytes) -> None:
        self.project = project
        self.store = store
        self.secret = secret

    def note(self, command: str, detail: str = "") -> None:
        """Write down what a command has done."""
        self.store.actions.add(ActionKind(command), way=ActionWay.COMMAND, detail=detail)


def open_project(
    folder: Path,
    *,
    database: str | None = None,
    connections: int = CONNECTIONS,
    new: bool = False,
) -> RunningProject:
    """Return a created project with its database ready; only that of a `new` one may be missing.

    Otherwise the loss of all work would look like a project that nobody has begun.
    """
    project = read_project(folder)
    secret = read_secret(folder)
    if database is None and not new and not is_file(folder / DATABASE_FILE):
        raise InputError(
            f"holds no {DATABASE_FILE}, with all that annotators have done; take it from a backup, or name the "
            "database with --database",
            where=str(folder),
        )
    opened = open_database(
        database, folder, connections=connections, file=DATABASE_FILE, migrations=MIGRATIONS
    )
    try:
        return RunningProject(project, AnnotationStore(opened, project, secret=secret), secret)
    except BaseException:
        opened.close()
        raise


def read_secret(folder: Path) -> bytes:
    """Return what personal links are derived from."""
    path = inside(folder, KEY_FILE, where=str(folder))
    try:
        return bytes.fromhex(parse_json(path.read_bytes())["secret"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"is missing or damaged: {error}; take it from a backup, or create the project anew",
            where=str(path),
        ) from error

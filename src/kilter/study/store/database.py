"""Connections to SQLite and PostgreSQL, and tables of the newest version."""

from __future__ import annotations

import os
import select
import sqlite3
import threading
import time
from contextlib import closing, contextmanager, nullcontext, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, event, make_url
from sqlalchemy.exc import (
    ArgumentError,
    InvalidatePoolError,
    NoSuchModuleError,
    OperationalError,
    SQLAlchemyError,
)

from kilter.core.errors import InputError, KilterError, MissingToolError, OptionError
from kilter.io.toml_table import inside
from kilter.study.store.fault import fault_kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from psycopg import Connection as PostgresqlConnection
    from sqlalchemy import URL, Connection, Engine

DATABASE_FILE = "answers.db"
MIGRATIONS = Path(__file__).parent / "migrations"
CONNECTIONS = 40
"""As many as a process opens at most, unless it is told otherwise."""
_BUSY_MS = 20_000
_SHORT_MS = 100  # writers wait while the log is emptied, so not for long
_LOCK_MS = 2000  # who waits for a table keeps all others waiting who come later
_LOCK_NUMBER = 0x6B696C74  # for PostgreSQL's advisory lock: one process migrates at a time
# Whether VACUUM FULL would keep what a transaction has deleted: for an older transaction that has changed something, in
# any database or only prepared, for whoever reads this database, or for a replica.
_SEES_OLDER = (
    "SELECT pg_snapshot_xmin(pg_current_snapshot()) < %(newest)s::xid8 OR EXISTS (SELECT FROM pg_stat_activity "
    "WHERE coalesce(datname = current_database(), true) AND pid <> pg_backend_pid() "
    "AND age(backend_xmin) >= age(%(newest)s::xid)) "
    "OR EXISTS (SELECT FROM pg_replication_slots WHERE age(xmin) >= age(%(newest)s::xid))"
)


class Database:
    """A database whose transactions are on disk when they are over.

    `writing` commits at its end; whoever was told that something is saved can rely on it, whatever
    happens to the process. SQLite has one writer at a time, so that writers queue here and not there.
    """

    def __init__(
        self, url: URL, *, connections: int = CONNECTIONS, migrations: Path = MIGRATIONS
    ) -> None:
        self._migrations = migrations
        self.name = url.render_as_string(hide_password=True)
        self.connections = connections
        self.is_sqlite = url.get_backend_name() == "sqlite"
        self._engine = _engine(url, connections, is_sqlite=self.is_sqlite)
        if self.is_sqlite and url.database:
            _make_private(url.database)
        self._writer = threading.Lock() if self.is_sqlite else None
        try:
            self._upgrade()
        except BaseException:
            self._engine.dispose()
            raise

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Give a connection that sees one state of the data."""
        with self._engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Give a connection whose changes are kept if, and only if, the block ends well."""
        with self._writer or nullcontext(), self._engine.connect() as connection:
            chosen = connection.execution_options(kilter_writes=True)
            with chosen.begin():
                yield chosen

    def lock(self, connection: Connection, name: str) -> None:
        """Let one transaction at a time do what has this name; SQLite has one writer anyway."""
        if not self.is_sqlite:
            wanted = "SELECT pg_advisory_xact_lock(%(kind)s, hashtext(%(name)s))"
            connection.exec_driver_sql(wanted, {"kind": _LOCK_NUMBER, "name": name})

    def settle(self, *, seconds: float = 0.0) -> bool:
        """Move everything from SQLite's write-ahead log into its file, and empty the log.

        Whoever reads an older state is in the way: try again until the seconds are over, and return whether
        the log is empty. What was erased is gone only then. PostgreSQL needs `forget`.
        """
        end = time.monotonic() + seconds
        while not self._settled():
            if time.monotonic() >= end:
                return False
            time.sleep(_SHORT_MS / 1000)
        return True

    def forget(self, tables: Sequence[str], *, seconds: float) -> bool:
        """Leave nothing of rows that were changed or deleted in the files of these tables.

        Return whether that was possible in time: whoever reads an older state is in the way. SQLite overwrites
        what is deleted; PostgreSQL keeps it until tables are written anew.
        """
        if self.is_sqlite:
            return self.settle(seconds=seconds)
        end = time.monotonic() + seconds
        with self._engine.connect() as pooled:
            connection = pooled.execution_options(isolation_level="AUTOCOMMIT")
            newest = connection.exec_driver_sql("SELECT pg_current_xact_id()::text").scalar_one()
            connection.exec_driver_sql(f"SET lock_timeout = {_LOCK_MS}")
            connection.exec_driver_sql("SET statement_timeout = 0")  # large tables take their time
            try:
                while not self._written_anew(connection, tables, newest):
                    if time.monotonic() >= end:
                        return False
                    time.sleep(_SHORT_MS / 1000)
            finally:
                connection.exec_driver_sql("RESET lock_timeout")
                connection.exec_driver_sql("RESET statement_timeout")
        return True

    @staticmethod
    def _written_anew(connection: Connection, tables: Sequence[str], newest: str) -> bool:
        """Write tables anew if nobody sees a state from before a transaction, and return whether that was done."""
        if connection.exec_driver_sql(_SEES_OLDER, {"newest": newest}).scalar_one():
            return False
        try:
            for table in tables:
                connection.exec_driver_sql(f"VACUUM (FULL) {table}")
        except OperationalError:  # locked for longer than anybody should wait
            return False
        return True

    def _settled(self) -> bool:
        if not self.is_sqlite:
            return True
        with self._writer or nullcontext(), closing(self._engine.raw_connection()) as connection:
            cursor = connection.cursor()
            cursor.execute(f"PRAGMA busy_timeout={_SHORT_MS}")
            try:
                cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                row = cursor.fetchone()
            except sqlite3.OperationalError:  # locked by another process
                return False
            finally:
                cursor.execute(f"PRAGMA busy_timeout={_BUSY_MS}")
        return row is not None and row[0] == 0

    def close(self) -> None:
        """Close all connections; the file of SQLite is then complete, unless somebody reads it."""
        with suppress(SQLAlchemyError):
            self.settle()
        self._engine.dispose()

    def _check_encoding(self, connection: Connection) -> None:
        """Refuse a database that has no place for some letters; answers in them would be lost."""
        encoding = connection.exec_driver_sql("SHOW server_encoding").scalar_one()
        if encoding != "UTF8":
            raise InputError(
                f"the database stores text as {encoding}, which has no place for some letters; make one by "
                "CREATE DATABASE survey ENCODING 'UTF8' TEMPLATE template0",
                where=self.name,
            )

    def _is_newest(self, connection: Connection) -> bool:
        """Return whether tables are as this version makes them; refuse those that it does not know.

        It could only damage them.
        """
        *older, newest = _versions(self._migrations)
        found = MigrationContext.configure(connection).get_current_revision()
        if found not in {None, *older, newest}:
            raise InputError(
                f"the tables have version {found}, of another Kilter; this one knows {newest}. Install the "
                "version that made them, or use a database of its own",
                where=self.name,
            )
        return found == newest

    def _upgrade(self) -> None:
        try:
            with self.writing() as connection:
                if not self.is_sqlite:
                    self._check_encoding(connection)
                    connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK_NUMBER})")
                if not self._is_newest(connection):
                    config = _configuration(self._migrations)
                    config.attributes["connection"] = connection
                    command.upgrade(config, "head")
        except OperationalError as error:
            reason = str(error.orig).strip().split("\n")[0]
            raise InputError(
                f"the database cannot be used: {reason}; check --database", where=self.name
            ) from error
        except SQLAlchemyError as error:
            raise InputError(
                f"the database cannot be used: {fault_kind(error)}; check --database",
                where=self.name,
            ) from error


def _configuration(migrations: Path) -> Config:
    config = Config()
    config.set_main_option("script_location", str(migrations).replace("%", "%%"))
    return config


@cache
def _versions(migrations: Path) -> tuple[str, ...]:
    """Return the versions of the tables, the newest last."""
    newest_first = ScriptDirectory.from_config(_configuration(migrations)).walk_revisions()
    return tuple(revision.revision for revision in newest_first)[::-1]


def open_database(
    address: str | None,
    folder: Path,
    *,
    connections: int = CONNECTIONS,
    file: str = DATABASE_FILE,
    migrations: Path = MIGRATIONS,
) -> Database:
    """Return the database at a URL, or the SQLite file in a folder; `migrations` make its tables."""
    if address is None:
        url = make_url(f"sqlite:///{inside(folder, file, where=str(folder))}")
        return Database(url, connections=connections, migrations=migrations)
    try:
        url = make_url(address)
        if url.drivername in ("postgres", "postgresql"):
            url = url.set(drivername="postgresql+psycopg")
        if not _is_taken(url):
            raise OptionError("--database takes sqlite:///FILE or postgresql://USER@HOST/NAME")
        return Database(url, connections=connections, migrations=migrations)
    except KilterError:
        raise
    except (ArgumentError, NoSuchModuleError, ValueError) as error:
        raise OptionError(
            "--database is not an address; write sqlite:///FILE or postgresql://USER@HOST/NAME"
        ) from error
    except ModuleNotFoundError as error:
        raise MissingToolError("PostgreSQL", install="pip install 'kilter[survey]'") from error


def _is_taken(url: URL) -> bool:
    """Return whether answers can be kept there: what is in memory alone would be lost with each connection."""
    kind = url.get_backend_name()
    return kind == "postgresql" or (kind == "sqlite" and url.database not in (None, "", ":memory:"))


def _make_private(file: str) -> None:
    """Make a file that only its owner reads, if there is none; SQLite gives its other files the same rights."""
    if file.startswith("file:"):
        return
    with suppress(OSError):  # SQLite says what is wrong
        os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))


def _check_is_open(connection: PostgresqlConnection, _record: object, _pooled: object) -> None:
    """Let the pool open new connections if PostgreSQL has ended this one.

    It says nothing unasked but that it ends a connection, so that bytes to read are enough to know; a question would
    cost a message to the server and back at every request.
    """
    if connection.closed or select.select([connection.fileno()], [], [], 0)[0]:
        raise InvalidatePoolError


def _engine(url: URL, connections: int, *, is_sqlite: bool) -> Engine:
    if not is_sqlite:
        # The connection that was used last is used next: what it remembers of statements is still at hand.
        engine = create_engine(
            url, pool_size=connections, max_overflow=0, pool_use_lifo=True, hide_parameters=True
        )
        event.listen(engine, "checkout", _check_is_open)
        return engine
    engine = create_engine(url, pool_size=connections, max_overflow=0, hide_parameters=True)

    @event.listens_for(engine, "connect")
    def _prepare(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None  # transactions begin where we say so
        for setting in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {setting}")
        connection.execute(f"PRAGMA busy_timeout={_BUSY_MS}")
        connection.execute("PRAGMA secure_delete=ON")  # what is erased leaves no trace in the file

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("kilter_writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine

"""The database: its tables and its transactions."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect, text
from sqlalchemy.exc import InterfaceError, ProgrammingError

from kilter.core.errors import InputError
from kilter.study.store.database import open_database
from kilter.study.store.model import METADATA
from kilter.study.store.running_study import RunningStudy
from tests.study.conftest import on_every_database

Address = Callable[[], str | None]


@on_every_database
def test_migrations_make_the_tables_that_the_code_knows(tmp_path: Path, database: Address) -> None:
    address = database()
    made = open_database(address, tmp_path)
    with made.reading() as connection:
        context = MigrationContext.configure(connection)
        assert compare_metadata(context, METADATA) == []
        assert context.get_current_revision() == "survey_0001"
        keys = {
            name: inspect(connection).get_pk_constraint(name)["constrained_columns"]
            for name in METADATA.tables
        }
        # What makes a row the only one of its kind, which the comparison above leaves out.
        assert keys == {
            name: table.primary_key.columns.keys() for name, table in METADATA.tables.items()
        }
    made.close()
    open_database(address, tmp_path).close()  # a second start changes nothing


def test_tables_of_the_newest_version_are_not_migrated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_database(None, tmp_path).close()
    asked: list[str] = []
    monkeypatch.setattr(command, "upgrade", lambda _, version: asked.append(version))
    open_database(None, tmp_path).close()
    assert asked == []
    open_database(f"sqlite:///{tmp_path / 'other.db'}", tmp_path).close()
    assert asked == ["head"]


@on_every_database
def test_a_block_that_fails_leaves_nothing(running_study: RunningStudy) -> None:
    store = running_study.store
    person = store.participants.find(store.participants.join())
    assert person is not None
    broken: dict[str, Any] = {"holistic": 3, "order": object()}
    with pytest.raises((ProgrammingError, InterfaceError)):
        store.answers.save(person.id, 1, broken)
    assert store.answers.of(person.id) == {}


@on_every_database
def test_tables_of_an_unknown_version_are_left_alone(tmp_path: Path, database: Address) -> None:
    address = database()
    made = open_database(address, tmp_path)
    with made.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    made.close()
    with pytest.raises(
        InputError, match=r"version 9999, of another Kilter; .* Install the version"
    ):
        open_database(address, tmp_path)


def test_a_database_without_a_place_for_every_letter_is_refused(
    postgresql_server: str, tmp_path: Path
) -> None:
    with psycopg.connect(f"{postgresql_server}/postgres", autocommit=True) as connection:
        connection.execute(
            "CREATE DATABASE latin ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0"
        )
    with pytest.raises(InputError, match=r"as LATIN1, .*CREATE DATABASE survey ENCODING 'UTF8'"):
        open_database(f"{postgresql_server}/latin", tmp_path)


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_connections_that_postgresql_has_ended_are_replaced_unseen(
    running_study: RunningStudy, postgresql_server: str
) -> None:
    store = running_study.store
    person = store.participants.find(store.participants.join())
    assert person is not None
    visit = store.visits.begin(person.id)
    with psycopg.connect(f"{postgresql_server}/postgres", autocommit=True) as connection:
        for ask in (store.state, lambda: store.visits.find(visit)):
            before = ask()
            ended = connection.execute(
                "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = %s",
                [store.name.rpartition("/")[2]],
            ).fetchall()
            assert ended
            assert ask() == before

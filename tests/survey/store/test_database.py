"""The database: its tables and its transactions."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect
from sqlalchemy.exc import InterfaceError, ProgrammingError

from kilter.survey.store.database import open_database
from kilter.survey.store.model import METADATA
from kilter.survey.store.running_study import RunningStudy
from tests.survey.conftest import on_every_database

Address = Callable[[], str | None]


@on_every_database
def test_migrations_make_the_tables_that_the_code_knows(tmp_path: Path, database: Address) -> None:
    address = database()
    made = open_database(address, tmp_path)
    with made.reading() as connection:
        context = MigrationContext.configure(connection)
        assert compare_metadata(context, METADATA) == []
        assert context.get_current_revision() == "0002"
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


@on_every_database
def test_a_block_that_fails_leaves_nothing(running_study: RunningStudy) -> None:
    store = running_study.store
    person = store.participants.find(store.participants.join())
    assert person is not None
    broken: dict[str, Any] = {"holistic": 3, "order": object()}
    with pytest.raises((ProgrammingError, InterfaceError)):
        store.answers.save(person.id, 1, broken)
    assert store.answers.of(person.id) == {}

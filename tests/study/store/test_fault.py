"""What is written down about errors."""

import sqlite3
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError

from kilter.study.instrument.data_file import DATA
from kilter.study.instrument.interface import read_interface
from kilter.study.store.fault import fault, fault_kind, is_passing


def test_a_database_s_error_is_its_classes_and_its_code() -> None:
    engine = create_engine("sqlite://")
    with engine.connect() as connection:
        connection.execute(text("CREATE TABLE person (nationality TEXT UNIQUE)"))
        insert = text("INSERT INTO person VALUES (:nationality)")
        connection.execute(insert, {"nationality": "Atlantean"})
        with pytest.raises(IntegrityError) as caught:
            connection.execute(insert, {"nationality": "Atlantean"})
    assert "Atlantean" in str(caught.value)
    assert fault(caught.value) == (
        "sqlalchemy.exc.IntegrityError (sqlite3.IntegrityError, SQLITE_CONSTRAINT_UNIQUE)"
    )


def test_our_functions_are_named_with_their_lines_and_nobody_else_s() -> None:
    with pytest.raises(Exception) as caught:  # noqa: PT011 - which one is not the point
        read_interface("Atlantean", DATA)
    said = fault(caught.value)
    assert said.startswith(f"{fault_kind(caught.value)} in study/instrument/interface.py:")
    assert " read_interface" in said
    assert "Atlantean" not in said
    assert "test_fault" not in said


def test_of_several_errors_at_once_the_first_is_named() -> None:
    both = ExceptionGroup("Atlantean", [sqlite3.DataError("Atlantean"), ValueError("Atlantean")])
    assert fault(both) == "sqlite3.DataError"


def test_a_full_disk_passes_and_a_missing_table_does_not() -> None:
    engine = create_engine("sqlite://")
    with engine.connect() as connection:
        connection.execute(text("CREATE TABLE person (name TEXT)"))
        connection.execute(text("PRAGMA max_page_count = 2"))
        with pytest.raises(OperationalError) as full:
            connection.execute(text("INSERT INTO person VALUES (:name)"), {"name": "x" * 10_000})
        with pytest.raises(OperationalError) as missing:
            connection.execute(text("SELECT * FROM nobody"))
    assert is_passing(full.value)
    assert not is_passing(missing.value)
    assert not is_passing(ValueError("full"))
    errors = {
        psycopg.errors.DiskFull: True,
        psycopg.errors.AdminShutdown: True,
        psycopg.errors.ConnectionFailure: True,
        psycopg.OperationalError: True,  # of a connection that cannot be made
        psycopg.errors.QueryCanceled: True,  # by a limit of time
        psycopg.errors.LockNotAvailable: True,
        psycopg.errors.DeadlockDetected: True,
        psycopg.errors.ReadOnlySqlTransaction: True,
        psycopg.errors.UndefinedTable: False,
        psycopg.errors.CheckViolation: False,
    }
    for kind, passes in errors.items():
        error = DBAPIError.instance(None, None, kind("Atlantean"), psycopg.Error)
        assert is_passing(error) == passes, kind


def test_a_file_that_can_only_be_read_passes(tmp_path: Path) -> None:
    sqlite3.connect(tmp_path / "answers.db").execute(
        "CREATE TABLE person (name TEXT)"
    ).connection.close()
    engine = create_engine(f"sqlite:///file:{tmp_path / 'answers.db'}?mode=ro&uri=true")
    with engine.connect() as connection, pytest.raises(OperationalError) as caught:
        connection.execute(text("INSERT INTO person VALUES ('x')"))
    assert is_passing(caught.value)
    with pytest.raises(OperationalError) as missing:
        create_engine(f"sqlite:///{tmp_path / 'nowhere' / 'answers.db'}").connect()
    assert is_passing(missing.value)

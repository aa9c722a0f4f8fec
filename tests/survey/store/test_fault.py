"""What is written down about errors."""

import sqlite3

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import IntegrityError

from kilter.survey.instrument.data_file import DATA
from kilter.survey.instrument.interface import read_interface
from kilter.survey.store.fault import fault, fault_kind


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
    assert said.startswith(f"{fault_kind(caught.value)} in survey/instrument/interface.py:")
    assert " read_interface" in said
    assert "Atlantean" not in said
    assert "test_fault" not in said


def test_of_several_errors_at_once_the_first_is_named() -> None:
    both = ExceptionGroup("Atlantean", [sqlite3.DataError("Atlantean"), ValueError("Atlantean")])
    assert fault(both) == "sqlite3.DataError"

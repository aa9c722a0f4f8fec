"""The lines of the server's log."""

import logging
import sys

from kilter.study.web.log import PrivateFormatter


def line(name: str, message: object, *values: object, error: Exception | None = None) -> str:
    """Return what is written of a record, without its time."""
    caught = None
    if error is not None:
        try:
            raise error
        except type(error):
            caught = sys.exc_info()
    record = logging.LogRecord(name, logging.ERROR, "", 0, message, values, caught)
    return PrivateFormatter().format(record).split(" ", 2)[2]


def test_what_we_say_is_written_as_it_is() -> None:
    assert line("kilter.survey", "%s %s %d", "GET", "/", 200) == "GET / 200"
    assert line("uvicorn.error", "cannot listen on %d", 8000) == "cannot listen on 8000"


def test_what_others_fill_into_their_messages_is_left_out() -> None:
    assert line("psycopg", "error ignored: %s", "Atlantean") == "psycopg: error ignored: %s"
    assert line("other", ValueError("Atlantean")) == "other: ValueError"


def test_an_error_is_its_class_in_the_line_of_its_record() -> None:
    for name in ("uvicorn.error", "kilter.survey"):
        said = line(name, "Exception in ASGI application\n", error=ValueError("Atlantean"))
        assert said == "Exception in ASGI application: ValueError"
    assert line("sqlalchemy.pool", "reset", error=ValueError("x\ny")) == (
        "sqlalchemy.pool: reset: ValueError"
    )


def test_no_record_is_more_than_a_line() -> None:
    assert line("kilter.survey", "one\ntwo %s", "three\r\nfour") == "one two three four"

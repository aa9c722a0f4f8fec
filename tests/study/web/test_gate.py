"""What passes the outermost layer of the server, and what is written down of it."""

import asyncio
import re
import sqlite3
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import psycopg
import pytest
from sqlalchemy.exc import DBAPIError
from starlette.types import Message, Receive, Scope, Send

from kilter.study.store.database import open_database
from kilter.study.store.request_counters import RequestCounters
from kilter.study.web.gate import Gate
from kilter.study.web.guard import HEADERS
from kilter.study.web.site_address import SiteAddress
from tests.study import postgresql
from tests.study.conftest import on_every_database
from tests.study.running import Person, asked, example, running

Address = Callable[[], str | None]
_LOWER = {name.lower() for name in HEADERS}


def refuse_atlanteans(folder: Path, database: str | None) -> None:
    """Make the database refuse what one participant says, and repeat it in its message."""
    if database is None:
        with sqlite3.connect(folder / "answers.db") as connection:
            connection.execute(
                "CREATE TRIGGER refuse BEFORE UPDATE ON participant WHEN NEW.personal LIKE '%Atlantean%'"
                " BEGIN SELECT RAISE(ABORT, 'an Atlantean'); END"
            )
        connection.close()
        return
    with psycopg.connect(database) as other:
        other.execute(
            "ALTER TABLE participant ADD CHECK (personal NOT LIKE '%Atlantean%')"  # row in its DETAIL
        )


@on_every_database
def test_what_the_database_says_about_a_participant_reaches_no_log(
    tmp_path: Path, database: Address
) -> None:
    folder, address = example(tmp_path / "study"), database()
    with running(folder, database=address) as server, Person(server.address) as person:
        person.join()
        refuse_atlanteans(folder, address)
        person.agree()
        answer = person.post(
            "/about", nationality="Atlantean", disability="yes", disability_text="left-handed"
        )
        assert answer.status_code == 500
        assert answer.text == "Something went wrong. What was saved before is still there."
        assert {*answer.headers} >= _LOWER
        server.stop()
        log = server.log.read_text(encoding="utf-8")
    assert "Atlantean" not in log
    assert "left-handed" not in log
    assert "Traceback" not in log
    (line,) = [line for line in log.split("\n") if "Error" in line]
    code = "SQLITE_CONSTRAINT_TRIGGER" if address is None else "sqlstate 23514"
    assert re.search(
        rf"bug in /about: sqlalchemy\.exc\.IntegrityError \([\w., ]*{code}\) in .*"
        r"study/web/participant_pages\.py:\d+ about, .*study/store/participant_table\.py:\d+ advance",
        line,
    )


def test_a_method_that_nobody_knows_is_not_written_down(tmp_path: Path) -> None:
    with running(example(tmp_path / "study")) as server:
        answer = asked(f"{server.address}/about", method="ATLANTEAN")
        assert answer.status_code == 405
        assert {*answer.headers} >= _LOWER
        server.stop()
        assert "ATLANTEAN" not in server.log.read_text(encoding="utf-8")


def test_a_full_disk_is_no_bug_and_may_pass(tmp_path: Path) -> None:
    async def save(_scope: Scope, _receive: Receive, _send: Send) -> None:
        error = psycopg.errors.DiskFull("Atlantean")
        raise DBAPIError.instance(None, None, error, psycopg.Error)

    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    database = open_database(None, tmp_path)
    counters = RequestCounters(database)
    gate = Gate(save, headers=HEADERS, address=SiteAddress.parse("http://x"), counters=counters)
    scope = {"type": "http", "method": "POST", "path": "/item/1", "headers": []}
    asyncio.run(gate(scope, receive, send))
    assert sent[0]["status"] == 503
    assert {name.decode() for name, _ in sent[0]["headers"]} >= _LOWER
    assert b"Try again" in sent[1]["body"]
    assert counters.totals()[1] == 1
    database.close()


def answers_of(person: Person) -> list[int]:
    """Return the statuses of pages that read, pages that write, and what scripts ask."""
    token = person.form_token
    person.client.follow_redirects = False
    return [
        *(person.client.get(path).status_code for path in ("/", "/item/1", "/item/2", "/review")),
        person.client.post("/item/1", data={"form_token": token, "holistic": "4"}).status_code,
        person.save("/item/1", token, holistic="4").status_code,
        person.client.get("/p/wrong").status_code,
    ]


def test_a_database_that_is_away_is_no_bug_whatever_is_asked(tmp_path: Path) -> None:
    reason = postgresql.missing()
    if reason:
        pytest.skip(reason)
    with ExitStack() as stack:
        with postgresql.server() as cluster:
            database = postgresql.new_database(cluster)
            server = stack.enter_context(running(example(tmp_path / "study"), database=database))
            person = stack.enter_context(Person(server.address))
            person.join()
            person.reach_items()
        for _ in range(2):  # with connections that were ended, and with none
            assert {*answers_of(person)} == {503}
        server.stop()
        log = server.log.read_text(encoding="utf-8")
    assert "bug in" not in log
    assert "the database fails in /item/{number}: " in log


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_a_statement_that_takes_too_long_is_no_bug(tmp_path: Path, database: Address) -> None:
    address = database()
    assert address is not None
    with (
        running(example(tmp_path / "study"), database=address) as server,
        Person(server.address) as person,
        psycopg.connect(address) as other,
    ):
        person.join()
        person.reach_items()
        name = address.rpartition("/")[2]
        other.execute(f"ALTER DATABASE {name} SET statement_timeout = 200".encode())
        other.execute(
            "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        other.commit()  # new connections have the limit
        other.execute("LOCK TABLE participant, state")
        assert {*answers_of(person)} == {503}

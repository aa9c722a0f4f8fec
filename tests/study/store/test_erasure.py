"""After an erasure nothing of a participant is left: in no table, no column, and no byte of the file."""

import struct
import threading
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import Connection, Float, Integer, MetaData, String, Table

from kilter.study.password import participant_code
from kilter.study.store.database import Database
from kilter.study.store.running_study import RunningStudy, open_study
from tests.study.postgresql import new_database
from tests.study.stored import Clock, joined

PERSON, NEIGHBOUR = 700_000_001, 700_000_002
# No number is given twice, and none is so small that it could be something else.
NUMBERS = count(1_500_000_001)
# How many came, which way, and to which questionnaire is not about anybody.
COUNTED = {("participant", name) for name in ("id", "origin", "questionnaire")}
# The course of the study stays with judgments that may be used.
COURSE = {
    ("participant", f"{step}_at")
    for step in (
        "informed",
        "consented",
        "described",
        "sampled",
        "submitted",
        "withdrawn",
        "created",
    )
}
Place = tuple[str, str]


def database_of(running_study: RunningStudy) -> Database:
    return running_study.store._database


def tables(connection: Connection) -> dict[str, Table]:
    """Return all tables as the database itself describes them."""
    found = MetaData()
    found.reflect(connection)
    return {name: table for name, table in found.tables.items() if name != "alembic_version"}


def leave_traces(connection: Connection, person: int) -> dict[Place, Any]:
    """Write a value that occurs nowhere else into every column that can be about a participant."""
    left: dict[Place, Any] = {}
    known = tables(connection)
    about = [
        known["participant"],
        *(table for table in known.values() if references(table)),
    ]
    for table in about:
        values: dict[str, Any] = {}
        for column in table.columns:
            number = next(NUMBERS)
            if isinstance(column.type, Float):
                value: Any = number + 0.123456
            elif isinstance(column.type, Integer):
                value = number
            else:
                assert isinstance(column.type, String), f"write a trace for {column.type}"
                value = f"trace {number:x}"
                assert len(value) <= (column.type.length or len(value))
            values[column.name] = value
        if table is about[0]:
            values["id"] = person
            values["questionnaire"] = 1
        else:
            values |= dict.fromkeys(references(table), person)
        connection.execute(table.insert().values(**values))
        left |= {(table.name, name): value for name, value in values.items()}
    return left


def references(table: Table) -> list[str]:
    """Return the columns that name a participant."""
    return [key.parent.name for key in table.foreign_keys if key.column.table.name == "participant"]


def rows(connection: Connection) -> dict[str, list[dict[str, Any]]]:
    return {
        name: [dict(row) for row in connection.execute(table.select()).mappings()]
        for name, table in tables(connection).items()
    }


def found(connection: Connection, traces: dict[Place, Any]) -> set[Place]:
    """Return the places of traces that are still anywhere: each is looked for in every column."""
    cells = [
        (table, column, value)
        for table, listed in rows(connection).items()
        for row in listed
        for column, value in row.items()
    ]
    wanted = {value for place, value in traces.items() if place != ("participant", "questionnaire")}
    return {(table, column) for table, column, value in cells if value in wanted}


@pytest.fixture
def filled(running_study: RunningStudy) -> tuple[RunningStudy, dict[Place, Any], dict[Place, Any]]:
    """Return a study with two people about whom every column says something."""
    with database_of(running_study).writing() as connection:
        traces = leave_traces(connection, PERSON)
        others = leave_traces(connection, NEIGHBOUR)
        places = {*traces} - {("participant", "questionnaire")}
        assert found(connection, traces) >= places
        assert {*others} == {*traces}
    return running_study, traces, others


def neighbours(connection: Connection) -> dict[str, list[dict[str, Any]]]:
    """Return all rows that are not about the person."""
    return {
        name: [row for row in listed if PERSON not in (row.get("participant"), row.get("id"))]
        for name, listed in rows(connection).items()
    }


def test_everything_is_gone_from_every_table_and_column(
    filled: tuple[RunningStudy, dict[Place, Any], dict[Place, Any]],
) -> None:
    running_study, traces, others = filled
    with database_of(running_study).reading() as connection:
        before = neighbours(connection)
    erased = running_study.store.erase(PERSON, judgments=True)
    assert (erased.judgments_removed, erased.judgments_left, erased.log_emptied) == (1, 0, True)
    with database_of(running_study).reading() as connection:
        # The time of the withdrawal was there before: it is what stands for the others now.
        known = {key: value for key, value in traces.items() if key[1] != "withdrawn_at"}
        assert found(connection, known) <= COUNTED
        (row,) = [row for row in rows(connection)["participant"] if row["id"] == PERSON]
        times = {row[name] for name in row if name.endswith("_at")}
        assert times == {None, traces["participant", "withdrawn_at"]}
        assert neighbours(connection) == before
        assert found(connection, others) >= {*others} - {("participant", "questionnaire")}


def test_judgments_that_may_be_used_stay_as_they_were_and_nothing_else(
    filled: tuple[RunningStudy, dict[Place, Any], dict[Place, Any]],
) -> None:
    running_study, traces, _ = filled
    with database_of(running_study).reading() as connection:
        before, everything = neighbours(connection), rows(connection)
    erased = running_study.store.erase(PERSON, judgments=False)
    assert (erased.judgments_removed, erased.judgments_left) == (0, 1)
    kept = {place for place in traces if place[0] in ("answer", "visit")}
    with database_of(running_study).reading() as connection:
        assert found(connection, traces) == kept | (COUNTED | COURSE) - {
            ("participant", "questionnaire")
        }
        after = rows(connection)
        assert neighbours(connection) == before
    for name in ("answer", "visit"):
        assert after[name] == everything[name]


def test_whoever_began_and_erased_everything_is_counted_and_not_exported(
    running_study: RunningStudy,
) -> None:
    store = running_study.store
    for number in (1, 2):
        person = store.participants.find(store.participants.join())
        assert person is not None
        if number == 1:
            store.participants.advance(
                person.id, informed_at=1.0, consented_at=2.0, consent={"takes_part": True}
            )
            store.answers.save(person.id, 1, {"order": 4})
        store.erase(person.id, judgments=True)
    data = running_study.collected()
    progress = [(row.started, row.withdrawn, row.answered) for row in data.progress()]
    assert progress == [(1, 2, 0), (0, 0, 0), (0, 0, 0), (0, 0, 0)]
    assert data.active() == []


def stored(folder: Path) -> bytes:
    """Return all that is on disk of the database: its file and its write-ahead log."""
    return b"".join(path.read_bytes() for path in sorted(folder.glob("answers.db*")))


def written(value: Any) -> bytes:
    """Return how SQLite writes a value of the traces; whole numbers of more than 3 bytes take 4."""
    if isinstance(value, str):
        return value.encode()
    return struct.pack(">d" if isinstance(value, float) else ">i", value)


@pytest.mark.parametrize("neighbours", [0, 120], ids=["alone", "among many"])
def test_no_byte_of_the_file_or_its_log_holds_what_was_erased(
    created: Path, tmp_path: Path, neighbours: int
) -> None:
    running_study = open_study(created, database=f"sqlite:///{tmp_path / 'answers.db'}")
    with database_of(running_study).writing() as connection:
        traces = leave_traces(connection, PERSON)
        people = tables(connection)["participant"]
        # People on both sides, and a row that grows: pages are split, and it moves between them.
        for away in range(neighbours):
            place = PERSON + (away - neighbours // 2 or neighbours)
            row = {"id": place, "token_hash": f"{place}", "questionnaire": 1, "created_at": 1.0}
            connection.execute(people.insert().values(**row, origin="open", personal="x" * away))
            grown = people.update().where(people.c.id == PERSON)
            connection.execute(grown.values(consent=traces["participant", "consent"] * (1 + away)))
    before = stored(tmp_path)
    kept = {("participant", "withdrawn_at"), *COUNTED}
    # The number that names a participant elsewhere is that of the row which stays.
    looked_for = {
        place: written(value)
        for place, value in traces.items()
        if place not in kept and value != PERSON
    }
    assert {place for place, data in looked_for.items() if data not in before} == set()
    assert running_study.store.erase(PERSON, judgments=True).log_emptied
    after = stored(tmp_path)
    assert {place for place, data in looked_for.items() if data in after} == set()
    running_study.store.close()


def test_a_reader_who_is_in_the_way_is_told_of_and_the_log_is_emptied_later(
    created: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kilter.study.store.erasure._SETTLE_SECONDS", 0.0)
    running_study = open_study(created, database=f"sqlite:///{tmp_path / 'answers.db'}")
    with database_of(running_study).writing() as connection:
        traces = leave_traces(connection, PERSON)
    with database_of(running_study).reading() as reader:
        rows(reader)
        assert not running_study.store.erase(PERSON, judgments=True).log_emptied
    assert running_study.store.settle()
    assert written(traces["participant", "consent"]) not in stored(tmp_path)
    running_study.store.close()


def test_the_first_withdrawal_is_the_one_that_counts(
    running_study: RunningStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(monkeypatch, 5000.0)
    person = joined(running_study)
    running_study.store.erase(person.id, judgments=False)
    clock.now = 9000.0
    running_study.store.erase(person.id, judgments=True)
    (again,) = [p for p in running_study.store.participants.all() if p.id == person.id]
    assert again.withdrawn_at == 5000.0


def test_without_seconds_nobody_waits_for_a_reader(
    created: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    running_study = open_study(created, database=f"sqlite:///{tmp_path / 'answers.db'}")
    with database_of(running_study).reading() as reader:
        rows(reader)
        with database_of(running_study).writing() as connection:
            leave_traces(connection, PERSON)
        waited = list[float]()
        monkeypatch.setattr(time, "sleep", waited.append)
        assert not running_study.store.settle()
        assert not database_of(running_study).settle()
        assert waited == []
        assert not database_of(running_study).settle(seconds=0.2)
        assert waited
    monkeypatch.undo()
    running_study.store.close()


def test_a_withdrawal_renews_the_code_so_that_exports_of_before_do_not_join(
    running_study: RunningStudy,
) -> None:
    store, secret = running_study.store, running_study.keys.secret
    person, neighbour = joined(running_study), joined(running_study)
    store.answers.save(person.id, 1, {"holistic": 3})
    before = participant_code(secret, person.code_name)
    assert store.participants.named(before) == person
    store.erase(person.id, judgments=False)
    assert store.participants.named(before) is None
    codes = {one.id: participant_code(secret, one.code_name) for one in store.participants.all()}
    assert before not in codes.values()
    assert len({*codes.values()}) == len(codes)
    assert codes[neighbour.id] == participant_code(secret, neighbour.code_name)
    assert store.participants.named(codes[person.id]) is not None


@pytest.fixture
def on_postgresql(postgresql_server: str, created: Path) -> Iterator[tuple[RunningStudy, str]]:
    """Give a study with an empty database of PostgreSQL, and its address."""
    address = new_database(postgresql_server)
    study = open_study(created, database=address)
    yield study, address
    study.store.close()


def on_disk(address: str) -> bytes:
    """Return all that PostgreSQL has on disk of the tables of a database and their indexes."""
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("CHECKPOINT")
        files = connection.execute(
            "SELECT pg_read_binary_file(pg_relation_filepath(c.oid)) FROM pg_class c JOIN pg_namespace n "
            "ON n.oid = relnamespace WHERE relkind IN ('r', 'i', 't') AND nspname IN ('public', 'pg_toast')"
        ).fetchall()
    return b"".join(file for (file,) in files)


def test_postgresql_has_no_byte_of_what_was_erased_in_its_tables(
    on_postgresql: tuple[RunningStudy, str],
) -> None:
    study, address = on_postgresql
    person, neighbour = joined(study), joined(study)
    for someone, said in ((person, "Atlantean"), (neighbour, "Lemurian")):
        study.store.participants.advance(someone.id, personal={"nationality": said})
        study.store.answers.save(someone.id, 1, {"holistic": 3})
    assert b"Atlantean" in on_disk(address)
    assert study.store.erase(person.id, judgments=True).log_emptied
    left = on_disk(address)
    assert b"Atlantean" not in left
    assert b"Lemurian" in left
    assert study.store.answers.of(neighbour.id) == {1: {"holistic": 3}}


def test_a_reader_of_postgresql_who_sees_what_was_erased_is_told_of(
    on_postgresql: tuple[RunningStudy, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kilter.study.store.erasure._SETTLE_SECONDS", 0.3)
    study, address = on_postgresql
    person = joined(study)
    study.store.participants.advance(person.id, personal={"nationality": "Atlantean"})
    with psycopg.connect(address) as reader:
        reader.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        reader.execute("SELECT count(*) FROM state")
        assert not study.store.erase(person.id, judgments=True).log_emptied
        assert not study.store.settle()
        assert b"Atlantean" in on_disk(address)
    assert study.store.settle()  # as the server does every half minute
    assert b"Atlantean" not in on_disk(address)


def test_no_limit_of_time_keeps_tables_from_being_written_anew(
    on_postgresql: tuple[RunningStudy, str], created: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, address = on_postgresql
    with psycopg.connect(address, autocommit=True) as connection:
        name = address.rpartition("/")[2]
        connection.execute(f"ALTER DATABASE {name} SET statement_timeout = '9s'".encode())
    limits: list[str] = []
    rewrite = Database._written_anew

    def noted(connection: Connection, *arguments: Any) -> bool:
        limits.append(connection.exec_driver_sql("SHOW statement_timeout").scalar_one())
        return rewrite(connection, *arguments)

    monkeypatch.setattr(Database, "_written_anew", staticmethod(noted))
    study = open_study(created, database=address)
    assert study.store.erase(joined(study).id, judgments=True).log_emptied
    assert {*limits} == {"0"}
    with database_of(study).reading() as later:
        assert later.exec_driver_sql("SHOW statement_timeout").scalar_one() == "9s"
    study.store.close()


def test_many_short_readers_do_not_keep_what_was_erased(
    on_postgresql: tuple[RunningStudy, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kilter.study.store.erasure._SETTLE_SECONDS", 0.0)
    study, address = on_postgresql
    person = joined(study)
    study.store.participants.advance(person.id, personal={"nationality": "Atlantean"})
    over = threading.Event()

    def read() -> None:
        """Let one of two readers always see the database as it was a moment ago."""
        with psycopg.connect(address) as one, psycopg.connect(address) as other:
            while not over.is_set():
                for reader in (one, other):
                    reader.rollback()
                    reader.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
                    reader.execute("SELECT 1")
                    time.sleep(0.02)

    thread = threading.Thread(target=read)
    thread.start()
    try:
        study.store.erase(person.id, judgments=True)
        assert study.store.settle()  # as the server does every half minute
    finally:
        over.set()
        thread.join()
    assert b"Atlantean" not in on_disk(address)

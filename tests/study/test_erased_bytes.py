"""After every promised erasure no file of PostgreSQL's tables holds what was erased: by page, by command, with a reader, after a restart."""

import asyncio
import os
import signal
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import psycopg
import pytest

from kilter.cli.main import run
from kilter.study.password import participant_code, token_hash
from kilter.study.store.attempt import AttemptKind
from kilter.study.store.database import Database
from kilter.study.store.model import ATTEMPT, PARTICIPANT, VISIT
from kilter.study.store.running_study import RunningStudy, open_study
from kilter.study.web.server import application
from kilter.study.web.site import site_of
from tests.study.postgresql import new_database
from tests.study.running import Person, example, running

NATION = "Atlantean of the seventh ring"


def files_of(address: str) -> bytes:
    """Return all files of a database, tables of the system among them, as they are on disk."""
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("CHECKPOINT")
        row = connection.execute(
            "SELECT current_setting('data_directory'), oid FROM pg_database WHERE datname = current_database()"
        ).fetchone()
    assert row is not None
    return b"".join(
        path.read_bytes() for path in Path(row[0], "base", str(row[1])).iterdir() if path.is_file()
    )


@contextmanager
def reader_of(address: str) -> Iterator[None]:
    """Keep a transaction open that sees the database as it is now."""
    with psycopg.connect(address) as connection:
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        connection.execute("SELECT count(*) FROM state")
        yield


@pytest.fixture
def study(tmp_path: Path) -> Path:
    return example(tmp_path / "study")


@pytest.fixture
def address(postgresql_server: str) -> str:
    return new_database(postgresql_server)


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nobody wait long for a reader."""
    for module in ("closing", "erasure"):
        monkeypatch.setattr(f"kilter.study.store.{module}._SETTLE_SECONDS", 0.2)


@contextmanager
def opened(folder: Path, address: str) -> Iterator[RunningStudy]:
    """Give the study as a server that has just started has it."""
    study = open_study(folder, database=address)
    try:
        yield study
    finally:
        study.store.close()


def take_part(study: RunningStudy, address: str) -> str:
    """Let somebody take part and answer, and an analysis be made of it; return the token of the link."""
    store = study.store
    token = store.participants.join()
    assert store.attempts.attempt(AttemptKind.JOIN, "192.0.2.7", most=9, seconds=3600)
    person = store.participants.find(token)
    assert person is not None
    # The write-ahead log is that of all databases: what is looked for there is in no other one.
    said = {"nationality": f"{NATION}, {address.rpartition('/')[2]}."}
    store.participants.advance(person.id, informed_at=person.created_at + 1, personal=said)
    store.visits.begin(person.id)
    store.answers.save(person.id, 1, {"holistic": 4})
    analyse(study)
    collect_statistics(address)
    return token


def analyse(study: RunningStudy) -> None:
    """Keep an analysis that names the codes of all participants."""
    codes = [code_of(study, person.code_name) for person in study.store.participants.all()]
    began = study.store.analyses.begin()
    assert began is not None
    assert study.store.analyses.finish(began, {"people.csv": "\n".join(codes).encode()})


def code_of(study: RunningStudy, name: str) -> str:
    return participant_code(study.keys.secret, name)


def collect_statistics(address: str) -> None:
    """Let PostgreSQL collect statistics of all columns, as it does by itself now and then."""
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("ANALYZE")


def personal_traces(study: RunningStudy, token: str) -> dict[str, bytes]:
    """Return the bytes by which somebody can be told, by what they are."""
    person = study.store.participants.find(token)
    assert person is not None
    assert person.personal is not None
    return {
        "personal": str(person.personal["nationality"]).encode(),
        "hash of the link": token_hash(token).encode(),
        "code": code_of(study, person.code_name).encode(),
    }


def left_of(traces: dict[str, bytes], address: str) -> list[str]:
    stored = files_of(address)
    return [name for name, data in traces.items() if data in stored]


def erased_by_command(folder: Path, address: str, token: str) -> None:
    assert run(["survey", "erase", str(folder), token, "--judgments", "--database", address]) == 0


def erased_in_the_store(folder: Path, address: str, token: str) -> None:
    with opened(folder, address) as study:
        person = study.store.participants.find(token)
        assert person is not None
        study.store.erase(person.id, judgments=True)


def closed_in_the_store(folder: Path, address: str, _token: str) -> None:
    with opened(folder, address) as study:
        study.store.close_study(unlink=True)


ERASURES = pytest.mark.parametrize(
    "erase", [erased_by_command, erased_in_the_store, closed_in_the_store]
)
Erase = Callable[[Path, str, str], None]


@ERASURES
def test_nothing_is_left_after_an_erasure(study: Path, address: str, erase: Erase) -> None:
    with opened(study, address) as running_study:
        token = take_part(running_study, address)
        traces = personal_traces(running_study, token)
    if erase is closed_in_the_store:
        del traces["personal"]  # which stays, with nothing that leads to it
    assert left_of(traces, address) == [*traces]
    erase(study, address, token)
    assert left_of(traces, address) == []


@pytest.mark.usefixtures("short")
@ERASURES
def test_an_erasure_that_a_reader_delays_is_finished_after_a_restart(
    study: Path, address: str, erase: Erase
) -> None:
    with opened(study, address) as running_study:
        token = take_part(running_study, address)
        traces = personal_traces(running_study, token)
    with reader_of(address):
        erase(study, address, token)
        assert "hash of the link" in left_of(traces, address)
    restarted = open_study(study, database=address)
    app = application(site_of(restarted, address="http://127.0.0.1"), settle_seconds=0.05)
    if erase is closed_in_the_store:
        del traces["personal"]

    async def live() -> None:
        async with app.router.lifespan_context(app):
            while left_of(traces, address):  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.1)

    asyncio.run(asyncio.wait_for(live(), timeout=30))


@ERASURES
def test_an_erasure_whose_process_dies_after_its_transaction_is_finished_by_the_next_command(
    study: Path, address: str, erase: Erase
) -> None:
    with opened(study, address) as running_study:
        token = take_part(running_study, address)
        traces = personal_traces(running_study, token)
    if erase is closed_in_the_store:
        del traces["personal"]
    child = os.fork()
    if child == 0:
        # Nothing is written anew: the process is gone before it comes to that.
        Database.forget = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)  # type: ignore[assignment,method-assign]
        try:
            erase(study, address, token)
        finally:
            os._exit(1)
    assert os.waitpid(child, 0)[1] == signal.SIGKILL
    assert "hash of the link" in left_of(traces, address)
    assert run(["survey", "status", str(study), "--database", address]) == 0
    assert left_of(traces, address) == []


@pytest.mark.usefixtures("short")
def test_an_erasure_by_command_is_finished_by_a_server_that_runs_already(
    study: Path, address: str
) -> None:
    with opened(study, address) as serving:
        token = take_part(serving, address)
        traces = personal_traces(serving, token)
        with reader_of(address):
            erased_by_command(study, address, token)
            assert not serving.store.settle()
        assert left_of(traces, address) == [*traces]
        assert serving.store.settle()
        assert left_of(traces, address) == []


@pytest.mark.usefixtures("short")
def test_what_a_reader_has_delayed_is_finished_by_the_next_command(
    study: Path, address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with opened(study, address) as running_study:
        token = take_part(running_study, address)
        traces = personal_traces(running_study, token)
    with reader_of(address):
        erased_by_command(study, address, token)
        said = capsys.readouterr().out
        assert "left: a copy in the tables of the database, which another program reads" in said
        assert "run 'kilter survey status'" in said
    assert run(["survey", "status", str(study), "--database", address]) == 0
    assert left_of(traces, address) == []


def test_nothing_is_left_after_a_withdrawal_on_the_page(study: Path, address: str) -> None:
    with running(study, database=address) as server, Person(server.address) as person:
        link = person.join()
        person.reach_items(nationality=NATION)
        person.post("/item/1", holistic="4", order="2")
        with opened(study, address) as running_study:
            traces = personal_traces(running_study, link.rpartition("/")[2])
            analyse(running_study)
        collect_statistics(address)
        assert left_of(traces, address) == [*traces]
        person.get("/withdraw")
        person.post("/withdraw", erase="personal")
        assert left_of(traces, address) == []


def test_nothing_leads_to_anybody_after_a_study_is_closed_on_the_page(
    study: Path, address: str
) -> None:
    with (
        running(study, database=address) as server,
        Person(server.address) as person,
        Person(server.address) as researcher,
    ):
        link = person.join()
        person.reach_items(nationality=NATION)
        person.post(
            "/item/1",
            holistic="4",
            order="2",
            visit="abcdef0123456789",
            opened=str(time.time() - 5),
        )
        with opened(study, address) as running_study:
            traces = personal_traces(running_study, link.rpartition("/")[2])
            traces |= traces_of_times(running_study)
            analyse(running_study)
        collect_statistics(address)
        del traces["personal"]
        assert left_of(traces, address) == [*traces]
        researcher.login()
        researcher.get("/research")
        assert "is destroyed" in researcher.post("/research/close", name="example").text
        assert left_of(traces, address) == []
        assert NATION.encode() in files_of(address)


def traces_of_times(study: RunningStudy) -> dict[str, bytes]:
    """Return the bytes of every time and hash of an address by which somebody's coming is known."""
    found: dict[str, bytes] = {}
    with study.store._database.reading() as connection:
        for table in (PARTICIPANT, VISIT, ATTEMPT):
            for number, row in enumerate(connection.execute(table.select()).mappings()):
                for name, value in row.items():
                    if name.endswith("_at") and value:
                        found[f"{table.name} {number} {name}"] = struct.pack("<d", value)
                    elif name == "address_hash":
                        found[f"{table.name} {number} {name}"] = value.encode()
    assert any(name.startswith("attempt") for name in found)
    return found


def test_what_a_page_could_not_finish_is_finished_by_a_server_that_was_killed_and_started_again(
    study: Path, address: str
) -> None:
    with (
        running(study, database=address) as server,
        Person(server.address) as person,
        Person(server.address) as researcher,
    ):
        link = person.join()
        person.reach_items(nationality=NATION)
        with opened(study, address) as running_study:
            traces = personal_traces(running_study, link.rpartition("/")[2])
            analyse(running_study)
        researcher.login()
        with reader_of(address):
            person.get("/withdraw")
            assert "One copy is still" in person.post("/withdraw", erase="all").text
            researcher.get("/research")
            said = researcher.post("/research/close", name="example").text
            assert "One copy is still" in said
            assert left_of(traces, address) == [*traces]
            server.kill()
        for _ in range(5):  # PostgreSQL itself may be in the way for a moment
            server.start()
            server.stop()  # which tries once more, as every half minute
            if not left_of(traces, address):
                return
        raise AssertionError(left_of(traces, address))


@contextmanager
def change_elsewhere(address: str) -> Iterator[None]:
    """Keep a transaction open that has changed something in another database."""
    with psycopg.connect(new_database(address.rpartition("/")[0])) as connection:
        connection.execute("CREATE TABLE elsewhere ()")
        yield


@contextmanager
def prepared_change(address: str) -> Iterator[None]:
    """Keep a transaction that is prepared, and nobody's."""
    with psycopg.connect(new_database(address.rpartition("/")[0])) as connection:
        connection.tpc_begin(connection.xid(1, "global", "branch"))
        connection.execute("CREATE TABLE prepared ()")
        connection.tpc_prepare()
        yield
        connection.tpc_rollback()


@contextmanager
def replica(address: str) -> Iterator[None]:
    """Be a replica that says which transaction it reads (`hot_standby_feedback`)."""
    with psycopg.connect(address, autocommit=True) as connection:
        row = connection.execute("SELECT pg_current_xact_id()::text::bigint").fetchone()
        assert row is not None
        replicating = psycopg.pq.PGconn.connect(f"{address}?replication=true".encode())
        position = replicating.exec_(b"IDENTIFY_SYSTEM").get_value(0, 2)
        assert position is not None
        replicating.exec_(b"START_REPLICATION " + position)
        replicating.put_copy_data(b"h" + struct.pack("!qIIII", 0, row[0], 0, 0, 0))
        replicating.flush()
        said = "SELECT count(backend_xmin) FROM pg_stat_activity WHERE backend_type = 'walsender'"
        while connection.execute(said).fetchone() != (1,):
            time.sleep(0.01)
        yield
        replicating.finish()
        while connection.execute(said).fetchone() != (0,):
            time.sleep(0.01)


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("older", [change_elsewhere, prepared_change, replica])
def test_whoever_keeps_postgresql_from_forgetting_is_told_of(
    study: Path, address: str, older: Callable[[str], AbstractContextManager[None]]
) -> None:
    with opened(study, address) as running_study:
        token = take_part(running_study, address)
        traces = personal_traces(running_study, token)
        person = running_study.store.participants.find(token)
        assert person is not None
        with older(address):
            assert not running_study.store.erase(person.id, judgments=True).log_emptied
            assert left_of(traces, address) == [*traces]
        assert running_study.store.settle()
        assert left_of(traces, address) == []


def log_of(address: str) -> bytes:
    """Return PostgreSQL's write-ahead log, after what the page on security tells its administrator to do."""
    with psycopg.connect(address, autocommit=True) as connection:
        for statement in ("CHECKPOINT", "SELECT pg_switch_wal()", "CHECKPOINT"):
            connection.execute(statement.encode())
        row = connection.execute("SHOW data_directory").fetchone()
    assert row is not None
    return b"".join(
        path.read_bytes() for path in Path(row[0], "pg_wal").iterdir() if path.is_file()
    )


def test_the_write_ahead_log_can_be_made_to_let_go_of_what_was_erased(
    study: Path, address: str
) -> None:
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET wal_recycle = off")
        connection.execute("SELECT pg_reload_conf()")
        try:
            with opened(study, address) as running_study:
                token = take_part(running_study, address)
                traces = personal_traces(running_study, token)
            erased_in_the_store(study, address, token)
            log = log_of(address)
        finally:
            connection.execute("ALTER SYSTEM RESET wal_recycle")
            connection.execute("SELECT pg_reload_conf()")
    assert [name for name, data in traces.items() if data in log] == []

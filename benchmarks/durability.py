"""Nothing acknowledged is lost: the survey, PostgreSQL and the disk fail again and again while people answer.

People answer without a pause, and write down what was said to be saved. Meanwhile the server is killed (SIGKILL), as
are connections and processes of PostgreSQL, and the disk is filled; what the database holds afterwards is compared.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import tempfile
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import psycopg

from benchmarks.survey import kept_answers, prepared
from tests.study import postgresql
from tests.study.running import Person, Server, example, running

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PEOPLE = 6
FAILURES = 100
FILLINGS = 5
_PATIENCE = 120.0
_SMALL = {"sqlite": 16, "postgresql": 300}  # MiB of a disk that can be filled


class Answering(threading.Thread):
    """Somebody who answers items until told to stop, and writes down what was acknowledged."""

    def __init__(self, server: Server, participant: int, token: str) -> None:
        super().__init__(daemon=True)
        self.participant = participant
        self.person = Person(server.address)
        self.person.get(f"/p/{token}")
        self.form_token = self.person.form_token
        self.chance = random.Random(participant)
        self.acknowledged: dict[tuple[int, int, str], int] = {}
        self.uncertain: dict[tuple[int, int, str], set[int | None]] = {}
        self.count = 0
        self.refused = 0
        self.done = threading.Event()

    def run(self) -> None:
        """Answer."""
        while not self.done.is_set():
            position = self.chance.randint(1, 15)
            question = self.chance.choice(["holistic", "order"])
            value = self.chance.randint(1, 5)
            key = (self.participant, position, question)
            before = self.acknowledged.pop(key, None)
            while not self._saved(position, question, value):  # as the page does, until it is saved
                self.refused += 1
                if self.done.wait(0.02):
                    # Nobody said that it was saved, nor that it was not: either value may be there.
                    self.uncertain[key] = {before, value}
                    return
            self.acknowledged[key] = value
            self.count += 1

    def _saved(self, position: int, question: str, value: int) -> bool:
        try:
            response = self.person.save(
                f"/item/{position}", self.form_token, **{question: str(value)}
            )
        except httpx.TransportError:
            return False
        return response.status_code == 200 and response.json()["saved"] is True


def tormented(
    name: str, server: Server, tokens: dict[int, str], fail: Callable[[], None], *, failures: int
) -> None:
    """Let people answer through failures, and compare what is kept with what was acknowledged."""
    people = [Answering(server, participant, token) for participant, token in tokens.items()]
    for one in people:
        one.start()
    chance, began = random.Random(1), time.monotonic()
    for _ in range(failures):
        _await_answers(people, chance.randint(10, 40))
        fail()
    _await_answers(people, 20)
    for one in people:
        one.done.set()
    for one in people:
        one.join()
        one.person.client.close()
    kept = kept_answers(server.folder, database=server.database)
    acknowledged = {key: value for one in people for key, value in one.acknowledged.items()}
    lost = [key for key, value in acknowledged.items() if kept.pop(key, None) != value]
    assert lost == []
    for one in people:
        assert all(kept.pop(key, None) in values for key, values in one.uncertain.items())
    assert kept == {}, "more is kept than was sent"
    print(
        f"  {name}: {failures} failures in {time.monotonic() - began:.0f} s, "
        f"{sum(one.count for one in people):,} answers acknowledged, "
        f"{sum(one.refused for one in people):,} tries not; none lost"
    )


def _await_answers(people: list[Answering], more: int) -> None:
    wanted = sum(one.count for one in people) + more
    end = time.monotonic() + _PATIENCE
    while sum(one.count for one in people) < wanted:
        assert all(one.is_alive() for one in people)
        assert time.monotonic() < end, "nobody's answers are saved any more"
        time.sleep(0.005)


@contextmanager
def _served(folder: Path, database: str | None) -> Iterator[tuple[Server, dict[int, str]]]:
    study = example(folder / "study")
    tokens = prepared(study, PEOPLE, database=database)
    with running(study, database=database) as server:
        yield server, tokens


def kills(database: str | None, name: str) -> None:
    """Kill the server in the middle of its work, and start it again."""
    with (
        tempfile.TemporaryDirectory() as folder,
        _served(Path(folder), database) as (server, tokens),
    ):

        def fail() -> None:
            server.kill()
            server.start()

        tormented(f"SIGKILL of the server, {name}", server, tokens, fail, failures=FAILURES)


def killed_backends(database: str) -> None:
    """End the connections of the survey to PostgreSQL; each tenth time kill a process, which ends them all."""
    chance = random.Random(2)
    with (
        tempfile.TemporaryDirectory() as folder,
        _served(Path(folder), database) as (server, tokens),
    ):
        name = database.rpartition("/")[2]
        postgres = database.removesuffix(name) + "postgres"
        failed = [0]

        def fail() -> None:
            failed[0] += 1
            with psycopg.connect(postgres, autocommit=True) as connection:
                found = connection.execute(
                    "SELECT pid FROM pg_stat_activity WHERE datname = %s", [name]
                ).fetchall()
                if failed[0] % 10 == 0 and found:
                    os.kill(chance.choice(found)[0], signal.SIGKILL)
                    return
                for (pid,) in found:
                    connection.execute("SELECT pg_terminate_backend(%s)", [pid])

        tormented("killed backends of PostgreSQL", server, tokens, fail, failures=FAILURES)


@contextmanager
def small_disk(mebibytes: int) -> Iterator[Path]:
    """Mount a small disk in memory, which only root may."""
    with tempfile.TemporaryDirectory() as name:
        options = f"size={mebibytes}m,mode=777"
        subprocess.run(["/bin/mount", "-t", "tmpfs", "-o", options, "none", name], check=True)
        try:
            yield Path(name)
        finally:
            subprocess.run(["/bin/umount", "--lazy", name], check=True)


def full_disk(disk: Path, database: str | None, folder: Path, name: str) -> None:
    """Fill the disk of the database until nothing is saved any more, and empty it again."""
    with _served(folder, database) as (server, tokens):

        def fail() -> None:
            filling = disk / "filling"
            with filling.open("wb", buffering=0) as file:
                end = time.monotonic() + 3  # long enough for answers to be refused
                while time.monotonic() < end:
                    try:
                        file.write(bytes(65536))
                    except OSError:
                        time.sleep(0.05)
            filling.unlink()

        tormented(f"full disk, {name}", server, tokens, fail, failures=FILLINGS)


def run(*chosen: str) -> None:
    """Let everything fail that can; `chosen` names some of it."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, range(os.cpu_count() or 1))
    print(f"durability; load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    wanted = chosen or (
        "kill-sqlite",
        "kill-postgresql",
        "backends",
        "full-sqlite",
        "full-postgresql",
    )
    if "kill-sqlite" in wanted:
        kills(None, "SQLite")
    if not postgresql.missing() and {"kill-postgresql", "backends"} & {*wanted}:
        with postgresql.server() as address:
            if "kill-postgresql" in wanted:
                kills(postgresql.new_database(address), "PostgreSQL")
            if "backends" in wanted:
                killed_backends(postgresql.new_database(address))
    if os.getuid() != 0:
        print("  full disk: only root may mount a small one")
        return
    if "full-sqlite" in wanted:
        with small_disk(_SMALL["sqlite"]) as disk:
            full_disk(disk, None, disk, "SQLite")
    if "full-postgresql" in wanted and not postgresql.missing():
        with (
            small_disk(_SMALL["postgresql"]) as disk,
            postgresql.server(disk) as address,
            tempfile.TemporaryDirectory() as folder,
        ):
            full_disk(disk, postgresql.new_database(address), Path(folder), "PostgreSQL")

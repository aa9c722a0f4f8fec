"""The web survey with a crowd: 1,000 participants on four processes and PostgreSQL.

They think for three seconds on average before each answer: 333 answers and 167 pages a second. Every page must show
what was saved before, and every acknowledged answer must be in the database afterwards. The people run on the same
cores as the server; what server, PostgreSQL and people take of them is measured apart.

`KILTER_PEOPLE`, `KILTER_THINK`, `KILTER_SECONDS` and `KILTER_WORKERS` change the numbers, for a machine that is shared.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from pathlib import Path

import psycopg

from benchmarks.processor_time import family_seconds
from benchmarks.survey import busy, kept_answers, prepared, sync_seconds
from benchmarks.survey_people import Load, everybody
from tests.study import postgresql
from tests.study.running import example, running

PEOPLE = int(os.environ.get("KILTER_PEOPLE", "1000"))
SECONDS = float(os.environ.get("KILTER_SECONDS", "60"))
WORKERS = int(os.environ.get("KILTER_WORKERS", "4"))
THINK_SECONDS = float(os.environ.get("KILTER_THINK", "3"))


def run() -> None:
    if postgresql.missing():
        print(f"{PEOPLE} participants: {postgresql.missing()}")
        return
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, range(os.cpu_count() or 1))
    with tempfile.TemporaryDirectory() as name, postgresql.server() as address:
        study = example(Path(name) / "study")
        database = postgresql.new_database(address)
        tokens = prepared(study, PEOPLE, database=database)
        disk = 1000 * sync_seconds(Path(name))
        print(
            f"{PEOPLE} participants at once, PostgreSQL, {WORKERS} processes; fsync {disk:.1f} ms; "
            f"before: {busy()}"
        )
        # As behind a web server: all people have one address, which may have all connections.
        options = ["--workers", str(WORKERS), "--proxy", "127.0.0.1"]
        with running(study, database=database, options=options) as server:
            assert server.process is not None
            families = {"server": server.process.pid, "PostgreSQL": _postmaster(address)}
            _await_quiet(server.process.pid)
            load = Load()
            before = {kind: family_seconds(pid) for kind, pid in families.items()}
            own = time.process_time()
            spent = asyncio.run(
                everybody(load, server, tokens, think=THINK_SECONDS, seconds=SECONDS)
            )
            took = {"people": time.process_time() - own}
            took |= {kind: family_seconds(pid) - before[kind] for kind, pid in families.items()}
            load.report(f"thinking {THINK_SECONDS:g} s on average", spent)
        answers = len(load.seconds)
        said = ", ".join(f"{kind} {1000 * seconds / answers:.2f}" for kind, seconds in took.items())
        print(
            f"  processor time of an answer: {1000 * sum(took.values()) / answers:.2f} ms ({said}); "
            f"cores busy with it: {sum(took.values()) / spent:.2f}"
        )
        load.check_nothing_is_lost(kept_answers(study, database=database))
        print(f"  none lost; after: {busy()}")


def _await_quiet(pid: int) -> None:
    """Return when a process and its children have done what they do at their start."""
    before = -1.0
    for _ in range(60):
        now = family_seconds(pid)
        if now - before < 0.03:
            return
        before = now
        time.sleep(1)


def _postmaster(address: str) -> int:
    """Return the process that all others of PostgreSQL belong to."""
    with psycopg.connect(f"{address}/postgres") as connection:
        row = connection.execute("SELECT pg_read_file('postmaster.pid')").fetchone()
    assert row is not None
    return int(str(row[0]).split("\n", 1)[0])

"""The web survey under load: 200 participants answer at once, and nothing is lost.

A participant looks at an item, answers its two questions one after the other, and goes on to the next item.
Before each answer they think for a time drawn from an exponential distribution with a mean of five seconds,
which is faster than anybody reads: 200 participants send 40 answers and load 20 pages a second. Then, as the
limit of the server, some of them answer without a pause. `survey_load` does the same with more people on PostgreSQL.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from pathlib import Path

from benchmarks.survey_people import Load, everybody
from kilter.study.store.running_study import open_study
from tests.study.running import example, running

PEOPLE = 200
SECONDS = 60.0
THINK_SECONDS = 5.0
SATURATION_PEOPLE = (8, PEOPLE)
SATURATION_SECONDS = 15.0


def prepared(study: Path, people: int, *, database: str | None = None) -> dict[int, str]:
    """Make a link for everybody, and bring them to their first item; return tokens by participant."""
    opened = open_study(study, database=database)
    store = opened.store
    store.extend(links=people - store.state().links)
    now = time.time()
    steps = dict.fromkeys(("informed_at", "consented_at", "described_at", "sampled_at"), now)
    linked = [person for person in store.participants.all() if person.link is not None][:people]
    for person in linked:
        store.participants.advance(person.id, **steps)
    tokens = {person.id: store.participants.link_token(person.link or 0) for person in linked}
    store.close()
    assert len(tokens) == people
    return tokens


def kept_answers(study: Path, *, database: str | None = None) -> dict[tuple[int, int, str], int]:
    """Return every answer in the database, by participant, position and question."""
    opened = open_study(study, database=database)
    kept = {
        (answer.participant, answer.position, answer.question): answer.value
        for answer in opened.store.answers.all()
    }
    opened.store.close()
    return kept


def sync_seconds(folder: Path) -> float:
    """Return how long the disk takes to keep a block, the middle one of many tries."""
    spent = []
    with (folder / "sync").open("wb", buffering=0) as file:
        for _ in range(100):
            file.write(bytes(4096))
            began = time.perf_counter()
            os.fsync(file.fileno())
            spent.append(time.perf_counter() - began)
    return sorted(spent)[50]


def busy() -> str:
    """Return how many processes wanted a core in the last minute."""
    return f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"


def run() -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(
            0, range(os.cpu_count() or 1)
        )  # the server and its users need their own
    with tempfile.TemporaryDirectory() as name:
        study = example(Path(name) / "study")
        tokens = prepared(study, PEOPLE)
        disk = 1000 * sync_seconds(Path(name))
        print(f"{PEOPLE} participants at once, SQLite; fsync {disk:.1f} ms; before: {busy()}")
        with running(study) as server:
            load = Load()
            spent = asyncio.run(
                everybody(load, server, tokens, think=THINK_SECONDS, seconds=SECONDS)
            )
            load.report(f"thinking {THINK_SECONDS:.0f} s on average", spent)
            load.check_nothing_is_lost(kept_answers(study))
            for people in SATURATION_PEOPLE:
                some = dict(list(tokens.items())[:people])
                pressed = Load(acknowledged=dict(load.acknowledged))
                spent = asyncio.run(
                    everybody(pressed, server, some, think=0, seconds=SATURATION_SECONDS)
                )
                pressed.report(f"{people} without a pause", spent)
                pressed.check_nothing_is_lost(kept_answers(study))
                load = pressed
        print(f"  none lost; after: {busy()}")

"""The web survey under load: 200 participants answer at once, and nothing is lost.

A participant looks at an item, answers its two questions one after the other, and goes on to the next item.
Before each answer they think for a time drawn from an exponential distribution with a mean of five seconds,
which is faster than anybody reads: 200 participants send 40 answers and load 20 pages a second. Then, as the
limit of the server, some of them answer without a pause. Last, where PostgreSQL is installed, 1,000 participants
with a mean of three seconds on four processes: 333 answers and 167 pages a second.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import random
import re
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

from kilter.survey.store.running_study import open_study
from tests.survey import postgresql
from tests.survey.running import Server, example, running

PEOPLE = 200
SECONDS = 60.0
THINK_SECONDS = 5.0
SATURATION_PEOPLE = (8, PEOPLE)
MANY_PEOPLE = 1000
MANY_THINK_SECONDS = 3.0
MANY_WORKERS = 4
SATURATION_SECONDS = 15.0
_PATIENCE = 30.0
_QUESTIONS = ("holistic", "order")
_ITEMS = 15
_TOKEN = re.compile(rb'name="form_token" value="([0-9a-f]+)"')
_COOKIE = re.compile(rb"set-cookie: ([^=]+)=([^;]*)", re.IGNORECASE)
_LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)


@dataclass
class Browser:
    """The least that a browser does: one connection, cookies, forms. Its own cost is small."""

    port: int
    cookies: dict[bytes, bytes] = field(default_factory=dict)
    _reader: asyncio.StreamReader | None = None
    _writer: asyncio.StreamWriter | None = None

    async def send(self, path: str, form: dict[str, str] | None = None) -> tuple[int, bytes]:
        """Return status and body of a page, or of the answer to a form.

        Servers close connections that nobody uses; then browsers open another one.
        """
        async with asyncio.timeout(_PATIENCE):
            if self._writer is not None:
                try:
                    return await self._exchange(path, form)
                except (ConnectionError, asyncio.IncompleteReadError):
                    self.close()
            self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self.port)
            return await self._exchange(path, form)

    async def _exchange(self, path: str, form: dict[str, str] | None) -> tuple[int, bytes]:
        assert self._reader is not None
        assert self._writer is not None
        body = b"" if form is None else urlencode(form).encode()
        lines = [f"{'GET' if form is None else 'POST'} {path} HTTP/1.1", "Host: 127.0.0.1"]
        if form is not None:
            lines += ["Content-Type: application/x-www-form-urlencoded", "Accept: application/json"]
        lines.append(f"Content-Length: {len(body)}")
        cookies = b"; ".join(name + b"=" + value for name, value in self.cookies.items())
        head = "\r\n".join(lines).encode() + b"\r\nCookie: " + cookies
        self._writer.write(head + b"\r\n\r\n" + body)
        received = await self._reader.readuntil(b"\r\n\r\n")
        self.cookies.update(_COOKIE.findall(received))
        length = _LENGTH.search(received)
        content = await self._reader.readexactly(int(length[1]) if length else 0)
        return int(received.split(b" ", 2)[1]), content

    async def token(self, number: int) -> str:
        """Open an item and return what its form must carry."""
        status, page = await self.send(f"/item/{number}")
        found = _TOKEN.search(page)
        if status != 200 or found is None:
            raise ConnectionError(f"item {number} has status {status}")
        return found[1].decode()

    def close(self) -> None:
        """Close the connection."""
        if self._writer is not None:
            self._writer.close()


@dataclass
class Load:
    """What participants see: seconds until an answer is acknowledged, errors, what was acknowledged."""

    seconds: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    acknowledged: dict[tuple[int, int, str], int] = field(default_factory=dict)
    unsure: set[tuple[int, int, str]] = field(default_factory=set)

    async def take_part(
        self, server: Server, link: int, token: str, *, think: float, end: float
    ) -> None:
        """Answer items, the first again after the last, until time is up."""
        chance = random.Random(link)
        browser = Browser(server.port)
        try:
            await asyncio.sleep(chance.uniform(0, think))
            await browser.send(f"/p/{token}")
            for place in itertools.count():
                number = place % _ITEMS + 1
                form_token = await browser.token(number)
                for question in _QUESTIONS:
                    pause = chance.expovariate(1 / think) if think else 0
                    if time.monotonic() + pause > end:
                        return
                    await asyncio.sleep(pause)
                    await self._answer(browser, (link, number, question), chance, form_token)
        except (OSError, TimeoutError, asyncio.IncompleteReadError) as error:
            self.errors.append(f"{type(error).__name__} {error}")
        finally:
            browser.close()

    async def _answer(
        self, browser: Browser, key: tuple[int, int, str], chance: random.Random, form_token: str
    ) -> None:
        _, number, question = key
        value = chance.randint(1, 5)
        form = {question: str(value), "action": "save", "form_token": form_token}
        self.unsure.add(key)
        began = time.perf_counter()
        status, body = await browser.send(f"/item/{number}", form)
        self.seconds.append(time.perf_counter() - began)
        if status == 200 and b'"saved":true' in body:
            self.acknowledged[key] = value
            self.unsure.discard(key)
        else:
            self.errors.append(f"status {status}")

    def report(self, name: str, spent: float) -> None:
        """Print how long answers took, how many there were, and what went wrong."""
        ordered = sorted(self.seconds)
        shares = (
            ordered[min(int(share * len(ordered)), len(ordered) - 1)] for share in (0.5, 0.95, 0.99)
        )
        said = ", ".join(
            f"{label} {1000 * value:.0f} ms"
            for label, value in zip(("p50", "p95", "p99"), shares, strict=True)
        )
        print(
            f"  {name}: {said}; {len(ordered):,} answers, {len(ordered) / spent:.0f} a second, "
            f"{len(self.errors)} errors"
        )
        for error in sorted({*self.errors})[:5]:
            print(f"    {error}")


async def _everybody(
    load: Load, server: Server, tokens: dict[int, str], *, think: float, seconds: float
) -> float:
    began = time.monotonic()
    end = began + seconds
    tasks = [
        load.take_part(server, link, token, think=think, end=end) for link, token in tokens.items()
    ]
    await asyncio.gather(*tasks)
    return time.monotonic() - began


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


def _check_nothing_is_lost(study: Path, load: Load, *, database: str | None = None) -> None:
    kept = kept_answers(study, database=database)
    lost = [
        key
        for key, value in load.acknowledged.items()
        if key not in load.unsure and kept.get(key) != value
    ]
    assert lost == []


def _sync_seconds(folder: Path) -> float:
    """Return how long the disk takes to keep a block, the middle one of many tries."""
    spent = []
    with (folder / "sync").open("wb", buffering=0) as file:
        for _ in range(100):
            file.write(bytes(4096))
            began = time.perf_counter()
            os.fsync(file.fileno())
            spent.append(time.perf_counter() - began)
    return sorted(spent)[50]


def _busy() -> str:
    return f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"


def run() -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(
            0, range(os.cpu_count() or 1)
        )  # the server and its users need their own
    _run_sqlite()
    if postgresql.missing():
        print(f"1,000 participants: {postgresql.missing()}")
    else:
        run_postgresql()


def _run_sqlite() -> None:
    with tempfile.TemporaryDirectory() as name:
        study = example(Path(name) / "study")
        tokens = prepared(study, PEOPLE)
        disk = 1000 * _sync_seconds(Path(name))
        print(f"{PEOPLE} participants at once, SQLite; fsync {disk:.1f} ms; before: {_busy()}")
        with running(study) as server:
            load = Load()
            spent = asyncio.run(
                _everybody(load, server, tokens, think=THINK_SECONDS, seconds=SECONDS)
            )
            load.report(f"thinking {THINK_SECONDS:.0f} s on average", spent)
            _check_nothing_is_lost(study, load)
            for people in SATURATION_PEOPLE:
                some = dict(list(tokens.items())[:people])
                pressed = Load()
                spent = asyncio.run(
                    _everybody(pressed, server, some, think=0, seconds=SATURATION_SECONDS)
                )
                pressed.report(f"{people} without a pause", spent)
                _check_nothing_is_lost(study, pressed)
        print(f"  none lost; after: {_busy()}")


def run_postgresql(people: int = MANY_PEOPLE, *, seconds: float = SECONDS) -> None:
    """Let many people answer a survey of several processes."""
    with tempfile.TemporaryDirectory() as name, postgresql.server() as address:
        study = example(Path(name) / "study")
        database = postgresql.new_database(address)
        tokens = prepared(study, people, database=database)
        disk = 1000 * _sync_seconds(Path(name))
        print(
            f"{people} participants at once, PostgreSQL, {MANY_WORKERS} processes; fsync {disk:.1f} ms; "
            f"before: {_busy()}"
        )
        options = ["--workers", str(MANY_WORKERS)]
        with running(study, database=database, options=options) as server:
            load = Load()
            spent = asyncio.run(
                _everybody(load, server, tokens, think=MANY_THINK_SECONDS, seconds=seconds)
            )
            load.report(f"thinking {MANY_THINK_SECONDS:.0f} s on average", spent)
        _check_nothing_is_lost(study, load, database=database)
        print(f"  none lost; after: {_busy()}")

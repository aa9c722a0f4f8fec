"""What the server answers where no page does."""

import asyncio
import contextlib
import gc
import logging
import os
import signal
import socket
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from kilter.study.store.running_study import open_study
from kilter.study.web import participant_pages
from kilter.study.web.guard import HEADERS
from kilter.study.web.request import Call
from kilter.study.web.server import application
from kilter.study.web.site import site_of
from tests.study.running import Person, authorities, example, running


@contextlib.contextmanager
def asking(folder: Path) -> Iterator[Callable[..., httpx.Response]]:
    """Yield what asks the application of a study, without a server around it."""
    opened = open_study(folder, database=None)
    app = application(site_of(opened, address="http://survey.test"))

    async def ask(path: str, method: str) -> httpx.Response:
        transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
        async with httpx.AsyncClient(
            transport=transport, base_url="http://survey.test", verify=authorities()
        ) as client:
            return await client.request(method, path)

    try:
        yield lambda path, method="GET": asyncio.run(ask(path, method))
    finally:
        opened.store.close()


def answered(folder: Path, path: str, *, method: str = "GET") -> httpx.Response:
    """Return what the application of a study answers once."""
    with asking(folder) as ask:
        return ask(path, method)


def test_nothing_is_kept_of_requests_for_pages_that_are_not_there(tmp_path: Path) -> None:
    with asking(example(tmp_path / "study")) as ask:
        for _ in range(10):
            assert ask("/no-such-page").status_code == 404
        gc.collect()
        assert sum(isinstance(each, Call) for each in gc.get_objects()) < 5


def test_a_bug_is_written_down_and_nothing_of_it_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(_: object) -> None:
        raise RuntimeError("a secret of the server")

    monkeypatch.setattr(participant_pages, "welcome", broken)
    with caplog.at_level(logging.ERROR, logger="kilter.survey"):
        answer = answered(example(tmp_path / "study"), "/")
    assert answer.status_code == 500
    assert answer.text == "Something went wrong. What was saved before is still there."
    (record,) = caplog.records
    said = record.getMessage()
    assert said.startswith("bug in /: RuntimeError in study/web/")
    assert " handle" in said
    assert "a secret of the server" not in said
    assert record.exc_info is None
    assert {name.lower() for name in HEADERS} <= {*answer.headers}


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nowhere", 404),
        ("POST", "/nowhere", 404),
        ("GET", "/join", 405),
        ("POST", "/", 405),
    ],
)
def test_what_is_no_page_is_said_with_its_status(
    method: str, path: str, status: int, tmp_path: Path
) -> None:
    answer = answered(example(tmp_path / "study"), path, method=method)
    assert answer.status_code == status
    if method == "POST":
        assert answer.text == "There is no such page."
    else:
        assert "<h1>" in answer.text


def test_a_signal_ends_the_server_soon_whatever_its_clients_do(tmp_path: Path) -> None:
    with running(example(tmp_path / "study")) as server:
        parts = (
            b"",
            b"GET / HTTP/1.1\r\n",
            b"POST /join HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n",
        )
        clients = [socket.create_connection(("127.0.0.1", server.port)) for _ in parts]
        for client, part in zip(clients, parts, strict=True):
            client.sendall(part)
        lock = sqlite3.connect(server.folder / "answers.db", isolation_level=None)
        lock.execute("BEGIN IMMEDIATE")  # which somebody who wants to join waits for
        waiting = threading.Thread(target=_join, args=[server.address])
        waiting.start()
        process = server.process
        assert process is not None
        os.kill(process.pid, signal.SIGTERM)
        end = time.monotonic() + 10
        while process.poll() is None:
            assert time.monotonic() < end
            time.sleep(0.1)
        lock.close()
        waiting.join()
        for client in clients:
            client.close()
        assert "Traceback" not in server.log.read_text(encoding="utf-8")


def _join(address: str) -> None:
    with contextlib.suppress(httpx.HTTPError), Person(address) as person:
        person.post("/join")

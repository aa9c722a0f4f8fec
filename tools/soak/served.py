"""Servers that run all the while, people who use them, and what the servers hold on to."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import httpx

from tests.cli.command import KILTER
from tests.study.running import Person, free_port

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class Held:
    """What a process holds: memory in KiB, open files, threads."""

    memory: int
    files: int
    threads: int


@dataclass(slots=True)
class Served:
    """A server, and what it held after each round."""

    name: str
    process: subprocess.Popen[bytes]
    address: str
    rounds: list[Held] = field(default_factory=list)

    def look(self) -> None:
        """Keep what the server holds now."""
        assert self.process.poll() is None, f"{self.name} has ended"
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        numbers = {
            key: int(value)
            for key, value in re.findall(r"^(VmRSS|Threads):\s+(\d+)", status, re.MULTILINE)
        }
        files = len(list(Path(f"/proc/{self.process.pid}/fd").iterdir()))
        self.rounds.append(Held(numbers["VmRSS"], files, numbers["Threads"]))


@contextmanager
def served(group: str, folder: Path, environment: dict[str, str]) -> Iterator[Served]:
    """Serve a study or a project by the installed command until the end."""
    port = free_port()
    log = folder.parent / f"{group}.log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            [KILTER, group, "serve", str(folder), "--port", str(port), "-q"],
            stdout=out,
            stderr=out,
            env={**os.environ, **environment},
        )
    try:
        _await(process, port, log)
        yield Served(f"{group} serve", process, f"http://127.0.0.1:{port}")
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


def _await(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    """Return when a server listens; on a machine that is busy with all this, it may take minutes."""
    for _ in range(3000):
        assert process.poll() is None, log.read_text(encoding="utf-8")
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise AssertionError("the server did not start")


def take_part(address: str) -> str:
    """Join a survey, agree, answer the first item, and return the personal link."""
    with Person(address) as person:
        link = person.join()
        person.reach_items()
        _answer(person)
    return link


def come_back(address: str, link: str) -> None:
    """Open a personal link, answer the first item again, and look at a page that is not there."""
    with Person(address) as person:
        person.get(link)
        person.get("/item/1")
        _answer(person)
        assert person.get("/no-such-page").status_code == 404


def _answer(person: Person) -> None:
    names = sorted({*re.findall(r'type="radio" name="(\w+)"', person.page.text)})
    person.post("/item/1", action="next", **dict.fromkeys(names, "3"))
    assert person.page.status_code == 200, person.page.text


def annotate(link: str) -> None:
    """Open a personal link, a sentence, the guidelines and a page that is not there."""
    with httpx.Client(follow_redirects=True, timeout=60) as client:
        page = client.get(link)
        assert page.status_code == 200, page.text
        base = str(page.url.join("/"))
        for path in ("sentence/1", "sentence/2", "guidelines"):
            page = client.get(base + path)
            assert page.status_code == 200, path
        token = re.search(r"\b[0-9a-f]{64}\b", page.text)
        assert token is not None
        body = {
            "form_token": token[0],
            "translation": "one two three",
            "links": [{"source": 0, "target": 1, "sure": True}],
        }
        answer = client.post(
            base + "sentence/1/look", json=body, headers={"accept": "application/json"}
        )
        assert answer.status_code == 200, answer.text
        assert client.get(base + "no-such-page").status_code == 404

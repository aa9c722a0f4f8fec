"""A real server in a process of its own, and people who use it without a browser."""

import atexit
import json
import os
import re
import secrets
import shutil
import signal
import socket
import ssl
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from itertools import cycle
from pathlib import Path
from typing import Self
from unittest.mock import patch

import httpx

from kilter.study import password
from kilter.study.design.creation import KEY_FILE, create, write_example
from tests.study.forking import Process, started

PASSWORD = "a password for tests"
ITEMS = 15  # of a questionnaire of the example study
_TOKEN = re.compile(r'name="form_token" value="([0-9a-f]+)"')
_PORTS = range(10_000, 32_000)  # below those that systems give to connections
_WORKERS = 50
_START_SECONDS = 60  # far beyond what a start needs, also on a busy machine


def example(folder: Path, *, items: int = ITEMS) -> Path:
    """Make the example study, or one with fewer items in a questionnaire, and return its folder.

    Each has a secret of its own; questionnaires are drawn only once, and the password takes no time.
    """
    shutil.copytree(_example(items), folder)
    keys = json.loads((folder / KEY_FILE).read_text(encoding="utf-8"))
    keys["secret"] = secrets.token_hex(32)
    (folder / KEY_FILE).write_text(json.dumps(keys), encoding="utf-8")
    return folder


@cache
def _example(items: int) -> Path:
    made = Path(tempfile.mkdtemp(prefix="kilter-example-"))
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    write_example(made)
    if items != ITEMS:
        file = made / "study.toml"
        head, rows = file.read_text(encoding="utf-8").split("[[composition]]\n", 1)
        assert "\n[" not in rows.replace("\n[[composition]]", ""), "rows end the file"
        row = f'[[composition]]\nitems = {items}\nkind = "translation"\n'
        file.write_text(head + row, encoding="utf-8")
    with patch.object(password, "_COST", 2):
        create(made, password=PASSWORD)
    return made


@cache
def _own_ports() -> Iterator[int]:
    """Return the ports of this one of pytest's processes in turn, beginning anywhere."""
    own = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % _WORKERS
    ports = [port for port in _PORTS if port % _WORKERS == own]
    start = secrets.randbelow(len(ports))
    return cycle(ports[start:] + ports[:start])


def free_port() -> int:
    """Return a port that nobody has, and that nobody else takes before it is used."""
    for port in _own_ports():
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise AssertionError("the ports go round")


def await_start(process: Process, *, port: int, log: Path) -> None:
    """Return when a server listens."""
    end = time.monotonic() + _START_SECONDS
    while time.monotonic() < end:
        status = process.poll()
        if status is not None:
            messages = log.read_text(encoding="utf-8") if log.exists() else "it wrote no log"
            raise AssertionError(f"the server ended with {status}: {messages}")
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.02)
        else:
            return
    raise AssertionError("the server did not start")


@dataclass
class Server:
    """A server that can be killed and started again at the same address."""

    folder: Path
    database: str | None
    port: int
    log: Path
    public_url: str | None = None
    options: Sequence[str] = ()
    process: Process | None = None
    group: str = "survey"
    """Whose pages are served: those of `kilter survey` or of `kilter annotate`."""

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        command = [self.group, "serve", str(self.folder), "--port", str(self.port)]
        if self.database is not None:
            command += ["--database", self.database]
        if self.public_url is not None:
            command += ["--public-url", self.public_url]
        command += self.options
        self.process = started(command, log=self.log)
        await_start(self.process, port=self.port, log=self.log)

    def kill(self) -> None:
        """End the server in the middle of whatever it does."""
        assert self.process is not None
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            os.kill(self.process.pid, signal.SIGTERM)
            self.process.wait()


@contextmanager
def running(
    folder: Path,
    *,
    database: str | None = None,
    public_url: str | None = None,
    options: Sequence[str] = (),
    group: str = "survey",
) -> Iterator[Server]:
    """Serve a created study, or a project of another group of commands."""
    log = folder.parent / f"{folder.name}.log"
    server = Server(folder, database, free_port(), log, public_url, options, group=group)
    server.start()
    try:
        yield server
    finally:
        server.stop()


@cache
def authorities() -> ssl.SSLContext:
    """Return the authorities that httpx trusts; to read them takes it longer than most pages take."""
    return httpx.create_ssl_context()


def asked(
    address: str,
    *,
    method: str = "GET",
    cookies: dict[str, str] | None = None,
    headers: dict[str, str] | None = None,
    fields: dict[str, str] | None = None,
) -> httpx.Response:
    """Return the answer to one request of somebody who was never there before."""
    return httpx.request(
        method, address, cookies=cookies, headers=headers, data=fields, verify=authorities()
    )


class Person:
    """Somebody with a browser that runs no scripts."""

    def __init__(
        self, address: str, *, language: str = "en", trusts: ssl.SSLContext | None = None
    ) -> None:
        self.client = httpx.Client(
            base_url=address,
            verify=authorities() if trusts is None else trusts,
            follow_redirects=True,
            headers={"accept-language": language},
            timeout=60,
        )
        self.page = self.client.get("/")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.client.close()

    @property
    def path(self) -> str:
        return self.page.url.path

    def get(self, path: str) -> httpx.Response:
        self.page = self.client.get(path)
        return self.page

    @property
    def form_token(self) -> str:
        found = _TOKEN.search(self.page.text)
        assert found is not None, self.page.text
        return found[1]

    def post(self, path: str, **fields: str) -> httpx.Response:
        """Send a form of the page that is open."""
        self.page = self.client.post(path, data={"form_token": self.form_token, **fields})
        return self.page

    def save(self, path: str, token: str, **fields: str) -> httpx.Response:
        """Save as the script does, without leaving the page."""
        return self.client.post(
            path,
            data={"form_token": token, "action": "save", **fields},
            headers={"accept": "application/json"},
        )

    def join(self) -> str:
        """Take part and return the personal link."""
        self.post("/join")
        assert self.path == "/information", self.page.text
        found = re.search(r"/p/([\w-]+)", self.page.text)
        assert found is not None
        return found[0]

    def agree(self) -> None:
        """Go through information and consent."""
        self.post("/information")
        assert self.path == "/consent"
        names = set(re.findall(r'type="radio" name="(\w+)"', self.page.text))
        self.post("/consent", **dict.fromkeys(names, "yes"))
        assert self.path == "/about"

    def reach_items(self, **about: str) -> None:
        """Go through everything before the first item."""
        self.agree()
        self.post("/about", **about)
        assert self.path == "/sample", self.page.text
        self.post("/sample")
        assert self.path == "/item/1"

    def login(self, password: str = PASSWORD, *, account: str | None = None) -> httpx.Response:
        self.get("/research/login")
        fields = {} if account is None else {"account": account}
        return self.post("/research/login", password=password, **fields)

"""A PostgreSQL server of our own for the tests, where it is installed."""

import itertools
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from tests.study.running import free_port

_USER = "postgres"
_START_SECONDS = 60
_NUMBERS = itertools.count(1)


def program(name: str) -> str | None:
    """Return where a program of PostgreSQL is; Debian keeps them out of the path."""
    installed = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), reverse=True)
    return shutil.which(name) or (str(installed[0]) if installed else None)


def missing() -> str:
    """Return why PostgreSQL cannot be started; nothing if it can."""
    if program("initdb") is None or program("postgres") is None:
        return "PostgreSQL is not installed; 'make system-tools' installs it as root"
    if os.getuid() == 0 and shutil.which("runuser") is None:
        return "PostgreSQL does not run as root, and there is no runuser"
    return ""


def _as_user(command: list[str]) -> list[str]:
    return ["runuser", "-u", _USER, "--", *command] if os.getuid() == 0 else command


@contextmanager
def server(place: Path | None = None) -> Iterator[str]:
    """Start a server on 127.0.0.1 and give the URL of an empty cluster when it answers."""
    folder = Path(tempfile.mkdtemp(prefix="kilter-postgresql-", dir=place))
    port = free_port()
    try:
        if os.getuid() == 0:
            shutil.chown(folder, _USER)
        data = folder / "data"
        initdb, postgres = str(program("initdb")), str(program("postgres"))
        make = [initdb, "-D", str(data), "-U", _USER, "-A", "trust", "--no-sync", "-E", "UTF8"]
        subprocess.run(_as_user(make), check=True, capture_output=True, cwd="/")
        settings = (
            "listen_addresses=127.0.0.1",
            f"unix_socket_directories={folder}",
            "max_prepared_transactions=2",
        )
        options = [part for setting in settings for part in ("-c", setting)]
        process = subprocess.Popen(
            _as_user([postgres, "-D", str(data), "-p", str(port), *options]),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
        )
        try:
            address = f"postgresql://{_USER}@127.0.0.1:{port}"
            _await_start(address)
            yield address
        finally:
            process.terminate()
            process.wait(timeout=60)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _await_start(address: str) -> None:
    end = time.monotonic() + _START_SECONDS
    while True:
        try:
            psycopg.connect(f"{address}/postgres").close()
        except psycopg.OperationalError:
            assert time.monotonic() < end, "PostgreSQL did not start"
            time.sleep(0.1)
        else:
            return


def new_database(address: str) -> str:
    """Make an empty database and return its URL."""
    name = f"survey{next(_NUMBERS)}"
    with psycopg.connect(f"{address}/postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    return f"{address}/{name}"

"""Runs of a command that differ in one option alone, and what they leave behind."""

import io
import re
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from kilter import _core
from kilter.cli.main import run

# A signature names every option, also one that nobody looked at: a cell or a line with its version.
_CELLS = re.compile(r'([\t\n"{}])')
_SIGNED = "|v:"
# So do the names of metrics with options, such as frs:ties=local.
_OPTIONS = re.compile(r"(?<=[a-z]):([a-z_0-9]+=[^\s\",|]+,?)+")
# What is drawn anew by every run: a password, and the keys of a study.
_PASSWORD = re.compile(r"(?<=shown only now: )\S+")
_KEYS = "keys.json"
# And the tokens of personal links, which are made of the keys.
_TOKENS = re.compile(r"(?<=/a/)[\w-]{32}")
THREADS = 29
"""So many threads that no other number given to a kernel is the same by accident."""


@dataclass(frozen=True)
class Demonstration:
    """Arguments that an option is added to, and the values that must make a difference.

    An empty value leaves the option out, one with blanks gives it several times. Without `values` it is
    every choice of the option, or a flag without and with it. Every two results differ. Commands succeed,
    but for `errors`. With `apart`, the arguments hold {} for the value, and each value is compared with
    the others: what only the right value can read. A number of `threads` changes no result.
    """

    arguments: str
    values: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    apart: bool = False
    same: tuple[tuple[str, str], ...] = ()
    """Pairs of values that mean the same here."""
    threads: bool = False
    terminal: bool = False
    """Whether somebody looks at standard error."""
    stdin: str = ""
    """The input that is given as standard input."""


@dataclass(frozen=True)
class Elsewhere:
    """The test that shows an option, where it takes a server, a picture or a watching program."""

    path: str
    test: str


Table = dict[str, Demonstration | Elsewhere]
"""Options of a command, each with what shows it."""


def shown(arguments: str, *values: str, **extra: Any) -> Demonstration:
    """Return the demonstration of an option by these values, or by all its choices."""
    return Demonstration(arguments, values, **extra)


def threads(arguments: str) -> Demonstration:
    """Return the demonstration of a number of threads: it reaches a kernel and changes no result."""
    return Demonstration(arguments, threads=True)


def talk(arguments: str, **extra: Any) -> Demonstration:
    """Return the demonstration of a flag that silences what a command says."""
    return Demonstration(arguments, **extra)


@dataclass(frozen=True)
class Outcome:
    """What a run left behind: exit code, both streams and files, all without signatures."""

    code: int
    out: str
    err: str
    files: tuple[tuple[str, bytes], ...]


class _Stream(io.TextIOWrapper):
    """A stream in memory that says whether it is a terminal."""

    def __init__(self, *, terminal: bool) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", write_through=True)
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal

    def text(self) -> str:
        buffer = self.buffer
        assert isinstance(buffer, io.BytesIO)
        return _PASSWORD.sub("", _plain(buffer.getvalue().decode(errors="backslashreplace")))


def _plain(text: str) -> str:
    """Return a text without options that a result merely repeats."""
    if _SIGNED in text:
        text = "".join("" if _SIGNED in cell else cell for cell in _CELLS.split(text))
    return _OPTIONS.sub("", _TOKENS.sub("", text))


def outcome(
    arguments: list[str], folder: Path, inputs: Path, *, terminal: bool, stdin: str
) -> Outcome:
    """Run a command in a new folder that sees `inputs` as in/, and copies of the studies and projects there."""
    folder.mkdir()
    (folder / "in").symlink_to(inputs)
    for name in {argument.partition("/")[0] for argument in arguments}:
        if name.startswith(("study", "project")) and (inputs / name).is_dir():
            shutil.copytree(inputs / name, folder / name)
    before = _files(folder)
    out, err = _Stream(terminal=False), _Stream(terminal=terminal)
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.chdir(folder)
        patch.setenv("TERM", "xterm")
        given = (inputs / stdin).read_bytes() if stdin else b""
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given), encoding="utf-8"))
        code = run(arguments)
    after = {name: data for name, data in _files(folder).items() if before.get(name) != data}
    # How a bar grows depends on time; whether there is one does not.
    said = "a bar" if terminal and err.text() else err.text()
    return Outcome(code, out.text(), said, tuple(sorted(after.items())))


def _files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): _content(path)
        for path in folder.rglob("*")
        if path.is_file() and path.relative_to(folder).parts[0] != "in"
    }


def _content(path: Path) -> bytes:
    """Return what a file holds that is the same for the same run at any time."""
    data = path.read_bytes()
    if path.name == _KEYS:
        return b""
    if data.startswith(b"SQLite format 3"):
        return _filled(path).encode()
    if path.suffix in (".db-wal", ".db-shm"):
        return b""
    return _plain(data.decode()).encode() if _is_text(data) else data


def _filled(path: Path) -> str:
    """Return how many rows the tables of a database have, and how many of their cells are filled."""
    found = []
    with closing(sqlite3.connect(path)) as connection:
        names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        for (name,) in sorted(names):
            rows = connection.execute(f"SELECT * FROM {name}").fetchall()  # noqa: S608 - our own file
            filled = [sum(cell not in (None, "", "{}") for cell in row) for row in rows]
            found.append(f"{name} {len(rows)} {sum(filled)}")
    return "\n".join(found)


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


@contextmanager
def watched_threads() -> Iterator[set[int]]:
    """Collect every whole number that a kernel or a pool of threads is called with."""
    seen: set[int] = set()

    def watching(kernel: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **named: Any) -> Any:
            seen.update(each for each in (*args, *named.values()) if type(each) is int)
            return kernel(*args, **named)

        return call

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ThreadPoolExecutor, "__init__", watching(ThreadPoolExecutor.__init__))
        for name, kernel in vars(_core).items():
            if callable(kernel) and not isinstance(kernel, type) and not name.startswith("__"):
                patch.setattr(_core, name, watching(kernel))
        yield seen

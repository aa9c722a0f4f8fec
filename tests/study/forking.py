"""Processes of `kilter` that start at once: forked from one that has imported what a server needs.

A fork is a process like any other: it has its own number, memory and log, and can be killed. What it
lacks is the second that Python takes to start and to import, dozens of times.
"""

import atexit
import gc
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, Protocol

from tests.cli.command import KILTER

ROOT = Path(__file__).parents[2]


class Process(Protocol):
    """A process that may have ended."""

    @property
    def pid(self) -> int: ...

    def poll(self) -> int | None: ...

    def wait(self) -> int: ...


@dataclass(frozen=True)
class Fork:
    """One process of the command."""

    pid: int

    def poll(self) -> int | None:
        """Return how it ended, or None while it runs."""
        return _ask({"poll": self.pid})

    def wait(self) -> int:
        """Wait for its end and return how it ended."""
        ended = _ask({"wait": self.pid})
        assert ended is not None
        return ended


def started(arguments: list[str], *, log: Path) -> Process:
    """Run the command with these arguments; what it says is added to a log."""
    if "COVERAGE_PROCESS_START" in os.environ:
        # Coverage asks only when a process begins which test has started it.
        with log.open("ab") as said:
            return subprocess.Popen([KILTER, *arguments], stdout=said, stderr=said)
    pid = _ask({"run": arguments, "log": str(log)})
    assert pid is not None
    return Fork(pid)


def _ask(question: dict[str, object]) -> int | None:
    asked, answers = _parent()
    asked.write(json.dumps(question) + "\n")
    asked.flush()
    answer: int | None = json.loads(answers.readline())
    return answer


@cache
def _parent() -> tuple[IO[str], IO[str]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.study.forking"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    assert process.stdin is not None
    assert process.stdout is not None

    def end() -> None:
        process.communicate()  # which closes its standard input, and so ends it

    atexit.register(end)
    return process.stdin, process.stdout


def main() -> None:
    """Fork as asked on standard input, until it ends."""
    import psycopg  # noqa: F401 - imported for the forks
    from anyio._backends import _asyncio  # noqa: F401
    from sqlalchemy.dialects import postgresql  # noqa: F401
    from uvicorn.lifespan import on  # noqa: F401
    from uvicorn.loops import asyncio  # noqa: F401
    from uvicorn.protocols.http import h11_impl  # noqa: F401

    from kilter.cli.annotate import serve as annotate  # noqa: F401
    from kilter.cli.survey import serve  # noqa: F401
    from kilter.study import page_template
    from kilter.study.annotation.web import server as annotation  # noqa: F401
    from kilter.study.instrument import data_file, interface
    from kilter.study.store import (
        database,
        running_study,  # noqa: F401
    )
    from kilter.study.web import site_base

    templates = page_template.templates_in(site_base.SHARED_TEMPLATES)
    for name in templates.list_templates():
        templates.get_template(name)
    for language in interface.interface_languages():
        for kind in ("interface", "documents"):
            interface._read(kind, language, data_file.DATA, f"kilter.{kind}/1")
    with tempfile.TemporaryDirectory() as folder:
        database.open_database(None, Path(folder)).close()
    gc.collect()
    gc.freeze()
    ended: dict[int, int] = {}
    for line in sys.stdin:
        question = json.loads(line)
        answer: int | None
        if "run" in question:
            answer = _forked(question["run"], question["log"])
            # Numbers of processes come round again: how an earlier process ended says nothing of this one.
            ended.pop(answer, None)
        else:
            pid = question.get("wait") or question["poll"]
            if pid not in ended:
                found, status = os.waitpid(pid, 0 if "wait" in question else os.WNOHANG)
                if found:
                    ended[pid] = os.waitstatus_to_exitcode(status)
            answer = ended.get(pid)
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


def _forked(arguments: list[str], log: str) -> int:
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        written = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        nothing = os.open(os.devnull, os.O_RDONLY)
        for place, stream in enumerate((nothing, written, written)):
            os.dup2(stream, place)
        from kilter.cli.main import run

        code = run(arguments)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    main()

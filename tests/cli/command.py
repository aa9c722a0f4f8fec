"""`kilter`, run as users run it: in this process, or as the installed command in one of its own."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import BytesIO, TextIOWrapper
from pathlib import Path

from kilter.cli.main import run

KILTER = str(Path(sys.executable).with_name("kilter"))


@dataclass(frozen=True)
class Outcome:
    """What a run left behind."""

    code: int
    out: str
    err: str


def kilter(*arguments: str, stdin: bytes = b"") -> Outcome:
    """Run the command with these arguments and this standard input, without a new process."""
    out, err = (TextIOWrapper(BytesIO(), encoding="utf-8", newline="") for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err), _standard_input(stdin):
        code = run([*arguments])
    return Outcome(code, _written(out), _written(err))


@contextmanager
def _standard_input(data: bytes) -> Iterator[None]:
    before = sys.stdin
    sys.stdin = TextIOWrapper(BytesIO(data), encoding="utf-8")
    try:
        yield
    finally:
        sys.stdin = before


def _written(stream: TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()


def installed(
    *arguments: str, stdin: bytes = b"", environment: dict[str, str] | None = None
) -> Outcome:
    """Run the installed command with these arguments, for tests whose subject is the process."""
    done = subprocess.run(
        [KILTER, *arguments],
        input=stdin,
        capture_output=True,
        check=False,
        env={**os.environ, **(environment or {})},
    )
    return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())

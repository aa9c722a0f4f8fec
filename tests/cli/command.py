"""The installed `kilter`, run as users run it."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

KILTER = str(Path(sys.executable).with_name("kilter"))


@dataclass(frozen=True)
class Outcome:
    """What a run left behind."""

    code: int
    out: str
    err: str


def kilter(
    *arguments: str, stdin: bytes = b"", environment: dict[str, str] | None = None
) -> Outcome:
    """Run the command with these arguments."""
    done = subprocess.run(
        [KILTER, *arguments],
        input=stdin,
        capture_output=True,
        check=False,
        env={**os.environ, **(environment or {})},
    )
    return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())

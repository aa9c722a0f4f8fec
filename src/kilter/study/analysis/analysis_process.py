"""Starts the analysis of a running study in a process of its own, so that its server goes on answering."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def start_analysis(folder: Path, database: str | None, began_at: float) -> subprocess.Popen[bytes]:
    """Start the analysis of a study whose run began at a time, and return its process."""
    command = [sys.executable, "-m", "kilter.study.analysis.running_analysis"]
    process = subprocess.Popen(  # noqa: S603 - our own program
        command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    order = {"folder": str(folder), "database": database, "began_at": began_at}
    assert process.stdin is not None  # noqa: S101 - it is a pipe
    process.stdin.write(json.dumps(order).encode() + b"\n")
    process.stdin.flush()  # and it stays open for as long as the answer is wanted
    return process

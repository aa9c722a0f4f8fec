"""One tool on one load in a process of its own: best CPU time, peak memory, what it found.

Tools of Kilter and of its peers live in other environments and meet only here: a process reads a request as JSON
and answers as JSON.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeAlias

Load: TypeAlias = dict[str, Any]
Work: TypeAlias = Callable[[], Sequence[float]]
Tool: TypeAlias = Callable[[Load], Work]
ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, kw_only=True)
class Measured:
    """What a tool took and found; `error` says why it did neither."""

    tool: str
    package: str
    version: str
    seconds: float
    megabytes: float
    values: tuple[float, ...]
    error: str = ""


def serve(tools: Mapping[str, tuple[str, Tool]]) -> None:
    """Answer one request on standard input by the tool that it names."""
    asked = json.load(sys.stdin)
    package, tool = tools[asked["tool"]]
    work = tool(asked["load"])
    best, values = float("inf"), list[float]()
    for _ in range(asked["rounds"]):
        start = _spent()
        values = [float(value) for value in work()]
        best = min(best, _spent() - start)
    peak = max(_peak(), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
    answer = {"package": package, "version": version(package), "seconds": best}
    json.dump({**answer, "megabytes": peak / 1024, "values": values}, sys.stdout)


def _peak() -> float:
    """Return the peak memory of this process in kB: of its own, not of what it was started from."""
    try:
        text = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return float(text.partition("VmHWM:")[2].split()[0])


def _spent() -> float:
    """Return the CPU seconds of this process and of those that it has run."""
    mine = time.process_time()
    others = resource.getrusage(resource.RUSAGE_CHILDREN)
    return mine + others.ru_utime + others.ru_stime


def measure(python: Path, module: str, tool: str, load: Load, *, rounds: int) -> Measured:
    """Return what a tool of another environment takes for a load."""
    if not python.is_file():
        return _absent(tool, f"there is no environment {python.parent.parent.name}")
    request = json.dumps({"tool": tool, "load": load, "rounds": rounds})
    found, error = answered([str(python), "-m", module], request)
    if error:
        return _absent(tool, error)
    found["values"] = tuple(found["values"])
    return Measured(tool=tool, **found)


def answered(command: Sequence[str], request: str = "") -> tuple[dict[str, Any], str]:
    """Return what a program says as JSON, or nothing and the last line of its complaint."""
    done = subprocess.run(
        command, input=request, capture_output=True, text=True, cwd=ROOT, check=False
    )
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or [f"exit {done.returncode}"]
        return {}, last[0]
    return json.loads(done.stdout), ""


def _absent(tool: str, error: str) -> Measured:
    nothing = float("nan")
    return Measured(
        tool=tool,
        package="",
        version="",
        seconds=nothing,
        megabytes=nothing,
        values=(),
        error=error,
    )

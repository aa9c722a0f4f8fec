"""Test runs in processes of their own, which begin with the libraries already loaded."""

import importlib
import json
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

# What nearly every test loads. None of them starts threads, which a fork would lose.
PRELOADED = ("numpy", "numpy.testing", "hypothesis", "hypothesis.strategies", "click", "rich")
# Nothing is written into the tree, and assertions need no second compilation to fail.
QUICK = ("-q", "--assert=plain", "-p", "no:cacheprovider", "-p", "no:xdist")
PYTEST = (*QUICK, "--thorough")


def preload() -> None:
    """Load what every child needs; the package itself is loaded by each child anew."""
    for name in (*PRELOADED, "pytest", "coverage"):
        importlib.import_module(name)
    if "kilter" in sys.modules:
        raise RuntimeError("kilter is loaded before its code is changed")


def run(
    work: Callable[[], Any], *, folder: Path, environment: dict[str, str], timeout: float
) -> Any | None:
    """Return what `work` returns in a child process, None if it takes longer than the timeout.

    What it prints, and a crash, are in `folder/output.txt`. A child that ends without an answer
    raises RuntimeError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    answer = folder / "answer.json"
    answer.unlink(missing_ok=True)
    child = os.fork()
    if child == 0:
        _work(work, folder / "output.txt", answer, environment)
    ended = _wait(child, timeout)
    _end_group(child)  # servers a test left behind
    if not ended:
        return None
    if not answer.exists():
        return {"crashed": True}
    return json.loads(answer.read_text(encoding="utf-8"))


def _work(work: Callable[[], Any], output: Path, answer: Path, environment: dict[str, str]) -> None:
    code = 1
    try:
        os.setsid()
        with output.open("w", encoding="utf-8") as stream:
            os.dup2(stream.fileno(), 1)
            os.dup2(stream.fileno(), 2)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.environ.update(environment)
        sys.dont_write_bytecode = True
        sys.path[:0] = environment["PYTHONPATH"].split(os.pathsep)
        result = work()
        answer.with_suffix(".part").write_text(json.dumps(result), encoding="utf-8")
        answer.with_suffix(".part").rename(answer)
        code = 0
    except BaseException:  # noqa: BLE001 - a child must never return into its parent's code
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _wait(child: int, timeout: float) -> bool:
    end = time.monotonic() + timeout
    while time.monotonic() < end:
        if os.waitpid(child, os.WNOHANG)[0] == child:
            return True
        time.sleep(0.02)
    _end_group(child)
    os.waitpid(child, 0)
    return False


def _end_group(child: int) -> None:
    try:
        os.killpg(child, signal.SIGKILL)
    except ProcessLookupError:
        return

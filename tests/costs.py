"""How much processor time each test takes, with all processes that it starts."""

import os
import time
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

_TICKS = os.sysconf("SC_CLK_TCK")


class Costs:
    """Adds a line to a file for each test: seconds and name.

    Seconds are those of tests and what they need: who comes first pays for what all tests of a file share.
    Processes that nobody has waited for are looked up while they run; a browser has many of them.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        before = _seconds()
        try:
            return (yield)
        finally:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(f"{_seconds() - before:.3f} {item.nodeid}\n")


def _seconds() -> float:
    times = os.times()
    ended = times.children_user + times.children_system
    return time.process_time() + ended + sum(map(_seconds_of, _descendants(os.getpid())))


def _seconds_of(process: int) -> float:
    """Return the seconds of a process and of those that it has waited for, 0 if it has ended."""
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
    except OSError:
        return 0.0
    return sum(map(int, state.rpartition(")")[2].split()[11:15])) / _TICKS


def _descendants(process: int) -> Iterator[int]:
    for thread in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            children = thread.read_text(encoding="utf-8").split()
        except OSError:
            continue
        for child in map(int, children):
            yield child
            yield from _descendants(child)

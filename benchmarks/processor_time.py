"""Processor time of processes and all that they have started."""

from __future__ import annotations

import os
from pathlib import Path

_TICK = 1 / os.sysconf("SC_CLK_TCK")


def family_seconds(pid: int) -> float:
    """Return the processor seconds of a process, of its children that have ended, and of those that run."""
    parents: dict[int, list[int]] = {}
    spent: dict[int, float] = {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            fields = (folder / "stat").read_text(encoding="ascii").rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        number = int(folder.name)
        parents.setdefault(int(fields[1]), []).append(number)
        spent[number] = _TICK * sum(int(ticks) for ticks in fields[11:15])
    total, left = 0.0, [pid]
    while left:
        number = left.pop()
        total += spent.get(number, 0.0)
        left += parents.get(number, [])
    return total

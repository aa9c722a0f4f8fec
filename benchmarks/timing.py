"""Timing on one core: the best of several rounds, per CPU second of this thread."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def pin_to_one_core() -> None:
    """Keep this process on one core, where the system can."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def best_seconds(work: Callable[[], object], *, rounds: int = 25) -> float:
    """Return the least CPU time of several rounds: what the code needs when nothing disturbs it."""
    best = float("inf")
    for _ in range(rounds):
        start = time.thread_time()
        work()
        best = min(best, time.thread_time() - start)
    return best

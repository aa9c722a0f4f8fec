"""What workers do in tests: at the top of a file, as a process that is started anew finds it."""

import os
import signal
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kilter.core.errors import InputError, KilterWarning
from kilter.run.engine.engine import Batch


def batches(count: int) -> list[Batch[int]]:
    """Return batches of two rows that hold their place."""
    return [
        Batch(data=place, first=2 * place + 1, rows=2, share=(place + 1) / count)
        for place in range(count)
    ]


def counted(count: int, taken: list[int]) -> Iterator[Batch[int]]:
    """Yield batches, and write down which were taken."""
    for batch in batches(count):
        taken.append(batch.data)
        yield batch


def doubled(batch: Batch[int]) -> int:
    """Return twice what a batch holds."""
    return 2 * batch.data


def late(batch: Batch[int]) -> int:
    """Return twice what a batch holds, after a minute."""
    time.sleep(60)
    return doubled(batch)


def refused(batch: Batch[int]) -> int:
    """Return twice what a batch holds, unless that is 3."""
    if batch.data == 3:
        warnings.warn("three comes", KilterWarning, stacklevel=1)
        raise InputError("is three", where=f"numbers:{batch.first}")
    return doubled(batch)


@dataclass(frozen=True)
class Killing:
    """Do a task, but kill the first worker that is given the batch from a row on."""

    task: Callable[[Batch[Any]], Any]
    seen: str
    """A file that is there once a worker was killed."""
    first: int

    def __call__(self, batch: Batch[Any]) -> Any:
        if batch.first == self.first and not Path(self.seen).exists():
            Path(self.seen).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return self.task(batch)


@dataclass(frozen=True)
class Watched:
    """Take two seconds to double a batch, and leave a file that is named after the machine of Ray."""

    folder: Path

    def __call__(self, batch: Batch[int]) -> int:
        import ray

        (self.folder / f"{ray.get_runtime_context().get_node_id()}-{batch.data}").touch()
        time.sleep(2)
        return doubled(batch)


@dataclass(frozen=True)
class Interrupted:
    """Kill the worker, or fail, the first times that a batch comes by; a folder remembers them."""

    folder: Path
    at: int
    times: int
    killed: bool

    def __call__(self, batch: Batch[int]) -> int:
        if batch.data == self.at:
            seen = len(list(self.folder.iterdir()))
            if seen < self.times:
                (self.folder / str(seen)).touch()
                if self.killed:
                    os.kill(os.getpid(), signal.SIGKILL)
                raise OSError("the disk is gone")
        return doubled(batch)

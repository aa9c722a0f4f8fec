"""What workers do in tests: at the top of a file, as a process that is started anew finds it."""

import os
import signal
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from kilter.engine.batch import Batch
from kilter.errors import InputError, KilterWarning
from kilter.formats.permutation import PermutationBlock
from kilter.pipeline.permutation import PermutationTask


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


def refused(batch: Batch[int]) -> int:
    """Return twice what a batch holds, unless that is 3."""
    if batch.data == 3:
        warnings.warn("three comes", KilterWarning, stacklevel=1)
        raise InputError("is three", where=f"numbers:{batch.first}")
    return doubled(batch)


@dataclass(frozen=True, kw_only=True)
class KillingTask(PermutationTask):
    """Scores permutations, and kills the first worker that is given those from row 701 on."""

    seen: Path = Path()

    def __call__(self, batch: Batch[PermutationBlock]) -> Any:
        if batch.first == 701 and not self.seen.exists():
            self.seen.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().__call__(batch)


def killing(seen: str) -> Callable[..., PermutationTask]:
    """Return what makes tasks that kill a worker, and leave a file of this name."""
    return partial(KillingTask, seen=Path(seen))


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

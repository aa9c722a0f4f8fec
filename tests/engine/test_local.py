"""Workers on this machine, also when they are killed."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from kilter.engine.engine import ATTEMPTS
from kilter.engine.local import ProcessEngine
from kilter.errors import InputError, KilterWarning
from tests.engine.tasks import Interrupted, batches, refused

ORPHANS = """
import os, signal
from kilter.engine.local import ProcessEngine
from tests.engine.tasks import batches, doubled
engine = ProcessEngine(2)
results = engine.map(doubled, batches(50))
next(results)
print(*engine._processes._processes, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_the_batches_of_a_killed_worker_are_given_to_others(tmp_path: Path) -> None:
    task = Interrupted(folder=tmp_path, at=3, times=1, killed=True)
    with pytest.warns(KilterWarning, match=r"^rows \d to \d: the worker was killed; another one"):
        assert list(ProcessEngine(2).map(task, batches(7))) == [0, 2, 4, 6, 8, 10, 12]
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.filterwarnings("ignore::kilter.errors.KilterWarning")
def test_a_batch_that_kills_every_worker_is_named(tmp_path: Path) -> None:
    task = Interrupted(folder=tmp_path, at=3, times=99, killed=True)
    results = ProcessEngine(2).map(task, batches(7))
    assert [next(results) for _ in range(3)] == [0, 2, 4]
    with pytest.raises(InputError, match=r"^rows 7 to 8: the worker was killed 3 times"):
        next(results)
    # Once more for each batch before it that was in flight with it, and no more.
    assert len(list(tmp_path.iterdir())) <= ATTEMPTS * 4


def test_errors_and_warnings_of_a_process_arrive_as_they_were() -> None:
    results = ProcessEngine(1).map(refused, batches(4))
    assert [next(results) for _ in range(3)] == [0, 2, 4]
    with (
        pytest.warns(KilterWarning, match=r"^three comes$"),
        pytest.raises(InputError, match=r"^numbers:7: is three$") as found,
    ):
        next(results)
    assert found.value.where == "numbers:7"


def test_no_worker_outlives_a_process_that_is_killed() -> None:
    run = subprocess.run([sys.executable, "-c", ORPHANS], capture_output=True, check=False)
    workers = run.stdout.split()
    assert len(workers) == 2, run.stderr
    for _ in range(100):
        if not any(Path(f"/proc/{worker.decode()}").exists() for worker in workers):
            return
        time.sleep(0.1)
    pytest.fail("workers are left")

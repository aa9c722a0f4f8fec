"""Workers on this machine, also when they are killed."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kilter.core.errors import InputError, KilterWarning
from kilter.run.engine.engine import ATTEMPTS
from kilter.run.engine.local import ProcessEngine
from tests.run.engine.tasks import Interrupted, batches, refused
from tests.thorough import some

ORPHANS = """
import os, signal
from kilter.run.engine.local import ProcessEngine
from tests.run.engine.tasks import batches, doubled
engine = ProcessEngine(2)
results = engine.map(doubled, batches(50))
next(results)
print(*(each._process.pid for each in engine._listeners), flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


WAITING = """
from kilter.run.engine.local import ProcessEngine
from tests.run.engine.tasks import batches, late
print("begun", flush=True)
for result in ProcessEngine(2).map(late, batches(9)):
    print(result, flush=True)
"""


BLOCKED = """
from pathlib import Path
from kilter.run.engine.local import ProcessEngine
from tests.run.engine.tasks import batches, doubled
engine = ProcessEngine(2)
results = engine.map(doubled, batches(50))
next(results)
for each in engine._listeners:
    text = Path(f"/proc/{each._process.pid}/status").read_text()
    print(int(text.partition("SigBlk:")[2].split()[0], 16))
list(results)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="asks Linux")
def test_no_worker_sees_an_interrupt() -> None:
    """Not even the first ones of a process, which start the tracker of multiprocessing."""
    done = subprocess.run(
        [sys.executable, "-c", BLOCKED], capture_output=True, check=True, text=True
    )
    masks = [int(line) for line in done.stdout.split()]
    assert len(masks) == 2
    for number in (signal.SIGINT, signal.SIGHUP):
        assert all(mask >> (number - 1) & 1 for mask in masks)


@pytest.mark.parametrize("seconds", some([0.0, 0.1, 0.3, 1.0], quick=[0.3]))
@pytest.mark.parametrize(
    ("number", "said"),
    some(
        [("SIGINT", "KeyboardInterrupt"), ("SIGTERM", ""), ("SIGHUP", "")],
        quick=[("SIGINT", "KeyboardInterrupt")],
        rows=True,
    ),
)
def test_a_signal_to_all_processes_ends_them_at_once(
    number: str, said: str, seconds: float
) -> None:
    """As a terminal sends it: also while processes start, and while each is at a batch that takes a minute."""
    with subprocess.Popen(
        [sys.executable, "-c", WAITING],
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as run:
        assert run.stdout is not None
        assert run.stdout.readline() == b"begun\n"
        time.sleep(seconds)
        os.killpg(run.pid, signal.Signals[number])
        _, errors = run.communicate(timeout=30)
    assert run.returncode not in (0, None)
    # What the process itself says of an interrupt, and nothing of its workers.
    assert errors.decode().strip().rpartition("\n")[2] == said
    assert errors.count(b"Traceback") == bool(said)
    for _ in range(100):
        try:
            os.killpg(run.pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    pytest.fail("workers are left")


def test_the_batches_of_a_killed_worker_are_given_to_others(tmp_path: Path) -> None:
    task = Interrupted(folder=tmp_path, at=3, times=1, killed=True)
    with pytest.warns(KilterWarning, match=r"^rows \d to \d: the worker was killed; another one"):
        assert list(ProcessEngine(2).map(task, batches(7))) == [0, 2, 4, 6, 8, 10, 12]
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.filterwarnings("ignore::kilter.core.errors.KilterWarning")
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

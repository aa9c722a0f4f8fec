"""Threads in the core: signals, memory that ends, forks and exits while they work."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from kilter import _core
from tests.kernels.program import run
from tests.thorough import tried


class Heard(Exception):  # noqa: N818 - what a handler of signals raises
    """A signal was heard."""


def test_a_handler_that_raises_when_all_threads_are_done_is_heard() -> None:
    order = np.random.default_rng(1).permutation(60).astype(np.int32)
    values, offsets = np.tile(order, 200_000), np.arange(0, 12_000_001, 60)

    def handler(*_: object) -> None:
        time.sleep(1)  # the threads end meanwhile, before they hear of it
        raise Heard

    before = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.01)
        with pytest.raises(Heard):
            _core.score(values, offsets, 0.6, 0.0, False, 0.0, 2)  # noqa: FBT003
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


SCARCE = """
#include <cstdio>
#include <cstdlib>
#include <new>

#include "threads.hpp"

static std::atomic<int> left{-1};  // allocations until one fails; none does below 0

void* operator new(std::size_t size) {
    if (left.load() >= 0 && left.fetch_sub(1) == 0) {
        throw std::bad_alloc();
    }
    return std::malloc(size);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

int main() {
    const std::int64_t offsets[] = {0, 1, 2, 3, 4};
    for (int failing = 0; failing < 20; ++failing) {
        std::atomic<std::int64_t> done{0};
        left = failing;
        try {
            kilter::for_each_block(offsets, 4, 4, [&](std::int64_t first, std::int64_t last) { done += last - first; });
            left = -1;
            std::puts(done == 4 ? "done" : "lost");
        } catch (const std::bad_alloc&) {
            left = -1;
            std::puts("scarce");
        }
    }
}
"""


def test_a_thread_that_finds_no_memory_does_not_end_the_process(tmp_path: Path) -> None:
    code, printed = run(SCARCE, tmp_path)
    assert (code, {*printed.split()}) == (0, {"done", "scarce"})


LEAVING = """
import sys, threading, time
import numpy as np
from kilter import _core

values = np.tile(np.arange(20, dtype=np.int32), 2000)
offsets = np.arange(0, values.size + 1, 20)

def work():
    while True:
        _core.score(values, offsets, 0.6, 0.0, False, 0.0, int(sys.argv[1]))

for _ in range(3):
    threading.Thread(target=work, daemon=True).start()
time.sleep(0.05)
print("over")
"""


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_daemon_thread_does_not_abort_the_process_at_its_end(jobs: str) -> None:
    for _ in range(tried(20, quick=1)):
        found = subprocess.run(
            [sys.executable, "-c", LEAVING, jobs], capture_output=True, text=True, check=False
        )
        assert (found.returncode, found.stdout, found.stderr) == (0, "over\n", "")


def _trainer(words: int) -> _core.EmTrainer:
    ids = np.random.default_rng(6).integers(0, 500, words).astype(np.int32)
    offsets = np.arange(0, ids.size + 1, 100)
    return _core.EmTrainer(ids, offsets, ids[::-1].copy(), offsets, 500, 500, 5, 10**8, 1)


def _in_child(work: Callable[[], object]) -> int:
    """Return the exit status of a forked child that runs something, -9 if it hangs."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            work()
            status = 0
        finally:
            os._exit(status)
    for _ in range(200):
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.05)
    os.kill(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_forked_child_does_not_wait_for_threads_of_its_parent() -> None:
    trainer, over = _trainer(50_000), threading.Event()

    def work() -> None:
        while not over.is_set():
            trainer.model1()

    def use() -> None:
        try:
            trainer.model1()
        except ValueError as error:
            assert "an earlier call was interrupted" in str(error)  # noqa: PT017
            _trainer(100).model1()
        else:
            os._exit(2)  # no thread was at work at that moment

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    status = 2
    while status == 2:
        time.sleep(0.05)  # one is at work, the others wait for it
        status = _in_child(use)
    over.set()
    for thread in threads:
        thread.join()
    assert status == 0

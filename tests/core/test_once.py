"""What is loaded once and serves all threads."""

import os
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event, Thread

from kilter.core.once import ProcessLock, loaded_once


def test_threads_that_ask_at_once_share_one_result() -> None:
    loaded: list[str] = []
    together = Barrier(4)

    @loaded_once(2)
    def load(name: str) -> list[str]:
        loaded.append(name)
        return [name]

    def ask(_: int) -> list[str]:
        together.wait(timeout=20)
        return load("a")

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(ask, range(4)))
    assert loaded == ["a"]
    assert all(each is found[0] for each in found)


def test_only_the_last_results_are_kept() -> None:
    loaded: list[str] = []

    @loaded_once(1)
    def load(name: str) -> str:
        loaded.append(name)
        return name

    for name in "aabba":
        load(name)
    assert loaded == ["a", "b", "a"]
    load.cache_clear()
    load("a")
    assert loaded == ["a", "b", "a", "a"]


def test_a_lock_is_free_in_a_child_that_was_forked_while_another_thread_held_it() -> None:
    lock, held, done = ProcessLock(), Event(), Event()

    def hold() -> None:
        with lock:
            held.set()
            done.wait(timeout=20)

    holder = Thread(target=hold)
    holder.start()
    assert held.wait(timeout=20)
    child = os.fork()
    if child == 0:
        os._exit(0 if lock._lock.acquire(timeout=5) else 1)
    _, status = os.waitpid(child, 0)
    done.set()
    holder.join()
    assert os.waitstatus_to_exitcode(status) == 0

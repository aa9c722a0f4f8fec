"""Workers on this machine: threads, or processes that share nothing."""

from __future__ import annotations

import os
import signal
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import cache
from multiprocessing import get_context, parent_process, resource_tracker
from multiprocessing.connection import wait
from pickle import dumps, loads
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from kilter.run.engine.engine import Outcome, WorkerDied, WorkerPool, attempt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

    from kilter.run.engine.engine import Batch

    _Ticket = Future[Outcome[Any]]


class ThreadEngine(WorkerPool["_Ticket"]):
    """Threads of this process, for tasks that spend their time where Python lets others work."""

    def begin(self, task: Callable[[Batch[Any]], Any]) -> None:
        """Start the threads."""
        self._task = task
        self._threads = ThreadPoolExecutor(self.workers, "kilter-worker")

    def submit(self, batch: Batch[Any]) -> _Ticket:
        """Return the outcome that a thread will have."""
        # Warnings are issued where they arise: collecting them is not for one thread alone.
        return self._threads.submit(attempt, self._task, batch, listen=False)

    def outcome(self, ticket: _Ticket) -> Outcome[Any]:
        """Wait for a thread."""
        return ticket.result()

    def renew(self) -> bool:
        """Do nothing: a thread does not die without its process."""
        return False

    def drop(self, tickets: Iterable[_Ticket]) -> None:
        """End the threads, each after the batch that it is at."""
        for ticket in tickets:
            ticket.cancel()
        self._threads.shutdown()


class ProcessEngine(WorkerPool["_Ticket"]):
    """Processes of this machine, each with an interpreter of its own.

    Each has a pipe of its own, and nothing is shared: one that is killed in the middle of a word is no harm to others.
    """

    def begin(self, task: Callable[[Batch[Any]], Any]) -> None:
        """Start the processes."""
        # Not by weak references: an interrupt while one is cleared away is lost.
        self._tickets: list[_Ticket] = []
        self._asked: SimpleQueue[tuple[_Ticket, Batch[Any]] | None] = SimpleQueue()
        packed = dumps(task)
        with _uninterrupted():
            self._listeners = [_Listener(packed, self._asked) for _ in range(self.workers)]

    def submit(self, batch: Batch[Any]) -> _Ticket:
        """Return the outcome that a process will have."""
        ticket: _Ticket = Future()
        self._tickets = [*(each for each in self._tickets if not each.done()), ticket]
        self._asked.put((ticket, batch))
        return ticket

    def outcome(self, ticket: _Ticket) -> Outcome[Any]:
        """Wait for a process."""
        return ticket.result()

    def renew(self) -> bool:
        """Do nothing: whoever listens to a process that dies starts another one."""
        return False

    def drop(self, tickets: Iterable[_Ticket]) -> None:  # noqa: ARG002 - nobody may have got one yet
        """End the processes, at once if they are at something that nobody asks for."""
        is_done = all(ticket.done() for ticket in self._tickets)
        for listener in self._listeners:
            self._asked.put(None)
            if not is_done:
                listener.kill()
        for listener in self._listeners:
            listener.join()


class _Listener(threading.Thread):
    """Tells a process what to do and waits for its answers; a process that dies is replaced."""

    def __init__(self, task: bytes, asked: SimpleQueue[tuple[_Ticket, Batch[Any]] | None]) -> None:
        super().__init__(name="kilter-worker", daemon=True)
        self._task = task
        self._asked = asked
        self._is_over = False
        self._process, self._pipe = _started(task)
        self.start()

    def run(self) -> None:
        """Have one batch after another worked on, until there are no more."""
        while not self._is_over:
            asked = self._asked.get()
            if asked is None:
                break
            self._ask(*asked)
        self._pipe.close()  # the process ends when it has nobody to ask
        self._process.join()

    def _ask(self, ticket: _Ticket, batch: Batch[Any]) -> None:
        try:
            self._pipe.send(batch)
            ticket.set_result(self._pipe.recv())
        except (EOFError, OSError):
            if not self._is_over:
                self._process.kill()
                self._process.join()
                self._process, self._pipe = _started(self._task)
            ticket.set_exception(WorkerDied())
        except Exception as error:  # noqa: BLE001 - whoever asked is told
            ticket.set_exception(error)

    def kill(self) -> None:
        """End the process, whatever it is at."""
        self._is_over = True
        self._process.kill()


def _started(task: bytes) -> tuple[SpawnProcess, Connection[Any, Any]]:
    """Return a process that works on batches of a task, and the pipe to it."""
    # A fork of a process that has threads may wait for ever for a lock that one of them held.
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(task, theirs), daemon=True)
    process.start()
    theirs.close()  # so that the end of the process is the end of the pipe
    return process, ours


def _work(task: bytes, pipe: Connection[Any, Any]) -> None:
    """Answer with the outcome of each batch, as long as there is somebody who asks."""
    threading.Thread(target=_follow, daemon=True).start()
    loaded = cache(loads)  # what the process that started this one has packed

    def result(batch: Batch[Any]) -> Any:
        return loaded(task)(batch)

    with suppress(EOFError, OSError):
        while True:
            pipe.send(attempt(result, pipe.recv()))


def _follow() -> None:
    """Do not outlive whoever asks, not even while a batch is worked on."""
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Put an interrupt off; processes that are started meanwhile never see one.

    A terminal sends it to all of them, also while they load what they need, and it is for whoever started them. The
    tracker of multiprocessing, which spawning starts, would let interrupts through again: it is started before.
    """
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

"""Workers on this machine: threads, or processes that share nothing."""

from __future__ import annotations

import os
import signal
import threading
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache
from multiprocessing import connection, get_context, parent_process
from pickle import dumps, loads
from typing import TYPE_CHECKING, Any

from kilter.engine.engine import WorkerDied, WorkerPool
from kilter.engine.outcome import Outcome, attempt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from kilter.engine.batch import Batch

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
    """Processes of this machine, each with an interpreter of its own."""

    def begin(self, task: Callable[[Batch[Any]], Any]) -> None:
        """Start the processes."""
        self._task = dumps(task)
        self._processes = self._started()

    def _started(self) -> ProcessPoolExecutor:
        # A fork of a process that has threads may wait for ever for a lock that one of them held.
        return ProcessPoolExecutor(self.workers, get_context("spawn"), initializer=_prepare)

    def submit(self, batch: Batch[Any]) -> _Ticket:
        """Return the outcome that a process will have."""
        try:
            return self._processes.submit(_work, self._task, batch)
        except BrokenProcessPool as error:
            died: _Ticket = Future()
            died.set_exception(error)
            return died

    def outcome(self, ticket: _Ticket) -> Outcome[Any]:
        """Wait for a process."""
        try:
            return ticket.result()
        except BrokenProcessPool as error:
            raise WorkerDied from error

    def renew(self) -> bool:
        """Start processes anew: one that dies takes the others with it."""
        self._processes.shutdown()
        self._processes = self._started()
        return True

    def drop(self, tickets: Iterable[_Ticket]) -> None:
        """End the processes, each after the batch that it is at."""
        for ticket in tickets:
            ticket.cancel()
        self._processes.shutdown()


def _prepare() -> None:
    """Leave an interrupt to whoever asked, and do not outlive it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_follow, daemon=True).start()


def _follow() -> None:
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


@lru_cache(maxsize=1)
def _loaded(task: bytes) -> Any:
    return loads(task)  # noqa: S301 - by ourselves, from the process that started this one


def _work(task: bytes, batch: Batch[Any]) -> Outcome[Any]:
    return attempt(_loaded(task), batch)

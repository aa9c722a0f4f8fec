"""Workers on this machine: threads, or processes that share nothing."""

from __future__ import annotations

import os
import signal
import threading
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import lru_cache
from multiprocessing import connection, parent_process
from multiprocessing.context import SpawnContext, SpawnProcess
from pickle import dumps, loads
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from kilter.engine.engine import WorkerDied, WorkerPool
from kilter.engine.outcome import Outcome, attempt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

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
        self._tickets: WeakSet[_Ticket] = WeakSet()
        self._ending = _Ending()
        self._start()

    def _start(self) -> None:
        # A fork of a process that has threads may wait for ever for a lock that one of them held.
        self._context = _Spawning()
        with _uninterrupted():
            self._processes = ProcessPoolExecutor(self.workers, self._context, initializer=_prepare)

    def submit(self, batch: Batch[Any]) -> _Ticket:
        """Return the outcome that a process will have."""
        try:
            with _uninterrupted():  # the first time, processes are started
                ticket = self._processes.submit(_work, self._task, batch)
                self._tickets.add(ticket)
                return ticket
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
        self._start()
        return True

    def drop(self, tickets: Iterable[_Ticket]) -> None:  # noqa: ARG002 - nobody may have got one yet
        """End the processes, at once if they are at something that nobody asks for."""
        if not all(ticket.done() for ticket in self._tickets):
            self._context.kill()
        self._processes.shutdown()
        self._ending.forget()


class _Spawning(SpawnContext):
    """Starts processes, and knows them."""

    def __init__(self) -> None:
        super().__init__()
        self._started: list[SpawnProcess] = []

    def Process(self, *arguments: Any, **others: Any) -> SpawnProcess:  # type: ignore[override] # noqa: N802 - of Python
        """Return a process that is not started yet."""
        made = SpawnProcess(*arguments, **others)
        self._started.append(made)
        return made

    def kill(self) -> None:
        """End all processes, whatever they are at."""
        for each in self._started:
            if each.is_alive():
                each.kill()


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Put an interrupt off; processes that are started meanwhile never see one.

    A terminal sends it to all of them, also while they load what they need, and it is for whoever started them.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Ending:
    """Lets signals that end a process end it in order, so that what its workers share is removed."""

    def __init__(self) -> None:
        self._before = {}
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGTERM, signal.SIGHUP):
                if signal.getsignal(number) is signal.SIG_DFL:
                    self._before[number] = signal.signal(number, self._end)

    @staticmethod
    def _end(number: int, _frame: object) -> None:
        raise SystemExit(128 + number)

    def forget(self) -> None:
        """Leave signals to what they did before."""
        for number, before in self._before.items():
            signal.signal(number, before)


def _prepare() -> None:
    """Do not outlive whoever asked."""
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

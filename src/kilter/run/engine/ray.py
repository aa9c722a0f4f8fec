"""Workers of Ray: on this machine, or on all machines of a cluster."""

from __future__ import annotations

import logging
import os
import socket
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from kilter import __version__
from kilter.core.errors import InputError, MissingToolError
from kilter.run.engine.engine import Outcome, WorkerDied, WorkerPool, attempt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from kilter.run.engine.engine import Batch

_QUIET = {
    # Ray reports its use over the network unless it is told not to.
    "RAY_USAGE_STATS_ENABLED": "0",
    # Messages about workers would go to standard output, where results go.
    "RAY_DEDUP_LOGS": "1",
    "RAY_DEDUP_LOGS_SKIP_REGEX": ".",
}
"""What Ray looks at when it is imported."""
_ALONE = {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0"}
"""Has a Ray that is one machine listen to that machine alone, as it does by itself elsewhere than on Linux."""
_PATIENCE = 20
"""Seconds for a cluster to answer at its address."""


class RayEngine(WorkerPool[Any]):
    """Tasks of Ray, one processor each; batches and results travel through its object store.

    This process keeps every batch until its result is here, so that nothing is lost with a worker or with
    a machine.
    """

    def __init__(self, address: str | None = None, workers: int | None = None) -> None:
        if find_spec("ray") is None:
            raise MissingToolError("--engine ray", install="pip install 'kilter[ray]'")
        super().__init__(workers or 1)
        self._wanted = workers
        self.address = address or os.environ.get("RAY_ADDRESS") or "local"
        self._started = False

    def begin(self, task: Callable[[Batch[Any]], Any]) -> None:
        """Start or join Ray, and hand it the task."""
        os.environ.update(_QUIET | _ALONE if self.address == "local" else _QUIET)
        import ray

        if not ray.is_initialized():
            self._join()
        self._count()
        self._task = ray.put(task)
        # A batch is repeated from here, as with any other engine, and not by Ray as well.
        self._work = ray.remote(num_cpus=1, max_retries=0)(_work)
        self._running: list[Any] = []

    def _count(self) -> None:
        """Take every processor that the cluster has now, unless somebody said how many."""
        import ray

        if self._wanted is None:
            self.workers = max(1, int(ray.cluster_resources().get("CPU", 1)))
            self.ahead = 2 * self.workers

    def _join(self) -> None:
        import ray

        own = self.address == "local"
        # Only a Ray of our own is told how many processors it has.
        settings = {"num_cpus": self._wanted, "include_dashboard": False} if own else {}
        try:
            address = _found() if self.address == "auto" else self.address
            _knock(address)
            ray.init(
                address,
                logging_level=logging.ERROR,
                log_to_driver=False,
                **settings,
            )
        except Exception as error:  # Ray raises plain ones, too, where it takes too long to start
            fault = "Ray does not start" if own else "no Ray answers there"
            remedy = (
                "try again when the machine is less busy, or leave --engine out"
                if own
                else "`ray status` says whether one runs"
            )
            raise InputError(f"{fault}: {_line(error)}; {remedy}", where=self.address) from error
        self._started = True

    def submit(self, batch: Batch[Any]) -> Any:
        """Return the reference of an outcome; waits while all workers have something to do."""
        import ray

        while len(self._running) >= self.workers + 1:
            _, self._running = ray.wait(self._running, fetch_local=False)
            self._count()  # machines may have joined, or left
        ticket = self._work.remote(__version__, self._task, ray.put(batch))
        self._running.append(ticket)
        return ticket

    def outcome(self, ticket: Any) -> Outcome[Any]:
        """Wait for a task of Ray."""
        import ray

        try:
            found: Outcome[Any] = ray.get(ticket)
        except (
            ray.exceptions.WorkerCrashedError,
            ray.exceptions.OutOfMemoryError,
            ray.exceptions.NodeDiedError,
            ray.exceptions.ObjectLostError,
        ) as error:
            raise WorkerDied from error
        except ray.exceptions.RayError as error:
            raise InputError(
                f"Ray gave up: {_line(error)}; every machine needs kilter {__version__} and the same "
                "plugins",
                where=self.address,
            ) from error
        return found

    def renew(self) -> bool:
        """Do nothing: Ray starts workers itself, and each batch is by itself."""
        return False

    def drop(self, tickets: Iterable[Any]) -> None:
        """Forget outcomes."""
        import ray

        for ticket in tickets:
            ray.cancel(ticket, force=False)
        self._running.clear()

    def close(self) -> None:
        """Leave Ray, which ends it if it was started here."""
        if self._started:
            import ray

            ray.shutdown()
            self._started = False


def _found() -> str:
    """Return the address of the Ray that runs on this machine; a `ConnectionError` if none does.

    Ray would look for it by itself, but then wait for minutes for one that is gone, or that listens to
    nobody but whoever started it.
    """
    try:
        from ray._private.services import canonicalize_bootstrap_address_or_die as found
    except ImportError:  # of a version that has moved it: Ray itself looks, and waits
        return "auto"
    return str(found("auto"))


def _knock(address: str) -> None:
    """Raise an `OSError` if nobody listens there: Ray would try for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdecimal():
        socket.create_connection((host, int(port)), timeout=_PATIENCE).close()


def _line(error: Exception) -> str:
    """Return the first line of a message."""
    return next(iter(str(error).strip().splitlines()), type(error).__name__)


def _work(version: str, task: Callable[[Batch[Any]], Any], batch: Batch[Any]) -> Outcome[Any]:
    if version != __version__:
        return Outcome(
            error=InputError(
                f"a machine of the cluster has kilter {__version__}, and this one {version}; install the "
                "same on all"
            )
        )
    return attempt(task, batch)

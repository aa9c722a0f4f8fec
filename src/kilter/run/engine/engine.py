"""Where batches are worked on: results come in the order of batches, and few are in flight."""

from __future__ import annotations

import traceback
import warnings
from abc import ABC, abstractmethod
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

from kilter.core.errors import InputError, KilterError, KilterWarning

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable
    from types import TracebackType

Given = TypeVar("Given")
Result = TypeVar("Result")
Ticket = TypeVar("Ticket")

ATTEMPTS = 3
"""How often a batch is tried whose worker is killed, or fails for no fault of the data."""


class Engine(ABC):
    """Works on batches, one after another or several at once; a context, which ends its workers."""

    @abstractmethod
    def map(
        self, task: Callable[[Batch[Given]], Result], batches: Iterable[Batch[Given]]
    ) -> Generator[Result, None, None]:
        """Yield what a task makes of each batch, in their order.

        Batches are taken from their iterator only as results are taken from this one. The first error, of
        a batch or of the iterator, is raised after the results of all batches before it.
        """

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:  # noqa: B027 - most engines have nothing left to end
        """End what was started; the engine is not used any more."""


class InProcess(Engine):
    """Works in this process, on one batch at a time."""

    def map(
        self, task: Callable[[Batch[Given]], Result], batches: Iterable[Batch[Given]]
    ) -> Generator[Result, None, None]:
        """Yield what a task makes of each batch."""
        for batch in batches:
            yield task(batch)


class WorkerDied(Exception):  # noqa: N818 - it is no error as long as others are left
    """The worker of a batch is gone, and what it was doing with it."""


class Flight(Generic[Ticket]):
    """A batch that somebody works on."""

    def __init__(self, batch: Batch[Any], ticket: Ticket) -> None:
        self.batch = batch
        self.ticket = ticket
        self.attempts = 1


class WorkerPool(Engine, Generic[Ticket]):
    """Works on several batches at once, and gives those of a killed worker to another one."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        # One for each worker, and one that is ready when a worker is done.
        self.ahead = 2 * workers

    @abstractmethod
    def begin(self, task: Callable[[Batch[Any]], Any]) -> None:
        """Get ready for batches of a task."""

    @abstractmethod
    def submit(self, batch: Batch[Any]) -> Ticket:
        """Return a ticket for the outcome of a batch."""

    @abstractmethod
    def outcome(self, ticket: Ticket) -> Outcome[Any]:
        """Wait for an outcome; raises `WorkerDied`."""

    @abstractmethod
    def renew(self) -> bool:
        """Replace workers that died; return whether whatever was in flight is lost."""

    @abstractmethod
    def drop(self, tickets: Iterable[Ticket]) -> None:
        """Forget outcomes that nobody asks for any more."""

    def map(
        self, task: Callable[[Batch[Given]], Result], batches: Iterable[Batch[Given]]
    ) -> Generator[Result, None, None]:
        """Yield what a task makes of each batch."""
        self.begin(task)
        flights: deque[Flight[Ticket]] = deque()
        incoming = iter(batches)
        late: Exception | None = None
        try:
            while True:
                while late is None and len(flights) < self.ahead:
                    try:
                        batch = next(incoming)
                    except StopIteration:
                        break
                    except Exception as error:  # noqa: BLE001 - raised when its turn comes
                        late = error
                    else:
                        flights.append(Flight(batch, self.submit(batch)))
                if not flights:
                    break
                yield self._landed(flights)
            if late is not None:
                raise late
        finally:
            self.drop(flight.ticket for flight in flights)

    def _landed(self, flights: deque[Flight[Ticket]]) -> Any:
        """Wait for the first of the flights, remove it and return its result."""
        first = flights[0]
        while True:
            try:
                found = self.outcome(first.ticket)
            except WorkerDied:
                self._again(flights)
                continue
            if found.fault is None or first.attempts >= ATTEMPTS:
                flights.popleft()
                return found.told()
            first.attempts += 1
            first.ticket = self.submit(first.batch)

    def _again(self, flights: deque[Flight[Ticket]]) -> None:
        """Give batches of workers that died to others; an `InputError` if one kills all it is given to."""
        first, *others = flights
        if first.attempts >= ATTEMPTS:
            raise InputError(
                f"{first.batch.place}: the worker was killed {ATTEMPTS} times, as it is where memory does "
                "not suffice; use fewer workers"
            )
        first.attempts += 1
        warnings.warn(
            f"{first.batch.place}: the worker was killed; another one begins anew",
            KilterWarning,
            stacklevel=2,
        )
        everything = self.renew()
        first.ticket = self.submit(first.batch)
        if not everything:
            return
        if first.attempts == ATTEMPTS:
            # Alone, so that it does not answer for another batch.
            try:
                self.outcome(first.ticket)
            except WorkerDied:
                return
        for flight in others:
            flight.ticket = self.submit(flight.batch)


Data = TypeVar("Data")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Batch(Generic[Data]):
    """Some rows of an input, and which they are.

    How an input is cut into batches depends on the input alone, never on who works on them: that is what
    makes outputs the same everywhere, and what lets a run go on after another.
    """

    data: Data
    first: int
    """The number of the first row, from 1."""
    rows: int
    share: float | None = None
    """How much of the input is read with this batch, up to 1; None where nobody knows."""

    @property
    def place(self) -> str:
        """The rows as messages name them.

        >>> Batch(data=None, first=5, rows=4).place, Batch(data=None, first=5, rows=1).place
        ('rows 5 to 8', 'row 5')
        """
        if self.rows == 1:
            return f"row {self.first}"
        return f"rows {self.first} to {self.first + self.rows - 1}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outcome(Generic[Result]):
    """A result, or the error that there is none for; it travels from a worker to whoever asked."""

    result: Result | None = None
    error: KilterError | None = None
    """About data or options: it would be the same in any other attempt."""
    fault: str | None = None
    """The traceback of any other exception, which may be the machine's fault."""
    warned: tuple[tuple[str, type[Warning]], ...] = ()

    def told(self) -> Result:
        """Issue the warnings, and return the result or raise the error."""
        for text, category in self.warned:
            warnings.warn(text, category, stacklevel=2)
        if self.error is not None:
            raise self.error
        if self.fault is not None:
            raise RuntimeError(f"a worker failed:\n{self.fault}")
        return self.result  # type: ignore[return-value]


def attempt(
    task: Callable[[Batch[Any]], Result], batch: Batch[Any], *, listen: bool = True
) -> Outcome[Result]:
    """Return what becomes of a batch; never raises.

    Warnings are collected unless nobody listens: collecting them is for a process that does nothing else.
    """
    if not listen:
        return _attempt(task, batch)
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        found = _attempt(task, batch)
    told = tuple((str(each.message), each.category) for each in heard)
    return Outcome(result=found.result, error=found.error, fault=found.fault, warned=told)


def _attempt(task: Callable[[Batch[Any]], Result], batch: Batch[Any]) -> Outcome[Result]:
    try:
        return Outcome(result=task(batch))
    except KilterError as error:
        return Outcome(error=error)
    except Exception:  # noqa: BLE001 - whoever asked decides what becomes of it
        return Outcome(fault=traceback.format_exc())

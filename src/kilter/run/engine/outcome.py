"""What became of a batch in a worker: a result or an error, with the warnings on the way."""

from __future__ import annotations

import traceback
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from kilter.core.errors import KilterError

if TYPE_CHECKING:
    from collections.abc import Callable

    from kilter.run.engine.batch import Batch

Result = TypeVar("Result")


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

"""What is loaded once and serves all threads of a process."""

from __future__ import annotations

import os
from functools import lru_cache, update_wrapper
from threading import RLock
from typing import TYPE_CHECKING, Generic, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

Parameters = ParamSpec("Parameters")
Found = TypeVar("Found")


class ProcessLock:
    """A lock among the threads of one process, for the life of a module.

    A child that is forked while another thread holds the lock gets a free one: that thread does not
    exist in the child and would never let go.
    """

    def __init__(self) -> None:
        self._lock = RLock()
        os.register_at_fork(after_in_child=self._renew)

    def _renew(self) -> None:
        self._lock = RLock()

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._lock.release()


class ForkLock:
    """A lock among the threads of one process that a fork waits for: no child begins in the midst of what it guards."""

    def __init__(self) -> None:
        self._lock = RLock()
        release = self._lock.release
        os.register_at_fork(
            before=self._lock.acquire, after_in_parent=release, after_in_child=release
        )

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._lock.release()


MATRIX_PRODUCTS = ForkLock()
"""Held while numpy multiplies matrices in several threads: the locks of OpenBLAS would stay closed in a child."""

ARRAY_FILES = ProcessLock()
"""Held while numpy reads arrays from a file: of two threads that compile the texts of their headers at once, Python
3.11 may end one with a SystemError."""


class LoadedOnce(Generic[Parameters, Found]):
    """A function that keeps its last results and computes one at a time.

    Threads that ask for the same at once wait for the first of them, so that a model is not in memory as
    often as there are threads.
    """

    def __init__(self, load: Callable[Parameters, Found], most: int) -> None:
        self._kept = lru_cache(maxsize=most)(load)
        self._lock = ProcessLock()
        self.cache_clear = self._kept.cache_clear
        update_wrapper(self, load)

    def __call__(self, *args: Parameters.args, **kwargs: Parameters.kwargs) -> Found:
        """Return what the function returns for these arguments."""
        with self._lock:
            return self._kept(*args, **kwargs)  # type: ignore[arg-type]


def loaded_once(
    most: int,
) -> Callable[[Callable[Parameters, Found]], LoadedOnce[Parameters, Found]]:
    """Return a decorator that makes a `LoadedOnce` of a function.

    >>> loaded = []
    >>> @loaded_once(2)
    ... def load(name):
    ...     loaded.append(name)
    ...     return name.upper()
    >>> load("a"), load("a"), loaded
    ('A', 'A', ['a'])
    """
    return lambda load: LoadedOnce(load, most)

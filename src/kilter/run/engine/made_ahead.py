"""What comes next is made by a thread of its own while the last one is worked on."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from concurrent.futures import ThreadPoolExecutor

Item = TypeVar("Item")


@contextmanager
def made_ahead(items: Iterator[Item]) -> Generator[Iterator[Item]]:
    """Yield items, each of which is made while whoever takes them is at the one before it.

    No more than one is waiting. An error reaches whoever asks for the item in its place, and at the end, early
    or not, the thread is done with the one that it is at.
    """
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="kilter-reader") as thread:
        yield _taken(items, thread)


def _taken(items: Iterator[Any], thread: ThreadPoolExecutor) -> Iterator[Any]:
    end = object()
    waiting = thread.submit(next, items, end)
    while True:
        found = waiting.result()
        if found is end:
            return
        waiting = thread.submit(next, items, end)
        yield found

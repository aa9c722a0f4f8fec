"""An interrupt from the keyboard, which Python raises wherever it is, and loses in some places."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

_heard: list[int] = []


def listen() -> None:
    """Remember interrupts of this process from now on, unless whoever started it wants none."""
    _heard.clear()
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupted)


def _interrupted(number: int, _: FrameType | None) -> None:
    _heard.append(number)
    raise KeyboardInterrupt


def was_heard() -> bool:
    """Return whether there was an interrupt, whatever became of it."""
    return bool(_heard)


def heed() -> None:
    """Raise an interrupt once more that was lost: where it came while a weak reference was cleared away, say."""
    if _heard:
        raise KeyboardInterrupt


@contextmanager
def put_off() -> Iterator[None]:
    """Let an interrupt wait until this is over, so that what belongs together is done together."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

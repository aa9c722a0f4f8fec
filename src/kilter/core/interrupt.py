"""An interrupt from the keyboard, which Python raises wherever it is, and loses in some places."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

_pending: list[int] = []


def listen() -> None:
    """Remember interrupts of this process from now on, unless whoever started it wants none."""
    _pending.clear()
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupted)


def _interrupted(number: int, _: FrameType | None) -> None:
    _pending.append(number)
    raise KeyboardInterrupt


def pending() -> bool:
    """Return whether there was an interrupt, whatever became of it."""
    return bool(_pending)


def raise_if_pending() -> None:
    """Raise an interrupt once more that was lost: where it came while a weak reference was cleared away, say."""
    if _pending:
        raise KeyboardInterrupt


@contextmanager
def deferred() -> Iterator[None]:
    """Let an interrupt wait until this is over, so that what belongs together is done together.

    Not by masking the signal, which another thread would then receive for the one that Python raises it in.
    """
    usual = signal.getsignal(signal.SIGINT)
    ours = threading.current_thread() is threading.main_thread()
    if not ours or usual not in (signal.default_int_handler, _interrupted):
        yield
        return
    came: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
        if came:
            _pending.extend(came if usual is _interrupted else ())
            raise KeyboardInterrupt

"""Several processes that serve one study, started, started again and ended by another."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from kilter.core.errors import KilterError
from kilter.study.store.fault import fault
from kilter.study.web.log import LOG

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

_SHORT_SECONDS = 5.0  # a process that ends sooner has hardly begun
_MOST_FAILED = 10  # starts, one after the other, before the server gives up
_LONGEST_PAUSE = 10.0
_SIGNALS = (signal.SIGTERM, signal.SIGINT)


class Workers:
    """Processes that do the same work, each with a number from 0."""

    def __init__(self, count: int, work: Callable[[int], None]) -> None:
        self._count = count
        self._work = work
        self._numbers: dict[int, int] = {}
        self._began: dict[int, float] = {}
        self._short = [0] * count  # how often in a row each has ended soon
        self._is_ending = False
        # Nothing is ever written: that it ends tells processes that this one is gone.
        self._alive, self._held = os.pipe()

    def run(self) -> int:
        """Keep the processes running until a signal ends them, and return an exit code.

        One that ends soon after its start, such as one that is killed, is started again after a pause. Only if all of
        them fail to start, by an error of their own, the server ends.
        """
        before = {number: signal.signal(number, self._end) for number in _SIGNALS}
        failed = 0
        try:
            for number in range(self._count):
                self._start(number)
            while self._numbers:
                pid, status = os.wait()
                number, lived = self._numbers.pop(pid), time.monotonic() - self._began.pop(pid)
                if self._is_ending:
                    continue
                is_short = lived < _SHORT_SECONDS
                self._short[number] = self._short[number] + 1 if is_short else 0
                code = os.waitstatus_to_exitcode(status)
                failed = failed + 1 if is_short and code > 0 and not self._has_served() else 0
                if failed > _MOST_FAILED:
                    LOG.error(
                        "process %d ended with %d; no process can start; the server ends. The lines above say why",
                        number,
                        code,
                    )
                    self._end(signal.SIGTERM, None)
                    continue
                LOG.error("process %d ended with %d; another one takes its place", number, code)
                self._start(number)
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
            os.close(self._alive)
            os.close(self._held)
        return 1 if failed > _MOST_FAILED else 0

    def _has_served(self) -> bool:
        """Return whether a process runs for so long that it must have begun to serve."""
        return any(time.monotonic() - began >= _SHORT_SECONDS for began in self._began.values())

    def _start(self, number: int) -> None:
        pause = pause_before(self._short[number])
        pid = os.fork()
        if pid == 0:
            self._live(number, pause)
        self._numbers[pid], self._began[pid] = number, time.monotonic() + pause
        if self._is_ending:  # while it was forked
            os.kill(pid, signal.SIGTERM)

    def _live(self, number: int, pause: float) -> None:
        """Do the work in a new process, after a pause; the process ends here."""
        code = 1
        try:
            for each in _SIGNALS:
                signal.signal(each, signal.SIG_DFL)
            os.close(self._held)
            threading.Thread(target=self._outlive_nobody, daemon=True).start()
            time.sleep(pause)
            self._work(number)
            code = 0
        except KilterError as error:
            LOG.error("process %d: %s", number, error)
        except BaseException as error:  # noqa: BLE001 - nothing of the parent may run here
            LOG.error("process %d: %s", number, fault(error))
        finally:
            sys.stderr.flush()
            os._exit(code)

    def _outlive_nobody(self) -> None:
        os.read(self._alive, 1)
        os.kill(os.getpid(), signal.SIGTERM)

    def _end(self, number: int, _frame: FrameType | None) -> None:
        self._is_ending = True
        for pid in self._numbers:
            with suppress(ProcessLookupError):
                os.kill(pid, number)


def pause_before(short: int) -> float:
    """Return after how many seconds a process is started again that has ended soon so often in a row.

    >>> [pause_before(short) for short in (0, 1, 2, 5, 100)]
    [0.0, 0.1, 0.2, 1.6, 10.0]
    """
    return min(0.1 * 2 ** min(short - 1, 10), _LONGEST_PAUSE) if short else 0.0

"""Several processes that serve one study, started, started again and ended by another."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from kilter.survey.store.fault import fault
from kilter.survey.web.log import LOG

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

_SHORT_SECONDS = 5.0  # a process that ends sooner has hardly begun
_MOST_SHORT = 10
_SIGNALS = (signal.SIGTERM, signal.SIGINT)


class Workers:
    """Processes that do the same work, each with a number from 0."""

    def __init__(self, count: int, work: Callable[[int], None]) -> None:
        self._count = count
        self._work = work
        self._numbers: dict[int, int] = {}
        self._began: dict[int, float] = {}
        self._is_ending = False
        # Nothing is ever written: that it ends tells processes that this one is gone.
        self._alive, self._held = os.pipe()

    def run(self) -> int:
        """Keep the processes running until a signal ends them, and return an exit code."""
        before = {number: signal.signal(number, self._end) for number in _SIGNALS}
        short = 0
        try:
            for number in range(self._count):
                self._start(number)
            while self._numbers:
                pid, status = os.wait()
                number, lived = self._numbers.pop(pid), time.monotonic() - self._began.pop(pid)
                if self._is_ending:
                    continue
                short += lived < _SHORT_SECONDS
                code = os.waitstatus_to_exitcode(status)
                if short > _MOST_SHORT:
                    LOG.error(
                        "process %d ended with %d, as others before; the server ends", number, code
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
        return 1 if short > _MOST_SHORT else 0

    def _start(self, number: int) -> None:
        pid = os.fork()
        if pid == 0:
            self._live(number)
        self._numbers[pid], self._began[pid] = number, time.monotonic()
        if self._is_ending:  # while it was forked
            os.kill(pid, signal.SIGTERM)

    def _live(self, number: int) -> None:
        """Do the work in a new process, which ends here."""
        code = 1
        try:
            for each in _SIGNALS:
                signal.signal(each, signal.SIG_DFL)
            os.close(self._held)
            threading.Thread(target=self._outlive_nobody, daemon=True).start()
            self._work(number)
            code = 0
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

"""Numbers of requests, counted by every process of a server and added up by whichever is asked."""

from __future__ import annotations

import mmap

_BYTES = 8
STATUSES = ("1xx", "2xx", "3xx", "4xx", "5xx")
_BUG = len(STATUSES)
_COLUMNS = len(STATUSES) + 1


class Tally:
    """Counts in memory that processes share: one row for each, which nobody else writes.

    It must be made before processes are forked, and each of them takes its `row`.
    """

    def __init__(self, processes: int = 1) -> None:
        self.processes = processes
        self._counts = memoryview(mmap.mmap(-1, processes * _COLUMNS * _BYTES)).cast("q")
        self._row = 0

    def take_row(self, row: int) -> None:
        """Count in this row from now on."""
        self._row = row * _COLUMNS

    def count_response(self, status: int) -> None:
        """Count a response with its status."""
        self._counts[self._row + status // 100 - 1] += 1

    def count_bug(self) -> None:
        """Count an error that no page had expected."""
        self._counts[self._row + _BUG] += 1

    def responses(self) -> dict[str, int]:
        """Return how many responses of each kind all processes have sent."""
        return {status: self._total(column) for column, status in enumerate(STATUSES)}

    def bugs(self) -> int:
        """Return how many errors there were in all processes."""
        return self._total(_BUG)

    def _total(self, column: int) -> int:
        return sum(self._counts[column::_COLUMNS])

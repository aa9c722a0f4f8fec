"""How many responses of each kind a server has sent, over all of its processes and starts."""

from __future__ import annotations

import threading
from collections import Counter
from typing import TYPE_CHECKING

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert as postgresql_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert

from kilter.study.store.model import REQUEST_COUNT

if TYPE_CHECKING:
    from kilter.study.store.database import Database

STATUSES = ("1xx", "2xx", "3xx", "4xx", "5xx")
_ERRORS = "errors"


class RequestCounters:
    """Counts of this process, added to those in the database whenever `flush` is called."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._counts: Counter[str] = Counter()

    def count_response(self, status: int) -> None:
        """Count a response with its status."""
        self._count(STATUSES[status // 100 - 1])

    def count_error(self) -> None:
        """Count an error that no page had expected."""
        self._count(_ERRORS)

    def _count(self, name: str) -> None:
        with self._lock:
            self._counts[name] += 1

    def flush(self) -> None:
        """Add what was counted since the last time to the database."""
        with self._lock:
            counts, self._counts = self._counts, Counter()
        try:
            self._add(counts)
        except BaseException:
            with self._lock:
                self._counts += counts
            raise

    def _add(self, counts: Counter[str]) -> None:
        if not counts:
            return
        insert = sqlite_insert if self._database.is_sqlite else postgresql_insert
        with self._database.writing() as connection:
            for name, number in sorted(
                counts.items()
            ):  # in one order, so that none waits for another
                new = insert(REQUEST_COUNT).values(name=name, number=number)
                total = REQUEST_COUNT.c.number + new.excluded.number
                connection.execute(
                    new.on_conflict_do_update(index_elements=["name"], set_={"number": total})
                )

    def totals(self) -> tuple[dict[str, int], int]:
        """Return the numbers of responses by status, and of errors, of all processes."""
        self.flush()
        with self._database.reading() as connection:
            rows = connection.execute(select(REQUEST_COUNT)).all()
        totals = {row.name: row.number for row in rows}
        return {status: totals.get(status, 0) for status in STATUSES}, totals.get(_ERRORS, 0)

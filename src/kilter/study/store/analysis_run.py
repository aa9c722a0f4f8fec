"""The analysis of a study so far: made by one process at a time, shown by all, gone with whoever withdraws."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import delete, select, update

from kilter.study.store.model import ANALYSIS_FILE, ANALYSIS_RUN

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Connection

    from kilter.study.store.database import Database

LONGEST_SECONDS = 3600.0
"""A run that has not ended by then is taken for lost, and another may begin."""


@dataclass(frozen=True, slots=True)
class AnalysisRun:
    """One run: when it began and ended, in seconds since 1970, and why there is no result, if so."""

    began_at: float
    ended_at: float | None
    problem: str | None

    @property
    def is_running(self) -> bool:
        """Whether it may still come to an end."""
        return self.ended_at is None and self.began_at > time.time() - LONGEST_SECONDS


class AnalysisTable:
    """The last analysis of one study; safe to use from many threads and processes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def begin(self) -> float | None:
        """Return what names a new run, the time of its beginning; None if one is running."""
        now = time.time()
        with self._database.writing() as connection:
            self._database.lock(connection, "analysis")
            run = _run(connection)
            if run is not None and run.is_running:
                return None
            connection.execute(delete(ANALYSIS_RUN))
            connection.execute(ANALYSIS_RUN.insert().values(id=1, began_at=now))
        return now

    def finish(self, began_at: float, files: Mapping[str, bytes]) -> bool:
        """Keep the files of a run by their paths; return whether that was the one that is waited for.

        It is not if somebody has withdrawn since it began: their answers are in these files.
        """
        with self._database.writing() as connection:
            if not _end(connection, began_at):
                return False
            connection.execute(delete(ANALYSIS_FILE))
            rows = [{"path": path, "content": content} for path, content in files.items()]
            connection.execute(ANALYSIS_FILE.insert(), rows)
        return True

    def fail(self, began_at: float, problem: str) -> None:
        """Say why a run has no result; what ended before stays as it is."""
        with self._database.writing() as connection:
            _end(connection, began_at, problem)

    def last(self) -> AnalysisRun | None:
        """Return the last run, if there was any since somebody has withdrawn."""
        with self._database.reading() as connection:
            return _run(connection)

    def file(self, path: str) -> bytes | None:
        """Return a file of the last run that has a result."""
        wanted = select(ANALYSIS_FILE.c.content).where(ANALYSIS_FILE.c.path == path)
        with self._database.reading() as connection:
            content: bytes | None = connection.execute(wanted).scalar()
        return content


def forget_analysis(connection: Connection) -> None:
    """Remove the analysis: it was made of answers that are no longer there."""
    connection.execute(delete(ANALYSIS_RUN))
    connection.execute(delete(ANALYSIS_FILE))


def _run(connection: Connection) -> AnalysisRun | None:
    row = connection.execute(select(ANALYSIS_RUN)).first()
    return None if row is None else AnalysisRun(row.began_at, row.ended_at, row.problem)


def _end(connection: Connection, began_at: float, problem: str | None = None) -> bool:
    own = (ANALYSIS_RUN.c.began_at == began_at) & ANALYSIS_RUN.c.ended_at.is_(None)
    ended = update(ANALYSIS_RUN).where(own).values(ended_at=time.time(), problem=problem)
    return connection.execute(ended).rowcount == 1

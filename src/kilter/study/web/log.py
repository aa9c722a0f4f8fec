"""The server's log: one line for a request or an error, and nothing that a participant has said."""

from __future__ import annotations

import logging

from kilter.study.store.fault import fault

LOG = logging.getLogger("kilter.survey")
_OWN = ("kilter", "uvicorn")


class PrivateFormatter(logging.Formatter):
    """Writes records as one line each; errors as their class and place.

    What other libraries fill into their messages may be data: of those the template alone is written.
    """

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record."""
        is_own = record.name.partition(".")[0] in _OWN
        said = record.getMessage() if is_own else str(record.msg)
        if isinstance(record.msg, BaseException) and not is_own:
            said = fault(record.msg)
        if record.exc_info and record.exc_info[1] is not None:
            said = f"{said.strip()}: {fault(record.exc_info[1])}"
        name = "" if is_own else f"{record.name}: "
        return f"{self.formatTime(record)} {name}{' '.join(said.split())}"


def write_log() -> None:
    """Write everything that is logged in this process to standard error, by `PrivateFormatter` alone."""
    handler = logging.StreamHandler()
    handler.setFormatter(PrivateFormatter())
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.INFO)
    # Lines name neither, and to find them out takes as long as to write a line.
    logging.logThreads = logging.logProcesses = False
    for name in ("sqlalchemy", "alembic", "psycopg", "asyncio", "uvicorn"):
        logging.getLogger(name).setLevel(logging.WARNING)

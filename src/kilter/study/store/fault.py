"""What may be written down about an error: its class and place, never what it says."""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import exc

import kilter

if TYPE_CHECKING:
    from collections.abc import Iterator

_PACKAGE = Path(kilter.__file__).parent
_PASSING_NAMES = (
    "SQLITE_FULL",
    "SQLITE_BUSY",
    "SQLITE_LOCKED",
    "SQLITE_IOERR",
    "SQLITE_READONLY",
    "SQLITE_CANTOPEN",
)
# Lost connections, a database that can only be read, deadlocks, no resources, locks, limits of time, the server's end.
_PASSING_STATES = ("08", "25006", "40", "53", "55P03", "57014", "57P")


def fault(error: BaseException) -> str:
    """Return one line about an error: its class, the database's code for it, our functions on the way to it.

    The message stays out, whoever wrote it: a statement's parameters and PostgreSQL's details of a row are
    what participants said about themselves.

    >>> try:
    ...     int("Atlantean")
    ... except ValueError as error:
    ...     fault(error)
    'ValueError'
    """
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    place = ", ".join(_places(error))
    return f"{fault_kind(error)} in {place}" if place else fault_kind(error)


def fault_kind(error: BaseException) -> str:
    """Return the class of an error, and the one of the database below it with its code."""
    said = _class(error)
    original = getattr(error, "orig", None)
    if isinstance(original, BaseException):
        said += f" ({', '.join([_class(original), *_codes(original)])})"
    return said


def is_passing(error: BaseException) -> bool:
    """Return whether a database has no room, is busy, cannot be written or is gone: what failed now may succeed later.

    If there is no code, nobody was there to give one.
    """
    original = getattr(error, "orig", None)
    name = getattr(original, "sqlite_errorname", None)
    if name is not None:
        return str(name).startswith(_PASSING_NAMES)
    state = getattr(original, "sqlstate", None)
    if state is not None:
        return str(state).startswith(_PASSING_STATES)
    return isinstance(error, (exc.OperationalError, exc.TimeoutError))


def _class(error: BaseException) -> str:
    kind = type(error)
    return (
        kind.__qualname__
        if kind.__module__ == "builtins"
        else f"{kind.__module__}.{kind.__qualname__}"
    )


def _codes(error: BaseException) -> Iterator[str]:
    """Yield what PostgreSQL or SQLite calls an error: five characters, or a constant's name."""
    for name in ("sqlstate", "sqlite_errorname"):
        code = getattr(error, name, None)
        if code is not None:
            yield f"sqlstate {code}" if name == "sqlstate" else str(code)


def _places(error: BaseException) -> Iterator[str]:
    for frame in traceback.extract_tb(error.__traceback__):
        file = Path(frame.filename)
        if file.is_relative_to(_PACKAGE):
            yield f"{file.relative_to(_PACKAGE).as_posix()}:{frame.lineno} {frame.name}"

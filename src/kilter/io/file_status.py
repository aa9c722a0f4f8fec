"""What there is under the name of a file, asked before it is read."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from kilter.core.errors import InputError
from kilter.io.file_name import unopenable

# Nothing there; a file where a folder on the way should be; a link that leads to itself.
_NOTHING = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP})


def exists(path: str | os.PathLike[str]) -> bool:
    """Return whether there is anything of this name; see `file_status`."""
    return file_status(path) is not None


def is_file(path: str | os.PathLike[str]) -> bool:
    """Return whether there is a regular file of this name; see `file_status`."""
    status = file_status(path)
    return status is not None and stat.S_ISREG(status.st_mode)


def is_folder(path: str | os.PathLike[str]) -> bool:
    """Return whether there is a folder of this name; see `file_status`."""
    status = file_status(path)
    return status is not None and stat.S_ISDIR(status.st_mode)


def file_status(path: str | os.PathLike[str]) -> os.stat_result | None:
    """Return what the operating system knows of a file, or None where there is none.

    A name that it does not take, such as a sentence where a file belongs, or a way that is locked is an
    `InputError`: what is there cannot be told.
    """
    name = os.fspath(path)
    fault = unopenable(name)
    if fault is not None:
        raise InputError(f"cannot be opened: {fault}", where=name)
    try:
        return Path(path).stat()
    except OSError as error:
        if error.errno in _NOTHING:
            return None
        raise InputError(f"cannot be opened: {error.strerror or error}", where=name) from error

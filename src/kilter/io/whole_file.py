"""Files that are read as a whole: models, weights, caches. What never ends, or would fill the memory, is refused."""

from __future__ import annotations

import stat
import zipfile
from pathlib import Path

from kilter.core.errors import InputError

LARGEST = 2 << 30
"""Bytes of a file, and of all that is packed in it."""


def check_regular(path: str | Path) -> None:
    """Raise an `InputError` for a device, a pipe or a larger file than is read; a folder is for others to refuse."""
    status = Path(path).stat()
    if not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)):
        raise InputError("is no regular file; name one", where=str(path))
    if status.st_size > LARGEST:
        raise InputError(
            f"has {status.st_size} bytes; such a file may have up to {LARGEST}", where=str(path)
        )


def whole_content(path: str | Path) -> bytes:
    """Return the bytes of a regular file."""
    check_regular(path)
    return Path(path).read_bytes()


def check_unpacked_size(archive: zipfile.ZipFile) -> None:
    """Raise a `BadZipFile` for an archive that holds more than is read when it is unpacked."""
    if sum(each.file_size for each in archive.infolist()) > LARGEST:
        raise zipfile.BadZipFile(f"it holds more than {LARGEST} bytes")

"""Files of any bytes, and errors that may be their answer."""

from __future__ import annotations

import warnings
from contextlib import contextmanager
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import TYPE_CHECKING

from kilter.core.errors import KilterError

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def folder_with(data: bytes, *names: str) -> Iterator[Path]:
    """Hold a new folder in which files of these names have the bytes; memory, where the system has such."""
    memory = Path("/dev/shm")  # noqa: S108 - a folder of a name of its own inside it
    folder = Path(mkdtemp(prefix="kilter-fuzz-", dir=memory if memory.is_dir() else None))
    try:
        for name in names:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)
        yield folder
    finally:
        rmtree(folder)


@contextmanager
def refusing() -> Iterator[None]:
    """Let the documented errors pass: they have a message of one line, or of lines that are notes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            yield
        except KilterError as error:
            assert str(error).strip()  # noqa: PT017 - an error is one of two outcomes

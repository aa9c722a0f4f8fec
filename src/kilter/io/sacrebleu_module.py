"""sacreBLEU, imported where it is needed: it is slow to load and asks for a temporary directory."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING

from kilter.core.once import ProcessLock

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType


_LOCK = ProcessLock()


def sacrebleu_module(name: str) -> ModuleType:
    """Return a module of sacreBLEU, also where no directory can be written."""
    # One thread at a time: the directory below belongs to the whole process.
    with _LOCK, _without_temporary_directory():
        return import_module(name)


@contextmanager
def _without_temporary_directory() -> Iterator[None]:
    """Let a library it imports look up a temporary directory, which is then never used."""
    try:
        tempfile.gettempdir()
    except FileNotFoundError:
        tempfile.tempdir = os.sep
        try:
            yield
        finally:
            tempfile.tempdir = None
    else:
        yield

"""How many threads numpy's library of matrices may use."""

from __future__ import annotations

import ctypes
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_NAMES = (
    ("scipy_openblas_get_num_threads64_", "scipy_openblas_set_num_threads64_"),
    ("scipy_openblas_get_num_threads", "scipy_openblas_set_num_threads"),
    ("openblas_get_num_threads64_", "openblas_set_num_threads64_"),
    ("openblas_get_num_threads", "openblas_set_num_threads"),
)
"""What OpenBLAS calls the two functions: in numpy's own packages, in those of systems."""


@contextmanager
def matrix_threads(count: int) -> Iterator[None]:
    """Let products of matrices use so many threads of the process, and afterwards as many as before.

    Small products gain nothing by more threads than cores are free, and wait for one another. Without OpenBLAS the
    number stays what it is: no other library has told how to ask for it.
    """
    # A library finds the functions of those that it needs, so that nobody has to know where they lie.
    library = ctypes.CDLL(import_module("numpy.linalg._umath_linalg").__file__)
    found = next((names for names in _NAMES if hasattr(library, names[1])), None)
    if found is None:
        yield
        return
    before, choose = (getattr(library, name) for name in found)
    threads = before()
    choose(count)
    try:
        yield
    finally:
        choose(threads)

"""Threads of numpy's library of matrices: as many as asked for, and as before afterwards."""

import ctypes
from importlib import import_module

import pytest

from kilter.parsers.network_training import matrix_threads


def threads() -> int:
    library = ctypes.CDLL(import_module("numpy.linalg._umath_linalg").__file__)
    if not hasattr(library, "scipy_openblas_get_num_threads64_"):
        pytest.skip("this numpy has another library of matrices")
    return int(library.scipy_openblas_get_num_threads64_())


def test_there_are_as_many_as_asked_for_and_as_before_afterwards() -> None:
    before = threads()
    with matrix_threads(1):
        assert threads() == 1
        with matrix_threads(2):
            assert threads() == 2
        assert threads() == 1
    assert threads() == before


def test_a_fault_leaves_as_many_as_before() -> None:
    before = threads()
    with pytest.raises(ValueError, match="fault"), matrix_threads(before + 1):
        raise ValueError("fault")
    assert threads() == before

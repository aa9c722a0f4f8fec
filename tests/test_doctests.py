"""The examples in docstrings are true."""

import doctest
from functools import cache
from importlib import import_module
from pkgutil import walk_packages

import pytest

import kilter

MODULES = sorted(
    module.name
    for module in walk_packages(kilter.__path__, "kilter.")
    if module.name != "kilter._core"
)


@cache
def result(name: str) -> doctest.TestResults:
    return doctest.testmod(import_module(name), raise_on_error=False)


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_are_true(name: str) -> None:
    assert result(name).failed == 0


def test_the_examples_are_found() -> None:
    assert sum(result(name).attempted for name in MODULES) >= 40

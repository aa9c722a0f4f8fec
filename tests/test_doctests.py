"""The examples in docstrings are true."""

import doctest
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import walk_packages

import pytest

import kilter


def has_examples(name: str) -> bool:
    """Return whether a module has an example, without looking at all that it holds."""
    spec = find_spec(name)
    assert spec is not None
    assert spec.origin is not None
    return spec.origin.endswith(".py") and ">>> " in Path(spec.origin).read_text(encoding="utf-8")


MODULES = sorted(
    module.name for module in walk_packages(kilter.__path__, "kilter.") if has_examples(module.name)
)


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_are_true(name: str) -> None:
    found = doctest.testmod(import_module(name), raise_on_error=False)
    assert found.attempted > 0
    assert found.failed == 0


def test_the_examples_are_found() -> None:
    assert len(MODULES) >= 40

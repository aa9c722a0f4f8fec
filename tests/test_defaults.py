"""A name of an argument means the same wherever it stands: the same default, the same bounds."""

import inspect
from collections.abc import Callable, Iterator
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

import click
import pytest

import kilter
from kilter.core.settings import BOUNDS
from tests.cli.test_every_option import OPTIONS, option_of

DEFAULTS = {
    "attempts": 20,
    "folds": 5,
    "jobs": 1,
    "resamples": 1000,
    "restarts": 20,
    "seed": 1,
    "steps": 20,
    "variants": 1,
}
"""As the tables of docs/cli/ give them."""
# A share of a score, not a number of things; and several numbers in one text.
OTHERS = {
    ("preorder select", "--minimum"),
    ("preorder selftrain", "--minimum"),
    ("perturb", "--degree"),
}


def callables() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yield every function, method and class of the package with its name."""
    for module in walk_packages(kilter.__path__, "kilter."):
        if module.name == "kilter._core" or "migrations" in module.name:
            continue
        for name, found in vars(import_module(module.name)).items():
            if getattr(found, "__module__", "") != module.name:
                continue
            if inspect.isfunction(found):
                yield f"{module.name}.{name}", found
            elif inspect.isclass(found):
                yield f"{module.name}.{name}", found
                for own, method in vars(found).items():
                    if inspect.isfunction(plain := getattr(method, "__func__", method)):
                        yield f"{module.name}.{name}.{own}", plain


def parameters() -> list[tuple[str, inspect.Parameter]]:
    found = []
    for name, function in callables():
        try:
            signature = inspect.signature(function)
        except (TypeError, ValueError):  # enumerations, and what C knows alone
            continue
        found += [(name, each) for each in signature.parameters.values() if each.name in DEFAULTS]
    return found


@pytest.mark.parametrize("name", DEFAULTS)
def test_a_number_has_one_default_in_all_functions_and_commands(name: str) -> None:
    in_functions = {
        where: each.default
        for where, each in parameters()
        if each.name == name and isinstance(each.default, int)
    }
    in_commands = {
        f"{command} {option}": option_of(command, option).default
        for command, option in OPTIONS
        if option_of(command, option).name == name
        and isinstance(option_of(command, option).default, int)
    }
    found = in_functions | in_commands
    assert found == dict.fromkeys(found, DEFAULTS[name])
    assert in_functions
    # Commands without a number of resamples take as many as there are comparisons to decide.
    assert in_commands or name == "resamples"


@pytest.mark.parametrize(
    ("command", "option"),
    [
        (command, option)
        for command, option in OPTIONS
        if option_of(command, option).name in BOUNDS and (command, option) not in OTHERS
    ],
)
def test_a_number_has_the_same_least_value_in_a_command_as_in_python(
    command: str, option: str
) -> None:
    found = option_of(command, option)
    assert isinstance(found.type, click.IntRange)
    assert found.type.min == BOUNDS[str(found.name)][0]
    assert not found.type.min_open

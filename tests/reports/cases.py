"""Reports that make or write tables, found by what they return, and what checks each of them."""

import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import kilter.agreement
import kilter.reports
import kilter.statistics
import kilter.structures
import kilter.survey
from tests.reports.distinct import Book


def modules(package: ModuleType) -> Iterator[ModuleType]:
    for entry in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not entry.name.startswith("kilter.survey.") or ".analysis" in entry.name:
            yield importlib.import_module(entry.name)


def namespace() -> dict[str, Any]:
    """Return what annotations may name: the types of results, also those imported for checkers only."""
    found: dict[str, Any] = {"NDArray": NDArray, "np": np, "Mapping": Mapping, "Sequence": Sequence}
    for package in (kilter.survey, kilter.agreement, kilter.statistics, kilter.structures):
        for module in modules(package):
            found |= {
                name: entry
                for name, entry in vars(module).items()
                if inspect.isclass(entry) or name in ("Number", "Point")
            }
    return found


NAMESPACE = namespace()


def reports() -> dict[str, Callable[..., Any]]:
    """Return every function of `kilter.reports` that makes or writes a table, by name."""
    return {
        name: entry
        for module in modules(kilter.reports)
        for name, entry in vars(module).items()
        if inspect.isfunction(entry)
        and entry.__module__ == module.__name__
        and not name.startswith("_")
        and (name.startswith("write_") or _makes_a_table(entry))
    }


def _makes_a_table(function: Callable[..., Any]) -> bool:
    found = str(inspect.signature(function).return_annotation)
    return re.search(r"\b(SubReport|ReportTable|LongTable|Cell)\b", found) is not None


# They write what they are given, under names that they are given too; their own tests hold them.
PLAIN = {"write_cells", "write_long", "write_picture", "write_result", "write_sub_report"}
CASES: dict[str, Callable[[Book, pytest.MonkeyPatch], None]] = {}


def case(
    *names: str,
) -> Callable[
    [Callable[[Book, pytest.MonkeyPatch], None]], Callable[[Book, pytest.MonkeyPatch], None]
]:
    """Return what makes a function the case of the reports it is about."""

    def added(
        function: Callable[[Book, pytest.MonkeyPatch], None],
    ) -> Callable[[Book, pytest.MonkeyPatch], None]:
        CASES.update(dict.fromkeys(names, function))
        return function

    return added

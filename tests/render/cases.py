"""Reports that make or write tables, found by what they return, and what checks each of them."""

import ast
import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

import kilter.core
import kilter.render
import kilter.results
import kilter.run.meta
import kilter.stats
import kilter.study
import kilter.study.chapter

Test = TypeVar("Test", bound=Callable[..., None])


_STUDY = ("kilter.study.analysis", "kilter.study.chapter")
"""What of the study wing makes results and reports; its servers are not loaded here."""


def modules(package: ModuleType) -> Iterator[ModuleType]:
    for entry in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not entry.name.startswith("kilter.study.") or entry.name.startswith(_STUDY):
            yield importlib.import_module(entry.name)


def namespace() -> dict[str, Any]:
    """Return what annotations may name: the types of results, also those imported for checkers only."""
    found: dict[str, Any] = {"NDArray": NDArray, "np": np, "Mapping": Mapping, "Sequence": Sequence}
    for package in (kilter.study, kilter.run.meta, kilter.stats, kilter.core, kilter.results):
        for module in modules(package):
            found |= {
                name: entry
                for name, entry in vars(module).items()
                if inspect.isclass(entry) or name in ("Number", "Point")
            }
    return found


NAMESPACE = namespace()


def reports() -> dict[str, Callable[..., Any]]:
    """Return every function of the reports that makes or writes a table, by name."""
    return {
        name: entry
        for package in (kilter.render, kilter.study.chapter)
        for module in modules(package)
        for name, entry in vars(module).items()
        if inspect.isfunction(entry)
        and entry.__module__ == module.__name__
        and not name.startswith("_")
        and ((name.startswith("write_") and package is kilter.render) or _makes_a_table(entry))
    }


def _makes_a_table(function: Callable[..., Any]) -> bool:
    found = str(inspect.signature(function).return_annotation)
    return re.search(r"\b(SubReport|ReportTable|LongTable|Cell)\b", found) is not None


# They write what they are given, under names that they are given too; their own tests hold them.
PLAIN = {"write_cells", "write_long", "write_picture", "write_result", "write_sub_report"}


def case(*_names: str) -> Callable[[Test], Test]:
    """Mark a test as the one that holds the columns of these reports to what they name."""
    return lambda test: test


def held() -> set[str]:
    """Return the names of the reports whose columns are held by a test."""
    names: set[str] = set()
    tests = Path(__file__).parents[1]
    for path in [*tests.glob("render/*/test_*.py"), *tests.glob("study/chapter/test_*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.FunctionDef) or not node.name.startswith("test_"):
                continue
            for mark in node.decorator_list:
                if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "case":
                    names.update(str(ast.literal_eval(name)) for name in mark.args)
    return names

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
import kilter.study.analysis
import kilter.study.judgments
from kilter.results.document import Result

Test = TypeVar("Test", bound=Callable[..., None])


_STUDY = ("kilter.study.analysis", "kilter.study.judgments")
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


def reports() -> dict[str, Any]:
    """Return every result with tables, and every function that makes or writes one, by name."""
    return {
        name: entry
        for package in (
            kilter.render,
            kilter.results,
            kilter.study.analysis,
            kilter.study.judgments,
        )
        for module in modules(package)
        for name, entry in vars(module).items()
        if not name.startswith("_")
        and getattr(entry, "__module__", "") == module.__name__
        and _makes_a_table(entry)
    }


def _makes_a_table(entry: object) -> bool:
    if inspect.isclass(entry):
        return issubclass(entry, Result) and entry is not Result
    if not inspect.isfunction(entry):
        return False
    found = str(inspect.signature(entry).return_annotation)
    return entry.__name__.startswith("write_") or (
        re.search(r"\b(SubReport|Table|Cell)\b", found) is not None
    )


# They write what they are given, under names that they are given too; their own tests hold them.
PLAIN = {
    "write_analysis",
    "write_cells",
    "write_export",
    "write_picture",
    "write_result",
    "write_rows",
    "write_simulation",
    "write_sub_report",
}


def case(*_names: str) -> Callable[[Test], Test]:
    """Mark a test as the one that holds the columns of these reports to what they name."""
    return lambda test: test


_RENDER = Path(__file__).parent


def held() -> set[str]:
    """Return the reports whose columns are held by a test."""
    return {
        str(ast.literal_eval(name))
        for folder in (_RENDER, *(_RENDER.parent / name for name in ("results", "study/analysis")))
        for path in folder.rglob("test_*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
        for mark in node.decorator_list
        if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "case"
        for name in mark.args
    }

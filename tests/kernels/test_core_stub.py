"""The stub of the compiled core says of every binding what the binding says of itself."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest

import kilter
from tests.kernels import hostile

STUB = Path(kilter.__file__).with_name("_core.pyi")


def _stubbed() -> dict[str, list[str]]:
    """Return the arguments of every function and method of the stub, in order."""
    found: dict[str, list[str]] = {}

    def add(owner: str, body: list[ast.stmt]) -> None:
        for node in body:
            if isinstance(node, ast.ClassDef):
                add(f"{node.name}.", node.body)
            elif isinstance(node, ast.FunctionDef) and not node.decorator_list:
                names = [argument.arg for argument in node.args.args]
                found[owner + node.name] = [name for name in names if name != "self"]

    add("", ast.parse(STUB.read_text(encoding="utf-8")).body)
    return found


def _bound() -> dict[str, Any]:
    """Return every function and method of the core, and its constructors."""
    found: dict[str, Any] = {}
    for name, value in hostile.public().items():
        if isinstance(value, type):
            own = {"__init__": vars(value)["__init__"], **hostile.methods(value)}
            found |= {f"{name}.{method}": bound for method, bound in own.items()}
        else:
            found[name] = value
    return found


def test_the_stub_has_every_binding_and_no_other() -> None:
    stubbed = {name for name in _stubbed() if not name.endswith("__len__")}
    assert stubbed == set(_bound())


@pytest.mark.parametrize("name", sorted(_bound()))
def test_arguments_have_the_same_names_in_the_same_order(name: str) -> None:
    ((signature, *_),) = _bound()[name].__nb_signature__
    assert re.findall(r"(\w+): ", signature.rpartition(" -> ")[0]) == _stubbed()[name]

"""Modules that stand in for packages."""

from types import ModuleType
from typing import Any

CHAIN = ["dogs NOUN bark x", "bark VERB - root"]


def named(name: str, **members: Any) -> ModuleType:
    module = ModuleType(name)
    vars(module).update(members)
    return module

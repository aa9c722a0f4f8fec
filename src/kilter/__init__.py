"""Kilter measures word order in machine translation, says why, and measures the measures."""

# Little is imported before it is asked for: until the command has begun, an interrupt is not quiet.
import os
import sys

__version__ = "0.1.0"

_homes: "dict[str, str]" = {}
"""The module of each public name; `__init__.pyi` lists them, and is read when the first is asked for."""


def _public_names() -> "dict[str, str]":
    if not _homes:
        import ast  # noqa: PLC0415 - see above
        from pathlib import Path  # noqa: PLC0415 - see above

        stub = Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8")
        imports = [node for node in ast.parse(stub).body if isinstance(node, ast.ImportFrom)]
        _homes.update({node.names[0].name: node.module for node in imports})
    return _homes


def __getattr__(name: str) -> object:
    if name == "__all__":
        return sorted(_public_names())
    home = None if name.startswith("_") else _public_names().get(name)
    if home is None:
        raise AttributeError(f"module 'kilter' has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - see above

    if home == "kilter":
        return import_module(f"kilter.{name}")
    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return sorted([*_public_names(), "__version__"])


def _renew_locks() -> None:
    """Free the locks of cached properties, which Python 3.11 has.

    In a forked child, a thread of its parent may hold one, and would never let go.
    """
    from functools import cached_property  # noqa: PLC0415 - see above

    for name, module in [*sys.modules.items()]:
        if name.startswith("kilter."):
            for kind in [each for each in vars(module).values() if isinstance(each, type)]:
                for value in vars(kind).values():
                    if isinstance(value, cached_property):
                        vars(value)["lock"] = type(vars(value)["lock"])()


if sys.version_info < (3, 12):
    os.register_at_fork(after_in_child=_renew_locks)

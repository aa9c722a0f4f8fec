"""Tables of arguments and fields: names and defaults are those of the code, meanings those of the page.

A table stands below a line such as `<!-- arguments of kilter.align -->`; its last column is written by
hand and kept. `, less those of kilter.NAME` leaves out what another table tells.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
from enum import Enum
from typing import Any

import kilter

_TABLE = re.compile(
    r"^<!-- arguments of kilter\.(?P<name>[\w.]+)(?P<less>, less those of kilter\.[\w.]+)? -->\n\n"
    r"(?P<rows>(?:\|.*\n)*)",
    re.MULTILINE,
)
_HEAD = ("argument", "default", "what it is")


def with_arguments(text: str) -> str:
    """Return a page whose tables of arguments hold the names and defaults that there are."""
    return _TABLE.sub(_written, text)


def tables(text: str) -> dict[str, dict[str, str]]:
    """Return the meaning of each argument by the name of what takes it."""
    return {found["name"]: _meanings(found["rows"]) for found in _TABLE.finditer(text)}


def _written(found: re.Match[str]) -> str:
    meanings = _meanings(found["rows"])
    less = (found["less"] or "").rpartition("kilter.")[2]
    known = _defaults(less) if less else {}
    rows = [
        (f"`{name}`", default, meanings.get(name, ""))
        for name, default in _defaults(found["name"]).items()
        if name not in known
    ]
    lines = [_HEAD, ("---",) * 3, *rows]
    begin = found[0].partition("-->")[0]
    return f"{begin}-->\n\n" + "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _meanings(rows: str) -> dict[str, str]:
    cells = [line.strip("|").split(" | ", 2) for line in rows.splitlines()[2:]]
    return {name.strip(" `"): meaning.strip(" |") for name, _, meaning in cells}


def _defaults(name: str) -> dict[str, str]:
    """Return the arguments of a function, or the fields of a dataclass, with their defaults as text."""
    taken: Any = kilter
    for part in name.split("."):
        taken = getattr(taken, part)
    if dataclasses.is_dataclass(taken):
        return {entry.name: _field(entry) for entry in dataclasses.fields(taken)}
    return {
        parameter.name: "" if parameter.default is parameter.empty else _shown(parameter.default)
        for parameter in inspect.signature(taken).parameters.values()
        if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    }


def _field(entry: dataclasses.Field[Any]) -> str:
    if entry.default_factory is not dataclasses.MISSING:
        return _shown(entry.default_factory())
    return "" if entry.default is dataclasses.MISSING else _shown(entry.default)


def _shown(value: Any) -> str:
    if isinstance(value, Enum):
        value = value.value
    if isinstance(value, tuple | dict):
        return ", ".join(map(_shown, value)) or "none"
    if dataclasses.is_dataclass(value):
        return f"`{type(value).__name__}()`"
    return f"`{value!r}`"

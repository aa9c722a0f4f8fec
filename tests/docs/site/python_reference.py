"""The reference of Python's names, from their signatures and docstrings."""

from __future__ import annotations

import inspect
import re
from enum import Enum
from textwrap import dedent
from types import ModuleType
from typing import Any

import kilter

_WIDEST = 90
_MODULES = ("preorder", "reorder", "sentence")


def python_reference() -> str:
    """Return a page with every public name: how it is called, what it returns, its examples."""
    parts = [
        "# Python, every name",
        "",
        "Made from the signatures and docstrings of the installed package.",
        "",
    ]
    for name in sorted(kilter.__all__, key=str.lower):
        value = getattr(kilter, name)
        if not isinstance(value, ModuleType):
            parts += _described(f"kilter.{name}", value, level=2)
    for module in _MODULES:
        value = getattr(kilter, module)
        parts += [f"## kilter.{module}", "", _text(value), ""]
        for name in value.__all__:
            parts += _described(f"kilter.{module}.{name}", getattr(value, name), level=3)
    return "\n".join(parts) + "\n"


def _described(name: str, value: Any, *, level: int) -> list[str]:
    parts = [f"{'#' * level} {name}", ""]
    if inspect.isclass(value) and issubclass(value, Enum):
        values = ", ".join(f"`{member.value}`" for member in value)
        return [*parts, _text(value), "", f"Values: {values}.", ""]
    signature = _signature(value, len(name))
    if signature:
        parts += ["```python", f"{name}{signature}", "```", ""]
    parts += [_text(value), ""]
    if inspect.isclass(value) and not issubclass(value, Exception):
        for member, held in sorted(vars(value).items()):
            if not member.startswith("_") and inspect.getdoc(held) and _is_own(held):
                called = _signature(held, -1000) if callable(getattr(value, member)) else ""
                parts += [f"* `{member}{called}`: {_first_line(held)}"]
        parts += [""]
    return parts


def _is_own(held: Any) -> bool:
    return isinstance(held, property | classmethod | staticmethod) or inspect.isfunction(held)


def _signature(value: Any, before: int) -> str:
    """Return how something is called, in one line if it fits after so many characters."""
    wrapped = value.__func__ if isinstance(value, classmethod | staticmethod) else value
    try:
        signature = inspect.signature(wrapped)
    except (TypeError, ValueError):
        return ""
    shown, is_keyword = list[str](), False
    for parameter in signature.parameters.values():
        if parameter.name in {"self", "cls"}:
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and not is_keyword:
            is_keyword = True
            shown.append("*")
        shown.append(_parameter(parameter))
    returned = signature.return_annotation
    end = ")" if returned in {inspect.Signature.empty, "None", None} else f") -> {_type(returned)}"
    line = f"({', '.join(shown)}{end}"
    if before + len(line) <= _WIDEST:
        return line
    return "\n".join(["(", *(f"    {each}," for each in shown), end])


def _parameter(parameter: inspect.Parameter) -> str:
    text = parameter.name
    if parameter.kind in {parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD}:
        text = ("*" if parameter.kind is parameter.VAR_POSITIONAL else "**") + text
    if parameter.annotation is not parameter.empty:
        text += f": {_type(parameter.annotation)}"
    if parameter.default is not parameter.empty:
        default = repr(parameter.default)
        text += f" = {'...' if default.startswith('<') else default}"
    return text


def _type(annotation: Any) -> str:
    return str(annotation if isinstance(annotation, str) else inspect.formatannotation(annotation))


def _first_line(value: Any) -> str:
    return (inspect.getdoc(value) or "").partition("\n\n")[0].replace("\n", " ")


def _text(value: Any) -> str:
    """Return a docstring as Markdown: sessions and what is indented in blocks of their own."""
    written = inspect.getdoc(value) or ""
    blocks = []
    for block in re.split(r"\n\s*\n", written):
        if block.startswith(">>>"):
            blocks.append(f"```python\n{block}\n```")
        elif block.startswith(" "):
            blocks.append(f"```text\n{dedent(block)}\n```")
        else:
            blocks.append(_escaped(block))
    return "\n\n".join(blocks)


def _escaped(block: str) -> str:
    """Return prose whose stars, angles and brackets mean themselves, outside of code."""
    pieces = re.split(r"(`[^`]*`)", block)
    return "".join(
        piece if piece.startswith("`") else re.sub(r"([*_<\[\]|#$])", r"\\\1", piece)
        for piece in pieces
    )

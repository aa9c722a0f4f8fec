"""Values one after another, as callers have them: lists, arrays, columns of tables, iterators."""

from __future__ import annotations

from collections.abc import Iterable, KeysView, Mapping
from collections.abc import Set as AbstractSet
from typing import Any


def unsequenced(values: object) -> str | None:
    """Return why values do not come one after another, in one dimension, or None if they do.

    >>> unsequenced(["a", "b"]), unsequenced(iter("ab"))
    (None, None)
    >>> unsequenced({"a", "b"})
    'is a set, which has no order'
    """
    return _whole(values) or _unordered(values)


def _whole(values: object) -> str | None:
    """Return what is one value rather than several."""
    if isinstance(values, str):
        return "is a single string"
    if isinstance(values, (bytes, bytearray, memoryview)):
        return f"is {type(values).__name__}, which are not decoded"
    kind = type(values)
    # Of the type: the attributes of a column of a table may be its labels.
    if hasattr(kind, "columns") or hasattr(kind, "column_names"):
        return f"is a whole table ({kind.__name__})"
    if not isinstance(values, Iterable):
        return f"is {shown(values)}"
    return None


def _unordered(values: object) -> str | None:
    """Return why several values do not come in one order."""
    kind = type(values)
    if isinstance(values, Mapping):
        return f"is a mapping ({kind.__name__})"
    # The keys of a mapping are a set that has an order.
    if isinstance(values, AbstractSet) and not isinstance(values, KeysView):
        return f"is a {kind.__name__}, which has no order"
    dimensions = getattr(values, "ndim", 1)
    if dimensions != 1:
        return f"is an array of {dimensions} dimensions"
    return None


def in_order(values: object) -> list[object]:
    """Return values that are in order as a list, whatever they came in.

    Arrays and columns give Python's own values, so that text is text. Ask `unsequenced` first.
    """
    for name in ("to_pylist", "tolist"):  # Arrow; numpy and pandas
        convert = getattr(values, name, None)
        if convert is not None:
            found: list[Any] = convert()
            return found
    if not isinstance(values, Iterable):
        raise TypeError(f"{shown(values)} holds no values one after another")
    return list(values)


def shown(value: object) -> str:
    """Return a value as a message can show it: on one line, and the beginning of a long one."""
    text = " ".join(repr(value).split())
    return text if len(text) <= 80 else f"{text[:77]}..."

"""One of several named values."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeVar

from kilter.errors import OptionError

Choice = TypeVar("Choice", bound=StrEnum)


def chosen(kind: type[Choice], value: str, name: str) -> Choice:
    """Return the value of an enumeration; any other is an `OptionError` that lists them."""
    try:
        return kind(value)
    except ValueError:
        raise OptionError(f"{name} is {value!r}; it can be {', '.join(kind)}") from None

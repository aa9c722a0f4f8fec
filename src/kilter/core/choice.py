"""Options that have one of a few named values."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NoReturn, TypeVar

from kilter.core.errors import OptionError
from kilter.core.sequence import shown

# Between the words of the name of a class.
_WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])")
Named = TypeVar("Named", bound=StrEnum)


class Choice(StrEnum):
    """An enumeration that says what is allowed when it is given something else."""

    @classmethod
    def _missing_(cls, value: object) -> NoReturn:
        allowed = ", ".join(cls)
        name = _WORDS.sub(" ", cls.__name__).lower()
        raise OptionError(f"{name} is {shown(value)}; it can be {allowed}")


def chosen(kind: type[Named], value: str, name: str) -> Named:
    """Return the value of an enumeration; any other is an `OptionError` that lists them."""
    try:
        return kind(value)
    except ValueError:
        raise OptionError(f"{name} is {shown(value)}; it can be {', '.join(kind)}") from None

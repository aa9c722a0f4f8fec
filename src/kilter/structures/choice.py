"""Options that have one of a few named values."""

from __future__ import annotations

from enum import StrEnum
from typing import NoReturn

from kilter.errors import OptionError


class Choice(StrEnum):
    """An enumeration that says what is allowed when it is given something else."""

    @classmethod
    def _missing_(cls, value: object) -> NoReturn:
        allowed = ", ".join(cls)
        raise OptionError(f"{cls.__name__.lower()} is {value!r}; it can be {allowed}")

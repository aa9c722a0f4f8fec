"""Several options of a command, added by one decorator."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

Decorator: TypeAlias = Callable[[Callable[..., object]], Callable[..., object]]
"""What `click.option` returns."""
Options: TypeAlias = Mapping[str, Any]
"""What a command was given, by name; of what kind a value is, the type of its option says."""


def option_list(*options: Decorator) -> Decorator:
    """Return a decorator that adds options, which help lists in the same order."""

    def add(function: Callable[..., object]) -> Callable[..., object]:
        for option in reversed(options):
            function = option(function)
        return function

    return add

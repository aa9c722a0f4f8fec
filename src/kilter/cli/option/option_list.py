"""Several options of a command, added by one decorator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
"""What `click.option` returns."""


def option_list(*options: Decorator) -> Decorator:
    """Return a decorator that adds options, which help lists in the same order."""

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            function = option(function)
        return function

    return add

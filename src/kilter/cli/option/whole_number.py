"""Whole numbers as options, bounded like the arguments of the same name in Python."""

from __future__ import annotations

from typing import Any

import click

from kilter.core.settings import BOUNDS


class WholeNumber(click.IntRange):
    """A whole number from a least one, which help shows, to a greatest, which nobody should need."""

    def __init__(self, name: str) -> None:
        least, self.greatest = BOUNDS[name]
        super().__init__(least)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number, or fail with the bound that it breaks."""
        number = int(super().convert(value, param, ctx))
        if number > self.greatest:
            self.fail(
                f"{number} is more than {self.greatest}; write a number from {self.min} to {self.greatest}.",
                param,
                ctx,
            )
        return number

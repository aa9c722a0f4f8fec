"""Numbers as options: within bounds, and finite."""

from __future__ import annotations

from math import isfinite
from typing import Any

import click


class FiniteNumber(click.FloatRange):
    """A number between bounds; `nan`, which no bound keeps out, and infinity are refused."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the number, or fail with what is wrong with it."""
        number = float(super().convert(value, param, ctx))
        if not isfinite(number):
            self.fail(f"{number} is no finite number.", param, ctx)
        return number

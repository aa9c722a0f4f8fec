"""Options whose value may be left out."""

from __future__ import annotations

import click


class OptionalChoice(click.Choice[str]):
    """A choice that may be left out, so that the word behind it may have been meant as the file."""

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        """Return the choice; what is none may have been meant as the file, and the error says so."""
        if isinstance(value, str) and param is not None and value not in self.choices:
            allowed = ", ".join(self.choices)
            option = param.opts[0]
            self.fail(
                f"{value!r} is not one of {allowed}; put the file before {option}, or write "
                f"{option}={self.choices[0]}",
                param,
                ctx,
            )
        return super().convert(value, param, ctx)

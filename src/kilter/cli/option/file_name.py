"""Names of files as options and arguments."""

from __future__ import annotations

import click


class _FileName(click.types.StringParamType):
    """A name, or `-` for a standard stream; what an unset shell variable leaves is refused."""

    name = "file"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        if value == "":
            self.fail("the file name is empty", param, ctx)
        return str(super().convert(value, param, ctx))


FILE_NAME = _FileName()

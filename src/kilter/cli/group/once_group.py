"""A command with sub-commands whose options take the values they are made for, no more."""

from __future__ import annotations

import click

from kilter.core.registry import suggestion


class UnknownCommandError(click.UsageError):
    """A sub-command that does not exist."""


class OnceGroup(click.Group):
    """Refuses an option of a sub-command that takes one value and is given two, where click takes the last."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return a sub-command, its name and its arguments, in which no value is given twice."""
        self._check_name(ctx, args[0])
        name, command, rest = super().resolve_command(ctx, args)
        if command is not None:
            _check_once(
                click.Context(command, parent=ctx, info_name=name, resilient_parsing=True), rest
            )
        return name, command, rest

    def _check_name(self, ctx: click.Context, name: str) -> None:
        """Raise an `UnknownCommandError` for what is no sub-command; what looks like an option is left to click."""
        names = self.list_commands(ctx)
        if name not in names and not name.startswith("-") and not ctx.resilient_parsing:
            meant = suggestion(name, names)
            raise UnknownCommandError(
                f"there is no command {name!r}" + (f"; {meant}" if meant else ""), ctx
            )


def _check_once(ctx: click.Context, args: list[str]) -> None:
    """Raise a `UsageError` for an option that takes one value and has two, of which click drops the first."""
    _, _, order = ctx.command.make_parser(ctx).parse_args(list(args))
    seen: set[click.Parameter] = set()
    for param in order:
        if isinstance(param, click.Option) and not (param.multiple or param.is_flag or param.count):
            if param in seen:
                raise click.UsageError(
                    f"{max(param.opts, key=len)} is given twice; it takes one value", ctx
                )
            seen.add(param)

"""Commands with sub-commands: imported when they are used, with options that take no second value."""

from __future__ import annotations

from importlib import import_module
from keyword import iskeyword
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import click

from kilter.core.registry import suggestion

if TYPE_CHECKING:
    from collections.abc import Mapping

    from click.shell_completion import CompletionItem


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


class LazyGroup(OnceGroup):
    """Sub-command `name` is `command` of the module of that name in the folder `prefix` of commands.

    `summaries` says of each sub-command, by its name, what it does; `kinds` names, by the first sub-command of each
    kind, the heading that help puts above it.
    """

    def __init__(
        self,
        name: str | None = None,
        *,
        summaries: Mapping[str, str],
        prefix: str = "",
        kinds: Mapping[str, str] = MappingProxyType({}),
        **extra: Any,
    ) -> None:
        super().__init__(name, **extra)
        self.summaries = summaries
        self.prefix = prefix
        self.kinds = kinds

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the sub-commands, in the order they were listed."""
        return list(self.summaries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a sub-command by name, or None."""
        if cmd_name not in self.summaries:
            return None
        name = cmd_name.replace("-", "_")
        name += "_" if iskeyword(name) else ""
        module = import_module(f"kilter.cli.{self.prefix}{name}")
        command: click.Command = module.command
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the sub-commands that begin so, without importing them, and the options."""
        from click.shell_completion import CompletionItem

        begun = [name for name in self.summaries if name.startswith(incomplete)]
        commands = [CompletionItem(name, help=self.summaries[name]) for name in begun]
        return commands + click.Command.shell_complete(self, ctx, incomplete)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the sub-commands with what they do, without importing them."""
        sections: dict[str, list[tuple[str, str]]] = {}
        heading = "Commands"
        for name, summary in self.summaries.items():
            heading = self.kinds.get(name, heading)
            sections.setdefault(heading, []).append((name, summary))
        widest = max(map(len, self.summaries))
        for heading, rows in sections.items():
            with formatter.section(heading):
                # Alike in all sections, so that they read as one list.
                formatter.write_dl([(name.ljust(widest), summary) for name, summary in rows])


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

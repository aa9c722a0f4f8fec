"""A command with sub-commands that are imported when they are used, so that help stays quick."""

from __future__ import annotations

from importlib import import_module
from keyword import iskeyword
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import click

from kilter.cli.group.once_group import OnceGroup

if TYPE_CHECKING:
    from collections.abc import Mapping

    from click.shell_completion import CompletionItem


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

"""The reference of commands, as each describes itself."""

from __future__ import annotations

import click

from kilter.cli.main import cli


def command_reference() -> str:
    """Return a page with the help of every command."""
    parts = [
        "# Commands, in their own words",
        "",
        "What `--help` says of each; [the command line](../docs/cli.md) tells more.",
        "",
    ]
    for name, command in described():
        context = click.Context(command, info_name=f"kilter {name}".strip(), max_content_width=100)
        parts += [f"## kilter {name}".rstrip(), "", "```text", command.get_help(context), "```", ""]
    return "\n".join(parts)


def described(group: click.Group = cli, prefix: str = "") -> list[tuple[str, click.Command]]:
    """Return the program and every command by name, groups before what they hold."""
    context = click.Context(group)
    found: list[tuple[str, click.Command]] = [(prefix.strip(), group)]
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            found += described(command, f"{prefix}{name} ")
        elif command is not None:
            found.append((prefix + name, command))
    return found

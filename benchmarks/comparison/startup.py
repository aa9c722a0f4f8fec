"""How long every command takes before it works: CPU milliseconds, the best of several starts."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import click

from kilter.cli.main import cli


def startup_times(*, rounds: int) -> dict[str, float]:
    """Return the milliseconds of the bare interpreter, of imports, and of every command with --help."""
    python = sys.executable
    commands = {
        "python -c pass": [python, "-c", "pass"],
        "import numpy": [python, "-c", "import numpy"],
        "import kilter": [python, "-c", "import kilter"],
    }
    program = str(Path(python).parent / "kilter")
    for names in command_names():
        commands[" ".join(("kilter", *names, "--help"))] = [program, *names, "--help"]
    return {name: min(_spent(command) for _ in range(rounds)) for name, command in commands.items()}


def command_names() -> list[tuple[str, ...]]:
    """Return every command by its names, such as survey and create."""
    return _commands(cli, ())


def _commands(group: click.Command, names: tuple[str, ...]) -> list[tuple[str, ...]]:
    if not isinstance(group, click.Group):
        return [names]
    context = click.Context(group)
    found = []
    for name in group.list_commands(context):
        below = group.get_command(context, name)
        if below is not None:
            found += _commands(below, (*names, name))
    return found


def _spent(command: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1e3 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)

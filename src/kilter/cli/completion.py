"""`kilter completion`: what a shell needs to complete commands, options, files and names."""

from __future__ import annotations

import sys

import click
from click.shell_completion import get_completion_class

from kilter.cli.command import settings_command
from kilter.core.settings import argument

_SHELLS = ("bash", "zsh", "fish")


@settings_command("completion")
def command(
    *,
    shell: str = argument(choices=_SHELLS),
) -> None:
    """Write what makes SHELL complete commands, options, files, and names of metrics, aligners and parsers.

    \b
    Examples:
      kilter completion bash > ~/.local/share/bash-completion/completions/kilter
      kilter completion zsh > ~/.zfunc/_kilter
      kilter completion fish > ~/.config/fish/completions/kilter.fish
    """
    kind = get_completion_class(shell)
    assert kind is not None  # noqa: S101 - click knows these shells
    program = click.get_current_context().find_root().command
    made = kind(program, {}, "kilter", "_KILTER_COMPLETE")
    # Not source(), which runs the shell to look at its version: scripts may be written for another machine.
    sys.stdout.write(made.source_template % made.source_vars())

"""`kilter preorder rules`: the rule sets that come with Kilter."""

from __future__ import annotations

import sys

from kilter.cli.command import settings_command
from kilter.core.settings import argument
from kilter.preordering.rule_file import load_rule_set, shipped_names, shipped_text


@settings_command("rules")
def command(
    *,
    name: str | None = argument(default=None),
) -> None:
    """List the rule sets that come with Kilter, or print NAME as a file to start from.

    \b
    Examples:
      kilter preorder rules
      kilter preorder rules r5 > mine.toml
    """
    if name is not None:
        sys.stdout.write(shipped_text(name))
        return
    width = max(map(len, shipped_names()))
    for each in shipped_names():
        sys.stdout.write(f"{each:{width}}  {load_rule_set(each).description}\n")

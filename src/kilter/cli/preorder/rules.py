"""`kilter preorder rules`: the rule sets that come with Kilter."""

from __future__ import annotations

import sys

import click

from kilter.preordering.rule_file import load_rule_set, shipped_names, shipped_text


@click.command("rules")
@click.argument("name", required=False)
def command(*, name: str | None) -> None:
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

"""`kilter train`: models that learn from what a user has."""

from __future__ import annotations

import click

from kilter.cli.group import LazyGroup

_COMMANDS = {"parser": "learn a tagger and parser from a treebank"}


@click.group("train", cls=LazyGroup, summaries=_COMMANDS, prefix="train.")
def command() -> None:
    """Learn models from data of your own."""

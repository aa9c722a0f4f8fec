"""`kilter spans`: error spans of people and metrics, exchanged, checked and scored."""

from __future__ import annotations

import click

from kilter.cli.group import LazyGroup

_COMMANDS = {
    "convert": "write spans in the format of another tool",
    "check": "list every offset that does not fit its text",
    "score": "score spans against what people marked, with tests and controls",
}


@click.group("spans", cls=LazyGroup, summaries=_COMMANDS, prefix="spans.")
def command() -> None:
    """Exchange, check and score error spans: which characters somebody marked, and as what."""

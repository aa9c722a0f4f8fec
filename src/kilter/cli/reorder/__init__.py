"""`kilter reorder`: reordered source sentences, made, scored and checked."""

from __future__ import annotations

import click

from kilter.cli.group import LazyGroup

_COMMANDS = {
    "make": "make reference reorderings from word links",
    "score": "score reorderings against references",
    "statistics": "measure how far words move, over texts of any size",
    "profile": "measure the word order of treebanks",
    "lint": "check sentences and links that references are made from",
}


@click.group("reorder", cls=LazyGroup, summaries=_COMMANDS, prefix="reorder.")
def command() -> None:
    """Make, score, measure and check reordered sentences: source words in the order of their translation."""

"""`kilter annotate`: word links made by people, in the browser."""

from __future__ import annotations

import click

from kilter.cli.group import LazyGroup

_COMMANDS = {
    "create": "make a project of texts, with proposed links",
    "serve": "serve the pages of annotators and adjudicators",
    "links": "write personal links",
    "status": "say how far everybody is",
    "agreement": "compare annotators, and with what was adjudicated",
    "export": "write links, translations, comments and times",
    "import": "add links and translations of files",
}


@click.group("annotate", cls=LazyGroup, summaries=_COMMANDS, prefix="annotate.")
def command() -> None:
    """Have people link the words of sentences and their translations, in the browser."""

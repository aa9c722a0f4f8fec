"""`kilter survey`: the judgment survey, from the design of a study to its data."""

from __future__ import annotations

import click

from kilter.cli.group import LazyGroup

_COMMANDS = {
    "check": "list what is wrong with a study, and its pool in numbers",
    "create": "draw the questionnaires of a study",
    "serve": "serve the web survey of a study",
    "links": "write personal links, make more, name recruitment groups",
    "status": "say how far a study is",
    "export": "write judgments, participants, items and scores",
    "import": "add answers that were given on paper",
    "erase": "remove what is about a participant",
    "account": "list, add or remove accounts of researchers",
    "password": "change the password of a researcher",
    "simulate": "write judgments made from stated effects",
    "analyse": "write every table and figure of a results chapter",
    "print": "write what is handed out on paper, as PDF",
    "scan": "read scanned or photographed pages",
}


@click.group("survey", cls=LazyGroup, summaries=_COMMANDS, prefix="survey.")
def command() -> None:
    """Ask people how well sentences can be understood: studies, a web survey, booklets, data."""

"""What a terminal shows: as wide as it is, and what is said beside the result."""

from __future__ import annotations

import os
import sys
from shutil import get_terminal_size
from typing import TYPE_CHECKING

from kilter.cli.talk.standard_error import say
from kilter.core.table import PAGE
from kilter.render.table.page import write_result
from kilter.render.table.table import FULL_FORMATS, TableFormat
from kilter.stats.significance import evidence_note

if TYPE_CHECKING:
    from kilter.core.table import Table
    from kilter.results.comparison import Comparison
    from kilter.results.document import Result
    from kilter.results.score_result import ScoreResult

_NARROWEST = 60


def page_width(*, narrowest: int = _NARROWEST) -> int:
    """Return the columns of the terminal, or of a page where the output goes elsewhere."""
    return max(narrowest, get_terminal_size().columns) if sys.stdout.isatty() else PAGE


def print_result(result: Result | Table, form: str, *, details: bool = False) -> None:
    """Write a result to standard output in a format, tables for people as wide as the terminal."""
    write_result(result, sys.stdout, TableFormat(form), width=page_width(), details=details)


def shows_colour(*, refused: bool) -> bool:
    """Return whether standard output is a terminal and nobody wants it plain: an option, or NO_COLOR."""
    return sys.stdout.isatty() and not refused and not os.environ.get("NO_COLOR")


def say_notes(result: ScoreResult | Comparison, form: TableFormat, *, quiet: bool) -> None:
    """Write the notes of a result to standard error; tables for people say themselves how rough they are."""
    if quiet:
        return
    on_the_page: list[str | None] = []
    if form not in FULL_FORMATS:
        on_the_page = [evidence_note(result.count), getattr(result, "decision_note", None)]
        on_the_page += getattr(result, "common_notes", [])
    for note in result.notes:
        if note not in on_the_page:
            say(note)

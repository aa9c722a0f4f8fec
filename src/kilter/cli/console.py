"""What commands write beside files: results on standard output, messages, notes and progress on standard error."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, suppress
from shutil import get_terminal_size
from time import perf_counter
from typing import TYPE_CHECKING

import click

from kilter.core.table import PAGE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from kilter.core.table import Table
    from kilter.render.table.table import TableFormat
    from kilter.results.comparison import Comparison
    from kilter.results.document import Result
    from kilter.results.score_result import ScoreResult

_NARROWEST = 60


def print_result(result: Result | Table, form: str, *, details: bool = False) -> None:
    """Write a result to standard output in a format, tables for people as wide as the terminal."""
    from kilter.render.table.page import write_result
    from kilter.render.table.table import TableFormat

    write_result(result, sys.stdout, TableFormat(form), width=page_width(), details=details)


def page_width(*, narrowest: int = _NARROWEST) -> int:
    """Return the columns of the terminal, or of a page where the output goes elsewhere."""
    return max(narrowest, get_terminal_size().columns) if sys.stdout.isatty() else PAGE


def shows_colour(*, refused: bool) -> bool:
    """Return whether standard output is a terminal and nobody wants it plain: an option, or NO_COLOR."""
    return sys.stdout.isatty() and not refused and not os.environ.get("NO_COLOR")


def print_message(message: str) -> None:
    """Write one line to standard error; where that fails, results and exit code stay the same."""
    try:
        click.echo("kilter: " + message.replace("\n", " "), err=True)
    except OSError:
        _discard_further_output()


def print_notes(notes: Iterable[str | None], *, quiet: bool) -> None:
    """Write each note to standard error, unless a command is to be quiet; None is no note."""
    if not quiet:
        for note in notes:
            if note:
                print_message(note)


def notes_beside(result: ScoreResult | Comparison, form: TableFormat) -> list[str]:
    """Return the notes of a result that do not stand on its page: tables for people say how rough they are."""
    from kilter.render.table.table import FULL_FORMATS
    from kilter.stats.significance import evidence_note

    on_the_page: list[str | None] = []
    if form not in FULL_FORMATS:
        on_the_page = [evidence_note(result.count), getattr(result, "decision_note", None)]
        on_the_page += getattr(result, "common_notes", [])
    return [note for note in result.notes if note not in on_the_page]


def flush_standard_error() -> None:
    """Write what is left to be said, so that the interpreter does not fail to on its way out."""
    try:
        if sys.stderr is not None:
            sys.stderr.flush()
    except OSError:
        _discard_further_output()


def _discard_further_output() -> None:
    """Send whatever is still written to standard error nowhere: it is closed, or its disk is full."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


@contextmanager
def progress_bar(
    what: str, *, quiet: bool, unit: str | None = None
) -> Iterator[Callable[[int, int | None], None] | None]:
    """Yield a function of (done, total) that moves a bar, or None if nobody would see it.

    With a `unit`, such as rows, the bar says beside the time left how many are done in a second, and
    without a total how many are done.
    """
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress, TextColumn

    columns = [*Progress.get_default_columns()]
    if unit is not None:
        columns.append(TextColumn("{task.fields[rate]}"))
    begin = perf_counter()
    # Rich would write to standard error what is meant for standard output, wherever that goes.
    shared = sys.stdout is not None and sys.stdout.isatty()
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, redirect_stdout=shared) as bar:
        task = bar.add_task(what, total=None, rate="")

        def move(done: int, total: int | None) -> None:
            rate = f"{done / max(perf_counter() - begin, 1e-9):,.0f} {unit} per second"
            if total is None:
                rate = f"{done:,} done, {rate}"
            bar.update(task, completed=done, total=total, rate=rate)

        yield move

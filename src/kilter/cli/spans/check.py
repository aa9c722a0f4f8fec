"""`kilter spans check`: every offset that does not fit its text."""

from __future__ import annotations

import click

from kilter.cli.command import settings_command
from kilter.cli.console import print_message, print_notes
from kilter.cli.fields import quiet_setting
from kilter.cli.spans.files import SpanFiles
from kilter.core.counted import counted
from kilter.core.settings import InputFile, argument, mixed
from kilter.core.spans import splits_character


@settings_command("check")
def command(
    *,
    file: InputFile = argument(description="A file of spans."),
    files: SpanFiles = mixed(SpanFiles),
    quiet: bool = quiet_setting("Say nothing if all is well."),
) -> None:
    """List every span whose offsets do not fit its text, and how they were counted if that can be told.

    Exit code 0 if all fit, 3 otherwise.

    \b
    Example:
      kilter spans check annotations.jsonl
    """
    spans = files.read(file, check=False)
    problems = [f"{each.where}: {problem}" for each in spans for problem in each.problems()]
    for problem in problems:
        click.echo(problem)
    if problems:
        print_message(f"{counted(len(problems), 'problem')} in {counted(spans.count, 'span')}")
        click.get_current_context().exit(3)
    cut = sum(
        splits_character(each.line(span.side) or "", offset)
        for each in spans
        for span in each.spans
        for offset in (span.start, span.end)
    )
    notes = [f"{counted(cut, 'end')} of spans cut a character from its accent or an emoji in two"]
    unseen = sum(each.target is None and bool(each.spans) for each in spans)
    if unseen:
        notes.append(
            f"{counted(unseen, 'segment')} without text: offsets were not checked; give --text"
        )
    found = (
        f"{counted(spans.count, 'span')} in {counted(len(spans), 'marked segment')} fit their texts"
    )
    print_notes([*notes[: bool(cut)], *notes[1:], found], quiet=quiet)

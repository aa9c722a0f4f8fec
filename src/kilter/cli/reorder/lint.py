"""`kilter reorder lint`: checks of the sentences and links that references are made from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import click

from kilter.aligners.lint import LINT_WORDS, lint
from kilter.cli.command import settings_command
from kilter.cli.console import print_message, print_result
from kilter.cli.fields import format_setting, source_setting
from kilter.cli.reorderings import SourceLinks, read_source
from kilter.core.counted import counted
from kilter.core.settings import Group, InputFile, flag, like, setting
from kilter.io.stream import ByteSource, display_name
from kilter.io.text import read_text
from kilter.render.table.table import TableFormat
from kilter.results.links import Check, Severity
from kilter.run.reordering.make import read_linked, split_words
from kilter.run.scoring.settings import Settings

_NONE = "none"
_LANGUAGES = (*LINT_WORDS, _NONE)


@settings_command("lint")
def command(
    *,
    source: InputFile = source_setting(required=True),
    target: InputFile = setting(
        "-t", "--target", description="Translation of the source, tokenised."
    ),
    links: SourceLinks,
    language: str = like(
        Settings,
        "language",
        choices=_LANGUAGES,
        metavar=None,
        default="en",
        description="Source language, to know words that need no link.",
    ),
    target_language: str = setting(
        choices=_LANGUAGES,
        default=_NONE,
        description="Target language, to check particles.",
    ),
    allow: InputFile | None = setting(
        default=None,
        group=Group.OPTIONS,
        description="Further words that need no link, separated by spaces.",
    ),
    severities: Mapping[Check, Severity] = setting(
        "--severity",
        default=dict,
        metavar="CHECK=SEVERITY",
        parse=lambda given: dict(map(_severity, given)),
        description="Severity of a check: error, warning or off; repeatable.",
    ),
    summary: bool = flag(group=Group.OUTPUT, description="Print counts only, not every finding."),
    format: TableFormat = format_setting(),
) -> None:
    """Check that sentences and links are fit for reference reorderings.

    Segments count from 1, positions from 0, as links do. Exit code 0 if no finding is an error, 3 otherwise.

    \b
    Examples:
      kilter reorder lint -s text.en -t text.ja -a en-ja.links
      kilter reorder lint -s text.en -t text.ja -a en-ja.links --severity scattered=off --summary
    """
    lines = read_source(target)
    words, word_links = read_linked(
        (display_name(source), read_source(source)),
        ByteSource(links.links),
        target=(display_name(target), lines),
        link_format=links.link_format,
        possible=links.possible,
    )
    report = lint(
        words,
        split_words(lines),
        word_links,
        language=None if language == _NONE else language,
        target_language=None if target_language == _NONE else target_language,
        allowed=() if allow is None else " ".join(read_text(allow)).split(),
        severities=severities,
    )
    print_result(replace(report, summary=summary), format)
    if report.errors:
        print_message(f"{counted(report.errors, 'finding')} of severity error")
        click.get_current_context().exit(3)


def _severity(text: str) -> tuple[Check, Severity]:
    name, _, severity = text.partition("=")
    if name not in list(Check) or severity not in list(Severity):
        raise click.UsageError(
            f"--severity is {text!r}; write CHECK=SEVERITY with one of {', '.join(Check)} and one of "
            f"{', '.join(Severity)}"
        )
    return Check(name), Severity(severity)

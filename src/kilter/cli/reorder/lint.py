"""`kilter reorder lint`: checks of the sentences and links that references are made from."""

from __future__ import annotations

from dataclasses import replace

import click

from kilter.aligners.lint import LINT_WORDS, lint
from kilter.cli.option.file_name import FILE_NAME
from kilter.cli.option.form import format_option
from kilter.cli.option.input_text import source_option
from kilter.cli.option.reordering import read_source, source_link_options
from kilter.cli.option.setting import setting_option
from kilter.cli.talk.terminal import print_result
from kilter.core.counted import counted
from kilter.io.stream import ByteSource, display_name
from kilter.io.text import read_text
from kilter.results.links import Check, Severity
from kilter.run.reordering.make import read_linked, split_words
from kilter.run.scoring.settings import Settings


@click.command("lint")
@source_option(required=True)
@click.option(
    "-t", "--target", required=True, type=FILE_NAME, metavar="FILE", help="Its translation."
)
@source_link_options
@setting_option(
    Settings,
    "language",
    type=click.Choice([*LINT_WORDS, "none"]),
    metavar=None,
    default="en",
    show_default=True,
    help="Language of the source: words that need no link.",
)
@click.option(
    "--target-language",
    type=click.Choice([*LINT_WORDS, "none"]),
    default="none",
    show_default=True,
    help="Language of the translation: particles that belong with their content word.",
)
@click.option(
    "--allow",
    type=FILE_NAME,
    metavar="FILE",
    help="More words that need no link, separated by blanks.",
)
@click.option("--severity", "severities", multiple=True, metavar="CHECK=SEVERITY",
              help=f"error, warning or off for one of {', '.join(Check)}; may be repeated.")  # fmt: skip
@click.option("--summary", is_flag=True, help="Write counts only, not every finding.")
@format_option
@click.pass_context
def command(
    context: click.Context,
    /,
    *,
    source: str,
    target: str,
    links: str,
    link_format: str,
    possible: bool,
    language: str,
    target_language: str,
    allow: str | None,
    severities: tuple[str, ...],
    summary: bool,
    form: str,
) -> None:
    """Check that sentences and links are fit for reference reorderings.

    Exit code 0 if no finding is an error, 3 otherwise.

    \b
    Examples:
      kilter reorder lint -s text.en -t text.ja -a en-ja.links
      kilter reorder lint -s text.en -t text.ja -a en-ja.links --severity scattered=off --summary
    """
    if [source, target, links, allow].count("-") > 1:
        raise click.UsageError("only one input can come from standard input")
    chosen = dict(map(_severity, severities))
    lines = read_source(target)
    words, word_links = read_linked(
        (display_name(source), read_source(source)),
        ByteSource(links),
        target=(display_name(target), lines),
        link_format=link_format,
        possible=possible,
    )
    report = lint(
        words,
        split_words(lines),
        word_links,
        language=None if language == "none" else language,
        target_language=None if target_language == "none" else target_language,
        allowed=() if allow is None else " ".join(read_text(allow)).split(),
        severities=chosen,
    )
    print_result(replace(report, summary=summary), form)
    if report.errors:
        click.echo(f"kilter: {counted(report.errors, 'finding')} of severity error", err=True)
        context.exit(3)


def _severity(text: str) -> tuple[Check, Severity]:
    name, _, severity = text.partition("=")
    if name not in list(Check) or severity not in list(Severity):
        raise click.UsageError(
            f"--severity is {text!r}; write CHECK=SEVERITY with one of {', '.join(Check)} and one of "
            f"{', '.join(Severity)}"
        )
    return Check(name), Severity(severity)

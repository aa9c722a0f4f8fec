"""`kilter validate`: everything that is wrong with the inputs, at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from kilter.cli.command import FILE_NAME
from kilter.cli.option.execution import quiet_flag
from kilter.cli.option.input_text import (
    column_option,
    references_option,
    source_option,
    with_columns,
)
from kilter.cli.option.setting import metric_option, setting_option
from kilter.cli.option.text import check_standard_input, link_options, tree_options
from kilter.cli.talk.standard_error import say
from kilter.core.counted import counted
from kilter.run.scoring.settings import Settings
from kilter.run.scoring.validate import validate

if TYPE_CHECKING:
    from kilter.cli.option.input_text import Columns
    from kilter.run.scoring.validate import ValidationReport

_CHECKED = ("systems", "references", "source", "trees", "trees_reference", "trees_source")


@click.command("validate")
@click.argument("systems", nargs=-1, type=FILE_NAME)
@references_option("A reference.")
@source_option()
@column_option("hypothesis", "reference", "source")
@link_options
@tree_options
@metric_option("A metric that will be computed; may be repeated.  [default: any]")
@setting_option(
    Settings, "aligner", help="What will make the links; may be repeated.  [default: match]"
)
@setting_option(
    Settings, "parser", help="What will make the trees; may be repeated.  [default: model]"
)
@setting_option(
    Settings,
    "tokenize",
    help="The tokeniser that will be used  [default: 13a, or as the language asks; none with given trees]",
)
@setting_option(Settings, "language", help="Language of the systems.")
@setting_option(Settings, "empty")
@quiet_flag("Say nothing if all is well.")
@click.pass_context
def command(context: click.Context, /, *, columns: Columns, quiet: bool, **options: Any) -> None:
    """Check texts, links and trees against one another and list every problem.

    It finds whatever stops score and compare with the same files and options, but for what aligners and
    parsers say about the texts: they do not run. Exit code 0 if there is no problem, 3 otherwise.
    """
    if not any(options[name] for name in _CHECKED):
        raise click.UsageError("name at least one file")
    check_standard_input(options)
    for name, role in (("systems", "hypothesis"), ("references", "reference")):
        options[name] = tuple(with_columns(options[name], columns, role))
    source = with_columns([options["source"]] if options["source"] else [], columns, "source")
    options["source"] = next(iter(source), None)
    for name in ("metrics", "aligner", "parser"):  # never given is an empty tuple
        options[name] = options[name] or None
    report = validate(**options)
    try:
        for problem in report.problems:
            click.echo(problem)
    except BrokenPipeError:  # the reader has seen enough; the verdict stays what it is
        context.exit(3)
    if report.problems:
        problems = counted(len(report.problems), "problem")
        say(f"{problems} in {counted(report.files, 'file')}")
        context.exit(3)
    if not quiet:
        say(_fitting(report))


def _fitting(report: ValidationReport) -> str:
    """Return how much was checked, and that nothing is wrong with it."""
    fits = "has no problem" if report.files == 1 else "fit one another"
    size = f" with {counted(report.segments, 'segment')}" if report.segments else ""
    text = f"{counted(report.files, 'file')}{size} {fits}"
    if report.empty:
        text += f"; {counted(report.empty, 'line is', plural='lines are')} empty"
    return text

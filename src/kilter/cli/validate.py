"""`kilter validate`: everything that is wrong with the inputs, at once."""

from __future__ import annotations

import click

from kilter.cli.command import settings_command
from kilter.cli.console import print_message, print_notes
from kilter.cli.fields import (
    Columns,
    columns_setting,
    quiet_setting,
    references_setting,
    source_setting,
    with_column,
    with_columns,
)
from kilter.core.settings import Group, InputFile, argument, mixed
from kilter.run.scoring.validate import ValidationSettings, validate


@settings_command("validate", heading=Group.SCORING)
def command(
    *,
    systems: tuple[InputFile, ...] = argument(
        default=(), description="Translations, one segment per line; - reads standard input."
    ),
    references: tuple[InputFile, ...] = references_setting("Reference translation; repeatable."),
    source: InputFile | None = source_setting(),
    columns: Columns = columns_setting("hypothesis", "reference", "source"),
    settings: ValidationSettings = mixed(ValidationSettings),
    quiet: bool = quiet_setting("Print nothing if there is no problem."),
) -> None:
    """Check texts, links and trees against one another and list every problem.

    It finds whatever would stop score and compare with the same files and options, except errors of
    aligners and parsers, which do not run. Exit code 0 if there is no problem, else 3.
    """
    if not (systems or references or source or settings.structures.any_trees()):
        raise click.UsageError("name at least one file")
    report = validate(
        with_columns(systems, columns, "hypothesis"),
        with_columns(references, columns, "reference"),
        source=with_column(source, columns, "source"),
        settings=settings,
    )
    context = click.get_current_context()
    try:
        for problem in report.problems:
            click.echo(problem)
    except BrokenPipeError:  # the reader has seen enough; the verdict stays what it is
        context.exit(3)
    if report.problems:
        print_message(report.verdict)
        context.exit(3)
    print_notes([*report.notes, report.verdict], quiet=quiet)

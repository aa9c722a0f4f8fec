"""`kilter annotate export`: links and translations as files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from kilter.cli.annotate.project import database_setting, running_project
from kilter.cli.command import settings_command
from kilter.cli.fields import (
    format_setting,
    output_folder_setting,
    quiet_setting,
)
from kilter.core.counted import counted
from kilter.core.errors import OptionError
from kilter.core.settings import argument, flag, setting
from kilter.io.link_format import LinkFormat
from kilter.io.output import check_new_folder
from kilter.study.annotation.export import (
    AGREED,
    DetailFormat,
    PossibleLinks,
    chosen_annotations,
    write_export,
)
from kilter.study.annotation.project import ADJUDICATED


@dataclass(frozen=True, kw_only=True)
class AnnotationExportOptions:
    """What is written, and how."""

    folder: Path = argument()
    output: Path = output_folder_setting("A new folder for the files.")
    annotator: str | None = setting(
        default=None, metavar="NAME", description="What this annotator has made."
    )
    adjudicated: bool = flag(description="What adjudicators have decided on.")
    agreed: bool = flag(description="What all annotators of a sentence drew.")
    unfinished: bool = flag(description="Add sentences that are begun, and not done.")
    dense: bool = flag(description="Leave out empty lines, of sentences that are not written.")
    format: LinkFormat = format_setting(
        default=LinkFormat("sure-possible"), description="How to write the links."
    )
    possible: PossibleLinks = setting(
        default=PossibleLinks("marked"),
        description="Possible links are marked, written as sure ones, or left out.",
    )
    details: DetailFormat = setting(
        default=DetailFormat("jsonl"), description="How to write comments, bookmarks and times."
    )
    database: str | None = database_setting()
    quiet: bool = quiet_setting()


@settings_command("export")
def command(options: AnnotationExportOptions) -> None:
    """Write source, translations and links of the project in FOLDER.

    Each file has a line for each sentence of the project, empty where nothing is done: exports of several people
    belong together, and are imported as they are.

    \b
    Example:
      kilter annotate export project/ -o gold/ --adjudicated
    """
    if [options.annotator is not None, options.adjudicated, options.agreed].count(True) != 1:
        raise click.UsageError("give one of --annotator NAME, --adjudicated and --agreed")
    check_new_folder(options.output)
    with running_project(options.folder, options.database) as running:
        project = running.project
        if options.annotator is not None and options.annotator not in project.annotators:
            listed = ", ".join(project.annotators)
            raise OptionError(f"there is no annotator {options.annotator!r}; there are {listed}")
        account = options.annotator or (ADJUDICATED if options.adjudicated else AGREED)
        taken, export = chosen_annotations(
            project, running.store.annotations.all(), account=account, unfinished=options.unfinished
        )
        write_export(
            project,
            taken,
            options.output,
            form=options.format,
            details=options.details,
            possible=options.possible,
            dense=options.dense,
        )
        running.note("export", account)
    if not options.quiet:
        said = f"{options.output}: {counted(export.written, 'sentence')} written"
        if export.left_out:
            gone = "left out" if options.dense else "empty"
            said += f", {counted(export.left_out, 'sentence')} {gone}"
        if export.different:
            said += f", of these {export.different} with different translations"
        click.echo(said, err=True)

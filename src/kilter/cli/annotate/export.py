"""`kilter annotate export`: links and translations as files."""

from __future__ import annotations

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


@settings_command("export")
def command(
    *,
    folder: Path = argument(),
    output: Path = output_folder_setting("New folder for the files."),
    annotator: str | None = setting(
        default=None, metavar="NAME", description="Export the work of this annotator."
    ),
    adjudicated: bool = flag(description="Export what adjudicators decided."),
    agreed: bool = flag(description="Export the links that all annotators agree on."),
    unfinished: bool = flag(description="Include unfinished sentences."),
    dense: bool = flag(description="Leave out the empty lines of sentences not exported."),
    format: LinkFormat = format_setting(
        default=LinkFormat.SURE_POSSIBLE, description="Format of the links."
    ),
    possible: PossibleLinks = setting(
        default=PossibleLinks.MARKED,
        description="Possible links: mark, write as sure, or drop.",
    ),
    details: DetailFormat = setting(
        default=DetailFormat.JSONL, description="Format of comments, bookmarks and times."
    ),
    database: str | None = database_setting(),
    quiet: bool = quiet_setting(),
) -> None:
    """Write source, translations and links of the project in FOLDER.

    Each file has a line for each sentence of the project, empty where nothing is done: exports of several people
    belong together, and are imported as they are.

    \b
    Example:
      kilter annotate export project/ -o gold/ --adjudicated
    """
    if [annotator is not None, adjudicated, agreed].count(True) != 1:
        raise click.UsageError("give one of --annotator NAME, --adjudicated and --agreed")
    check_new_folder(output)
    with running_project(folder, database) as running:
        project = running.project
        if annotator is not None and annotator not in project.annotators:
            listed = ", ".join(project.annotators)
            raise OptionError(f"there is no annotator {annotator!r}; there are {listed}")
        account = annotator or (ADJUDICATED if adjudicated else AGREED)
        taken, export = chosen_annotations(
            project, running.store.annotations.all(), account=account, unfinished=unfinished
        )
        write_export(
            project,
            taken,
            output,
            form=format,
            details=details,
            possible=possible,
            dense=dense,
        )
        running.note("export", account)
    if not quiet:
        said = f"{output}: {counted(export.written, 'sentence')} written"
        if export.left_out:
            gone = "left out" if dense else "empty"
            said += f", {counted(export.left_out, 'sentence')} {gone}"
        if export.different:
            said += f", of these {export.different} with different translations"
        click.echo(said, err=True)

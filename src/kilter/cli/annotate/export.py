"""`kilter annotate export`: links and translations as files."""

from __future__ import annotations

from pathlib import Path

import click

from kilter.cli.option.annotation import database_option, running_project
from kilter.cli.option.execution import quiet_option
from kilter.cli.option.form import choice, form_option
from kilter.cli.option.output import output_folder_option
from kilter.core.counted import counted
from kilter.core.errors import OptionError
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


@click.command("export")
@click.argument("folder", type=click.Path(path_type=Path))
@output_folder_option("A new folder for the files.")
@click.option("--annotator", metavar="NAME", help="What this annotator has made.")
@click.option("--adjudicated", is_flag=True, help="What adjudicators have decided on.")
@click.option("--agreed", is_flag=True, help="What all annotators of a sentence drew.")
@click.option("--unfinished", is_flag=True, help="Add sentences that are begun, and not done.")
@click.option("--dense", is_flag=True,
              help="Leave out empty lines, of sentences that are not written.")  # fmt: skip
@form_option(LinkFormat, "sure-possible", "How to write the links.")
@click.option("--possible", type=choice(PossibleLinks), default="marked", show_default=True,
              help="Possible links are marked, written as sure ones, or left out.")  # fmt: skip
@click.option("--details", type=choice(DetailFormat), default="jsonl",
              show_default=True, help="How to write comments, bookmarks and times.")  # fmt: skip
@database_option
@quiet_option
def command(
    *,
    folder: Path,
    output: Path,
    annotator: str | None,
    adjudicated: bool,
    agreed: bool,
    unfinished: bool,
    dense: bool,
    form: str,
    possible: str,
    details: str,
    database: str | None,
    quiet: bool,
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
            project, taken, output, form=form, details=details, possible=possible, dense=dense
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

"""`kilter survey export`: the data of a study as files."""

from __future__ import annotations

from pathlib import Path

import click

from kilter.cli.option.survey import (
    database_option,
    export_options,
    needs_extra,
    running_study,
    tell_written,
)


@click.command("export")
@click.argument("folder", type=click.Path(path_type=Path))
@export_options
@database_option
@click.option("--identified", is_flag=True, help="Add the numbers of links, which lead to people.")
@click.option("--archive", is_flag=True,
              help="Leave out everybody who has not agreed that data is archived.")  # fmt: skip
def command(
    *,
    folder: Path,
    output: Path,
    database: str | None,
    form: str,
    metrics: tuple[str, ...],
    ratings: bool,
    identified: bool,
    archive: bool,
    quiet: bool,
) -> None:
    """Write judgments, participants, items, scores and a data dictionary of the study in FOLDER."""
    if identified and archive:
        raise click.UsageError("--archive is for data that leads to nobody; leave out --identified")
    with running_study(folder, database) as running:
        with needs_extra("survey"):
            from kilter.study.chapter.data import write_export
        written = write_export(
            running,
            output,
            form=form,
            metrics=metrics,
            identified=identified,
            archive=archive,
            ratings=ratings,
        )
        detail = "with numbers of links" if identified else "for an archive" if archive else ""
        running.note("export", detail)
    if not quiet:
        tell_written(output, form, written)

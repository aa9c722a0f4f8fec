"""`kilter survey export`: the data of a study as files."""

from __future__ import annotations

from pathlib import Path

import click

from kilter.cli.command import settings_command
from kilter.cli.survey.study import (
    ExportOptions,
    database_setting,
    needs_extra,
    running_study,
    tell_written,
)
from kilter.core.settings import argument, flag


@settings_command("export")
def command(
    *,
    folder: Path = argument(),
    export: ExportOptions,
    database: str | None = database_setting(),
    identified: bool = flag(description="Add the numbers of links, which identify people."),
    archive: bool = flag(description="Leave out participants who did not consent to archiving."),
) -> None:
    """Write judgments, participants, items, scores and a data dictionary of the study in FOLDER."""
    if identified and archive:
        raise click.UsageError("--archive is for data that leads to nobody; leave out --identified")
    with running_study(folder, database) as running:
        with needs_extra("survey"):
            from kilter.study.judgments.export_folder import write_export
        written = write_export(
            running,
            export.output,
            form=export.format,
            metrics=export.metrics,
            identified=identified,
            archive=archive,
            ratings=export.ratings,
        )
        detail = "with numbers of links" if identified else "for an archive" if archive else ""
        running.note("export", detail)
    if not export.quiet:
        tell_written(export.output, export.format, written)

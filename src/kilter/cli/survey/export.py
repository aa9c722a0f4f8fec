"""`kilter survey export`: the data of a study as files."""

from __future__ import annotations

from dataclasses import dataclass
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


@dataclass(frozen=True, kw_only=True)
class StudyExportOptions:
    """What is exported."""

    folder: Path = argument()
    export: ExportOptions
    database: str | None = database_setting()
    identified: bool = flag(description="Add the numbers of links, which lead to people.")
    archive: bool = flag(
        description="Leave out everybody who has not agreed that data is archived."
    )


@settings_command("export")
def command(options: StudyExportOptions) -> None:
    """Write judgments, participants, items, scores and a data dictionary of the study in FOLDER."""
    if options.identified and options.archive:
        raise click.UsageError("--archive is for data that leads to nobody; leave out --identified")
    with running_study(options.folder, options.database) as running:
        with needs_extra("survey"):
            from kilter.study.judgments.export_folder import write_export
        written = write_export(
            running,
            options.export.output,
            form=options.export.format,
            metrics=options.export.metrics,
            identified=options.identified,
            archive=options.archive,
            ratings=options.export.ratings,
        )
        detail = (
            "with numbers of links"
            if options.identified
            else "for an archive"
            if options.archive
            else ""
        )
        running.note("export", detail)
    if not options.export.quiet:
        tell_written(options.export.output, options.export.format, written)

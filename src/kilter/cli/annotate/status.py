"""`kilter annotate status`: how far a project is."""

from __future__ import annotations

from pathlib import Path

from kilter.cli.annotate.project import database_setting, running_project
from kilter.cli.command import settings_command
from kilter.cli.console import print_result
from kilter.cli.fields import (
    format_setting,
)
from kilter.core.settings import argument
from kilter.render.table.table import TableFormat
from kilter.study.annotation.status import annotation_status


@settings_command("status")
def command(
    *,
    folder: Path = argument(),
    database: str | None = database_setting(),
    format: TableFormat = format_setting(),
) -> None:
    """Write how far everybody in the project in FOLDER is: sentences, seconds, findings of the linter."""
    with running_project(folder, database) as running:
        status = annotation_status(running.project, running.store.annotations.all())
    print_result(status, format)

"""`kilter survey status`: how far a study is."""

from __future__ import annotations

from pathlib import Path

from kilter.cli.command import settings_command
from kilter.cli.console import print_result
from kilter.cli.fields import (
    format_setting,
)
from kilter.cli.survey.study import database_setting, running_study
from kilter.core.settings import argument
from kilter.render.table.table import TableFormat


@settings_command("status")
def command(
    *,
    folder: Path = argument(),
    database: str | None = database_setting(),
    format: TableFormat = format_setting(),
) -> None:
    """Write how far the study in FOLDER is: participants, answers, agreement, doubtful answers."""
    with running_study(folder, database) as study:
        status = study.status()
    print_result(status, format)

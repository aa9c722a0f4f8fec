"""`kilter survey status`: how far a study is."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from kilter.cli.option.form import format_option
from kilter.cli.option.survey import database_option, running_study
from kilter.render.table.page import write_result
from kilter.render.table.table import TableFormat


@click.command("status")
@click.argument("folder", type=click.Path(path_type=Path))
@database_option
@format_option
def command(*, folder: Path, database: str | None, form: str) -> None:
    """Write how far the study in FOLDER is: participants, answers, agreement, doubtful answers."""
    with running_study(folder, database) as study:
        status = study.status()
    write_result(status, sys.stdout, TableFormat(form))

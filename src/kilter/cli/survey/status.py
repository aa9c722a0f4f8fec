"""`kilter survey status`: how far a study is."""

from __future__ import annotations

from pathlib import Path

import click

from kilter.cli.option.form import format_option
from kilter.cli.option.survey import database_option, running_study
from kilter.cli.talk.terminal import print_result


@click.command("status")
@click.argument("folder", type=click.Path(path_type=Path))
@database_option
@format_option
def command(*, folder: Path, database: str | None, form: str) -> None:
    """Write how far the study in FOLDER is: participants, answers, agreement, doubtful answers."""
    with running_study(folder, database) as study:
        status = study.status()
    print_result(status, form)

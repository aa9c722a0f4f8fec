"""`kilter survey status`: how far a study is."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path

import click

from kilter.cli.option.form import format_option
from kilter.cli.option.survey import database_option, running_study
from kilter.reports.table.study_status import write_status
from kilter.reports.table.table import TableFormat


@click.command("status")
@click.argument("folder", type=click.Path(path_type=Path))
@database_option
@format_option
def command(*, folder: Path, database: str | None, form: str) -> None:
    """Write how far the study in FOLDER is: participants, answers, agreement, doubtful answers."""
    with running_study(folder, database) as study:
        answers = study.collected()
        state = study.store.state()
        document = {
            "schema": "kilter.survey-status/1",
            "paused": state.paused,
            "links": state.links,
            "open_limit": state.open_limit,
            "questionnaires": [asdict(row) for row in answers.progress()],
            "agreement": answers.agreement(),
            "participants_answering": len(answers.active()),
            "participants_doubtful": sum(each.is_doubtful for each in answers.quality()),
        }
    write_status(document, sys.stdout, form=TableFormat(form))

"""`kilter survey import`: answers that were given on paper and typed in."""

from __future__ import annotations

from pathlib import Path

import click

from kilter.cli.command import settings_command
from kilter.cli.fields import (
    quiet_setting,
)
from kilter.cli.survey.study import (
    database_setting,
    group_setting,
    needs_extra,
    participants_setting,
    running_study,
)
from kilter.core.counted import counted
from kilter.core.errors import InputError
from kilter.core.settings import InputFile, argument
from kilter.io.stream import ByteSource


@settings_command("import")
def command(
    *,
    folder: Path = argument(),
    judgments: InputFile = argument(),
    participants: InputFile | None = participants_setting(),
    group: str | None = group_setting(),
    database: str | None = database_setting(),
    quiet: bool = quiet_setting(),
) -> None:
    """Add answers on paper to the study in FOLDER: all of JUDGMENTS, or nothing if anything is wrong.

    JUDGMENTS is a CSV file with participant, questionnaire, position, and a column for each question;
    an empty cell is a missing answer. Every problem is listed on standard output.
    """
    with running_study(folder, database) as running:
        with needs_extra("survey"):
            from kilter.study.exchange.intake import Intake
        if group is not None:
            running.study.recruitment.checked_group(group)
        intake = Intake.of(running.study, running.questionnaires)
        intake.read_judgments(b"".join(ByteSource(judgments).chunks()), judgments)
        if participants is not None:
            intake.read_participants(b"".join(ByteSource(participants).chunks()), participants)
        if intake.problems:
            for problem in intake.problems:
                click.echo(str(problem))
            raise InputError(f"{counted(len(intake.problems), 'problem')}; nothing was imported")
        people = list(intake.people.values())
        if not people:
            raise InputError("holds no judgment below its header", where=judgments)
        for person in people:
            person.group = group
        running.store.answers.enter(people)
        running.note("import", counted(len(people), "participant"))
    if not quiet:
        count = sum(len(person.answers) for person in people)
        whose = counted(len(people), "participant")
        click.echo(f"imported {counted(count, 'item')} of {whose}", err=True)

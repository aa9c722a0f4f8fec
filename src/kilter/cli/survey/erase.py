"""`kilter survey erase`: a participant's data removed at their wish."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import click

from kilter.cli.command import settings_command
from kilter.cli.survey.study import database_setting, running_study
from kilter.core.errors import InputError
from kilter.core.settings import argument, flag
from kilter.io.stream import is_standard_input

_HYPHENED_TOKEN = re.compile(r"-[\w-]{31}", re.ASCII)  # no option is as long


class _TokenCommand(click.Command):
    """A command that takes a token as it is: one in 64 begins with a hyphen, as an option does."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if "--" not in args:
            tokens = [each for each in args if _HYPHENED_TOKEN.fullmatch(each)]
            if tokens:
                args = [*(each for each in args if each not in tokens), "--", *tokens]
        return super().parse_args(ctx, args)


@settings_command("erase", kind=_TokenCommand)
def command(
    *,
    folder: Path = argument(),
    token: str = argument(),
    judgments: bool = flag(description="Erase the judgments as well."),
    database: str | None = database_setting(),
) -> None:
    """Erase what is about one participant of the study in FOLDER, and say what is left.

    TOKEN is the personal link, its token, the participant's code in exported data, or the code or name of a
    questionnaire on paper; - reads it from standard input, so that it is not seen in the list of processes.
    """
    with running_study(folder, database) as running:
        given = sys.stdin.readline() if is_standard_input(token) else token
        store = running.store
        person = store.participants.named(given) or store.answers.entered(given.strip())
        if person is None:
            raise InputError(
                "nobody has this link, token or code; it may have been erased before",
                where=running.store.name,
            )
        erased = running.store.erase(person.id, judgments=judgments)
        running.note("erase", "personal data and judgments" if judgments else "personal data")
    click.echo("erased: personal data, consent, link")
    if judgments:
        click.echo(f"erased: {erased.judgments_removed} answers about items and their times")
    click.echo(f"left: {erased.judgments_left} answers about items, without any link to a person")
    if not erased.log_emptied:
        files = "write-ahead log (-wal)" if running.store.is_sqlite else "tables"
        click.echo(
            f"left: a copy in the {files} of the database, which another program reads; end that program and run "
            "'kilter survey status'. A server that runs removes it by itself"
        )
    click.echo("left: copies that were exported or backed up before")

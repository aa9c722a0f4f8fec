"""`kilter survey password`: another password of an account for the researchers' pages."""

from __future__ import annotations

from pathlib import Path

import click

from kilter.cli.command import settings_command
from kilter.cli.survey.study import database_setting, password_in, running_study
from kilter.core.settings import InputFile, argument, setting
from kilter.study.design.account import change_password, known_account


@settings_command("password")
def command(
    *,
    folder: Path = argument(),
    account: str | None = setting(
        default=None,
        metavar="NAME",
        description="Account to change.  [default: the only one]",
    ),
    password_file: InputFile | None = setting(
        default=None,
        description="File with the new password.  [default: generated]",
    ),
    database: str | None = database_setting(),
) -> None:
    """Change the password of a researcher of the study in FOLDER, and end all sessions of that account.

    A server that runs asks for the new one from then on.
    """
    password = password_in(password_file)
    with running_study(folder, database) as running:
        name = known_account(folder, account)
        chosen = change_password(folder, name, password)
        running.store.sessions.end_of(name)
        running.note("password", name)
    if password is None:
        click.echo(f"password of {name}, shown only now: {chosen}")

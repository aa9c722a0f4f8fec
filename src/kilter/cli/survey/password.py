"""`kilter survey password`: another password of an account for the researchers' pages."""

from __future__ import annotations

from pathlib import Path

import click

from kilter.cli.command import FILE_NAME
from kilter.cli.option.survey import database_option, password_in, running_study
from kilter.study.design.account import change_password, known_account


@click.command("password")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--account", metavar="NAME", help="Whose password.  [default: that of the only account]"
)
@click.option("--password-file", type=FILE_NAME, metavar="FILE",
              help="The new password is the first line of this file.  [default: one that is made, and shown "
                   "once]")  # fmt: skip
@database_option
def command(
    *, folder: Path, account: str | None, password_file: str | None, database: str | None
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

"""`kilter survey password`: another password for the researchers' pages."""

from __future__ import annotations

from pathlib import Path

import click

from kilter.cli.option.survey import database_option, running_study
from kilter.formats.text import read_text
from kilter.survey.design.creation import change_password


@click.command("password")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--password-file", metavar="FILE",
              help="The new password is the first line of this file.  [default: one that is made, and shown "
                   "once]")  # fmt: skip
@database_option
def command(*, folder: Path, password_file: str | None, database: str | None) -> None:
    """Change the password for researchers' pages of the study in FOLDER, and end all their sessions.

    A server that runs asks for the new one from then on.
    """
    password = read_text(password_file)[0] if password_file is not None else None
    with running_study(folder, database) as running:
        chosen = change_password(folder, password)
        running.store.sessions.end_all()
        running.note("password")
    if password is None:
        click.echo(f"password of the researcher, shown only now: {chosen}")

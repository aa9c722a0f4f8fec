"""`kilter survey account`: who may open the researchers' pages of a study."""

from __future__ import annotations

from pathlib import Path

import click

from kilter.cli.command import settings_command
from kilter.cli.survey.study import database_setting, password_in, running_study
from kilter.core.settings import InputFile, argument, setting
from kilter.study.design.account import accounts, add_account, remove_account


@settings_command("account")
def command(
    *,
    folder: Path = argument(),
    add: str | None = setting(
        default=None, metavar="NAME", description="Add an account with this name."
    ),
    remove: str | None = setting(
        default=None, metavar="NAME", description="Remove this account and end its sessions."
    ),
    password_file: InputFile | None = setting(
        default=None,
        description="File with the password of --add.  [default: generated]",
    ),
    database: str | None = database_setting(),
) -> None:
    """List the accounts of researchers of the study in FOLDER, or add or remove one.

    What is done on researchers' pages is written down with the account. A server that runs knows at once.

    \b
    Examples:
      kilter survey account study/
      kilter survey account study/ --add anna
      kilter survey account study/ --remove anna
    """
    if add is not None and remove is not None:
        raise click.UsageError("--add and --remove are two commands; give one of them")
    if password_file is not None and add is None:
        raise click.UsageError("--password-file goes with --add")
    if add is None and remove is None:
        for name in accounts(folder):
            click.echo(name)
        return
    password = password_in(password_file)
    with running_study(folder, database) as running:
        if add is not None:
            chosen = add_account(folder, add, password)
            running.note("account", f"added {add}")
            if password is None:
                click.echo(f"password of {add}, shown only now: {chosen}")
        if remove is not None:
            remove_account(folder, remove)
            running.store.sessions.end_of(remove)
            running.note("account", f"removed {remove}")

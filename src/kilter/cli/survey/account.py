"""`kilter survey account`: who may open the researchers' pages of a study."""

from __future__ import annotations

from pathlib import Path

import click

from kilter.cli.command import FILE_NAME
from kilter.cli.option.survey import database_option, password_in, running_study
from kilter.study.design.account import accounts, add_account, remove_account


@click.command("account")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--add", metavar="NAME", help="Add an account of this name.")
@click.option("--remove", metavar="NAME", help="Remove this account, and end its sessions.")
@click.option("--password-file", type=FILE_NAME, metavar="FILE",
              help="The password of --add is the first line of this file.  [default: one that is made, and "
                   "shown once]")  # fmt: skip
@database_option
def command(
    *,
    folder: Path,
    add: str | None,
    remove: str | None,
    password_file: str | None,
    database: str | None,
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

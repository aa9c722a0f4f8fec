"""What commands of the survey share: the packages they need, and the data of a study."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from kilter.cli.command import FILE_NAME
from kilter.cli.option.execution import quiet_option
from kilter.cli.option.option_list import option_list
from kilter.cli.option.output import output_folder_option
from kilter.cli.option.setting import metric_option
from kilter.core.counted import counted
from kilter.core.errors import InputError, MissingToolError
from kilter.io.text import read_text
from kilter.render.table.table import EXPORT_FORMATS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from kilter.study.store.running_study import RunningStudy


database_option = click.option(
    "--database",
    metavar="URL",
    help="sqlite:///FILE or postgresql://USER@HOST/NAME.  [default: answers.db in FOLDER]",
)
"""The option that says where answers are."""
participants_option = click.option(
    "--participants",
    type=FILE_NAME,
    metavar="FILE",
    help="CSV with what participants say about themselves.",
)
group_option = click.option(
    "--group", metavar="NAME", help="The recruitment group of these participants."
)
export_options = option_list(
    output_folder_option("A new folder for the files."),
    click.option("--format", "form", type=click.Choice([*map(str, EXPORT_FORMATS)]), default="csv",
                 show_default=True, help="How to write the files."),
    metric_option("Add scores of all items by this metric; may be repeated."),
    click.option("--ratings", is_flag=True,
                 help="Add judgments of translations as 'kilter compare --scores' and 'kilter meta' read them."),
    quiet_option,
)  # fmt: skip
"""The options of commands that write an export."""


def tell_written(output: Path, form: str, written: Mapping[str, int]) -> None:
    """Say on standard error how many rows each file has."""
    for name, rows in written.items():
        click.echo(f"{output / name}.{form}: {counted(rows, 'row')}", err=True)


def password_in(file: str | None) -> str | None:
    """Return the first line of a file that holds a password, if there is one."""
    return None if file is None else read_text(file, held="a password in its first line")[0]


@contextmanager
def needs_extra(name: str, *, what: str = "this part of the survey") -> Iterator[None]:
    """Turn a missing package into an error that says what needs it, and how to install it."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise MissingToolError(what, install=f"pip install 'kilter[{name}]'") from error


@contextmanager
def running_study(folder: Path, database: str | None) -> Iterator[RunningStudy]:
    """Give a created study with its answers."""
    with needs_extra("survey"):
        from sqlalchemy.exc import SQLAlchemyError

        from kilter.study.store.fault import fault_kind
        from kilter.study.store.running_study import open_study
    running = open_study(folder, database=database)
    for change in running.changes():
        click.echo(f"note: {change}; the study goes on as it was created", err=True)
    try:
        yield running
    except SQLAlchemyError as error:
        # Its message and those below it may hold what participants said about themselves.
        raise InputError(
            f"the database failed: {fault_kind(error)}; see what it says in its own log, and try again",
            where=running.store.name,
        ) from None
    finally:
        running.store.close()

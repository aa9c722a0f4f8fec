"""What commands of the survey share: the packages they need, and the data of a study."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kilter.cli.fields import (
    metrics_setting,
    output_folder_setting,
    quiet_setting,
)
from kilter.core.counted import counted
from kilter.core.errors import InputError, MissingToolError
from kilter.core.settings import Group, flag, setting
from kilter.io.text import read_text
from kilter.render.table.table import EXPORT_FORMATS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kilter.study.store.running_study import RunningStudy


def database_setting(name: str = "answers.db", **more: Any) -> Any:
    """Declare where answers are."""
    return setting(
        default=None,
        metavar="URL",
        group=Group.ADVANCED,
        description=f"SQLite or PostgreSQL URL.  [default: {name} in FOLDER]",
        **more,
    )


def participants_setting() -> Any:
    """Declare the file of what participants say about themselves."""
    return setting(default=None, description="CSV with the participants' own details.")


def group_setting() -> Any:
    """Declare the recruitment group of participants."""
    return setting(
        default=None, metavar="NAME", description="Recruitment group of these participants."
    )


@dataclass(frozen=True, kw_only=True)
class ExportOptions:
    """Where an export goes, how it is written, and what is added."""

    output: Path = output_folder_setting("New folder for the files.")
    format: str = setting(
        default="csv",
        choices=tuple(map(str, EXPORT_FORMATS)),
        group=Group.OUTPUT,
        description="Format of the files.",
    )
    metrics: tuple[str, ...] = metrics_setting(
        "Add scores of all items by this metric; repeatable."
    )
    ratings: bool = flag(description="Add ratings for 'kilter compare --scores' and 'kilter meta'.")
    quiet: bool = quiet_setting()


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

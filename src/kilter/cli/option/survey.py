"""What commands of the survey share: the packages they need, and the data of a study."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kilter.errors import MissingToolError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from kilter.survey.store.running_study import OpenStudy


def database_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the option that says where answers are."""
    return click.option(
        "--database",
        metavar="URL",
        help="sqlite:///FILE or postgresql://USER@HOST/NAME.  [default: answers.db in FOLDER]",
    )(function)


_FORMATS = ("csv", "jsonl", "parquet")


def export_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of commands that write an export."""
    for option in reversed(
        (
            click.option("-o", "--output", required=True, type=click.Path(path_type=Path),
                         help="A new folder for the files."),
            click.option("--format", "form", type=click.Choice(_FORMATS), default="csv",
                         show_default=True, help="How to write the files."),
            click.option("-m", "--metric", "metrics", multiple=True,
                         metavar="NAME[:OPTION=VALUE,...]",
                         help="Add scores of all items by this metric; may be repeated."),
            click.option("-q", "--quiet", is_flag=True,
                         help="Say nothing on standard error but errors."),
        )
    ):  # fmt: skip
        function = option(function)
    return function


def tell_written(output: Path, form: str, written: Mapping[str, int]) -> None:
    """Say on standard error how many rows each file has."""
    for name, rows in written.items():
        click.echo(f"{output / name}.{form}: {rows} rows", err=True)


@contextmanager
def needs_extra(name: str) -> Iterator[None]:
    """Turn a missing package into an error that says how to install it."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise MissingToolError(
            "this part of the survey", install=f"pip install 'kilter[{name}]'"
        ) from error


@contextmanager
def opened_study(folder: Path, database: str | None) -> Iterator[OpenStudy]:
    """Give a created study with its answers."""
    with needs_extra("survey"):
        from kilter.survey.store.running_study import open_study  # noqa: PLC0415 - heavy
    opened = open_study(folder, database=database)
    try:
        yield opened
    finally:
        opened.store.close()

"""What commands of the survey share: the packages they need, and the data of a study."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from kilter.errors import MissingToolError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from kilter.survey.opened import OpenStudy


def database_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the option that says where answers are."""
    return click.option(
        "--database",
        metavar="URL",
        help="sqlite:///FILE or postgresql://USER@HOST/NAME.  [default: answers.db in FOLDER]",
    )(function)


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
        from kilter.survey.opened import open_study  # noqa: PLC0415 - heavy
    opened = open_study(folder, database=database)
    try:
        yield opened
    finally:
        opened.store.close()

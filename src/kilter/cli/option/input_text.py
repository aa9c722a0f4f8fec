"""Texts that commands read, as options."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kilter.cli.option.file_name import FILE_NAME

if TYPE_CHECKING:
    from kilter.cli.option.option_list import Decorator


def source_option(description: str = "The source text.", *, required: bool = False) -> Decorator:
    """Return the option that names the source text."""
    return click.option(
        "-s", "--source", required=required, type=FILE_NAME, metavar="FILE", help=description
    )


def references_option(
    description: str = "The reference; once for each, if there are several.",
    *,
    required: bool = False,
) -> Decorator:
    """Return the option that names the reference, or several."""
    return click.option(
        "-r",
        "--reference",
        "references",
        multiple=True,
        required=required,
        type=FILE_NAME,
        metavar="FILE",
        help=description,
    )

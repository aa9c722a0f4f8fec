"""How results, links and files are written, as options; each takes the values of an enumeration."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from kilter.io.link_format import LinkFormat
from kilter.io.reordering import ReorderingForm
from kilter.render.table.parquet import check_parquet
from kilter.render.table.table import TableFormat

if TYPE_CHECKING:
    from enum import StrEnum

    from kilter.cli.option.option_list import Decorator


def choice(values: type[StrEnum]) -> click.Choice[str]:
    """Return the names of an enumeration's values as what an option can be."""
    return click.Choice([str(value) for value in values])


def _check_form(_context: click.Context, _option: click.Parameter, form: str) -> str:
    """Refuse Parquet before anything is computed where it cannot be written, or not be read."""
    if form == TableFormat.PARQUET:
        if sys.stdout.isatty():
            raise click.UsageError("Parquet is no text for a terminal; write it to a file, > FILE")
        check_parquet("--format parquet")
    return form


def form_option(
    values: type[StrEnum],
    default: str,
    description: str,
    *,
    name: str = "--format",
    argument: str = "form",
) -> Decorator:
    """Return the option that says how a command writes."""
    return click.option(
        name,
        argument,
        type=choice(values),
        default=default,
        show_default=True,
        help=description,
        callback=_check_form,
    )


format_option = form_option(TableFormat, "text", "How to write the result.")
link_format_option = click.option(
    "--link-format",
    type=choice(LinkFormat),
    default="pharaoh",
    show_default=True,
    help="How links are written.",
)


def reference_form_option(description: str) -> Decorator:
    """Return the option that says how reference reorderings are written."""
    return click.option("--reference-form", type=choice(ReorderingForm), help=description)

"""Texts that commands read, as options."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kilter.cli.command import FILE_NAME
from kilter.core.errors import OptionError
from kilter.io.text_file import text_part

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kilter.cli.option.option_list import Decorator

Columns = dict[str, str]
"""The columns of tables by what they hold."""


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


def column_option(*roles: str) -> Decorator:
    """Return the option that names the columns of tables; what they hold is one of the roles."""

    def columns(_context: click.Context, _option: click.Parameter, given: Sequence[str]) -> Columns:
        found: Columns = {}
        for text in given:
            role, sign, name = text.partition("=")
            if not sign or not name or role not in roles:
                raise click.UsageError(
                    f"--column is {text!r}; write ROLE=NAME with one of {', '.join(roles)}"
                )
            if role in found:
                raise click.UsageError(f"--column {role} is given twice; once is enough")
            found[role] = name
        return found

    return click.option(
        "--column",
        "columns",
        multiple=True,
        metavar="ROLE=NAME",
        callback=columns,
        help=f"Column of tables (.tsv, .csv, .jsonl, .parquet, .arrow) that holds the {_listed(roles)}; FILE#NAME "
        "names one of a file alone.",
    )


def _listed(roles: Sequence[str]) -> str:
    return " or ".join([", ".join(roles[:-1]), roles[-1]])


def with_columns(paths: Sequence[str], columns: Mapping[str, str], role: str) -> list[str]:
    """Return the files of a role with the column that was named; one that none has is an `OptionError`."""
    name = columns.get(role)
    found = [text_part(path).with_column(name) for path in paths]
    if name is not None and found == list(paths):
        raise OptionError(
            f"--column {role}={name} names a column, but no {role} is a table; leave it out"
        )
    return found

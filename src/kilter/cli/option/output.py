"""Where results go beside standard output, as options."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kilter.cli.command import FILE_NAME

if TYPE_CHECKING:
    from kilter.cli.option.option_list import Decorator


def output_folder_option(description: str) -> Decorator:
    """Return the option that names the folder a command fills."""
    return click.option(
        "-o", "--output", required=True, type=click.Path(path_type=Path), help=description
    )


def segments_option(row: str, flag: str = "--segments") -> Decorator:
    """Return the option that names a file with a row for each segment, and says what a `row` is."""
    return click.option(
        flag,
        type=FILE_NAME,
        metavar="FILE",
        help=f"Write {row}: .tsv, .csv or .jsonl, also .gz, or .parquet.",
    )

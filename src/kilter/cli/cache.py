"""`kilter cache`: what a folder of kept links and parses holds, and how to clear it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kilter.cli.command import settings_command
from kilter.cli.console import print_message, print_result
from kilter.cli.fields import (
    format_setting,
)
from kilter.core.counted import counted
from kilter.core.settings import InputFile, argument, flag, setting
from kilter.core.table import Table
from kilter.render.table.table import TableFormat
from kilter.run.cache.cache_folder import SECONDS_OF_A_DAY, CacheFolder

if TYPE_CHECKING:
    from kilter.run.cache.cache_folder import CachedMaker

_COLUMNS = ("kind", "maker", "entries", "files", "bytes", "days")


@settings_command("cache")
def command(
    *,
    folder: InputFile = argument(metavar="DIR"),
    clear: bool = flag(description="Delete the cache, or the part selected below."),
    maker: str | None = setting(
        default=None,
        metavar="NAME",
        description="Delete what this aligner or parser computed.",
    ),
    days: float | None = setting(
        "--older-than",
        default=None,
        metavar="DAYS",
        low=0,
        description="Delete what is older.",
    ),
    format: TableFormat = format_setting(),
) -> None:
    """Show what a folder given with --cache keeps, by aligner and parser; or clear it.

    \b
    Examples:
      kilter cache kept
      kilter cache kept --clear --older-than 30
    """
    cache = CacheFolder(folder)
    if not clear and (maker is not None or days is not None):
        raise click.UsageError("--maker and --older-than say what to clear; add --clear")
    if clear:
        removed = cache.clear(maker=maker, days=days)
        print_message(f"{counted(len(removed), 'file')} removed from {folder}")
    rows = [_row(each) for each in cache.makers()]
    print_result(Table.of(_COLUMNS, rows, left=2), format)


def _row(kept: CachedMaker) -> dict[str, object]:
    """Return what is kept of a maker by the names of columns; days since the last file was written."""
    return {
        "kind": kept.kind,
        "maker": kept.maker,
        "entries": kept.entries,
        "files": kept.files,
        "bytes": kept.size,
        "days": int(kept.age // SECONDS_OF_A_DAY),
    }

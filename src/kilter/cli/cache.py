"""`kilter cache`: what a folder of kept links and parses holds, and how to clear it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from kilter.cli.command import settings_command
from kilter.cli.fields import (
    format_setting,
)
from kilter.cli.talk.standard_error import say
from kilter.cli.talk.terminal import print_result
from kilter.core.counted import counted
from kilter.core.settings import InputFile, argument, flag, setting
from kilter.core.table import Table
from kilter.render.table.table import TableFormat
from kilter.run.cache.cache_folder import SECONDS_OF_A_DAY, CacheFolder

if TYPE_CHECKING:
    from kilter.run.cache.cache_folder import CachedMaker

_COLUMNS = ("kind", "maker", "entries", "files", "bytes", "days")


@dataclass(frozen=True, kw_only=True)
class CacheOptions:
    """Which folder is looked at, and what is cleared."""

    folder: InputFile = argument(metavar="DIR")
    clear: bool = flag(description="Remove what the folder keeps, or the part of it named below.")
    maker: str | None = setting(
        default=None,
        metavar="NAME",
        description="Clear what this aligner or parser made, such as embedding.",
    )
    days: float | None = setting(
        "--older-than",
        default=None,
        metavar="DAYS",
        low=0,
        description="Clear what was written longer ago.",
    )
    format: TableFormat = format_setting()


@settings_command("cache")
def command(options: CacheOptions) -> None:
    """Show what a folder given with --cache keeps, by aligner and parser; or clear it.

    \b
    Examples:
      kilter cache kept
      kilter cache kept --clear --older-than 30
    """
    cache = CacheFolder(options.folder)
    if not options.clear and (options.maker is not None or options.days is not None):
        raise click.UsageError("--maker and --older-than say what to clear; add --clear")
    if options.clear:
        removed = cache.clear(maker=options.maker, days=options.days)
        say(f"{counted(len(removed), 'file')} removed from {options.folder}")
    rows = [_row(each) for each in cache.makers()]
    print_result(Table.of(_COLUMNS, rows, left=2), options.format)


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

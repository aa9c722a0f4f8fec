"""`kilter published`: the tables that publications print, computed again."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field

from kilter.cli.command import settings_command
from kilter.cli.fields import (
    format_setting,
)
from kilter.cli.talk.terminal import page_width
from kilter.core.settings import InputFile, argument, setting
from kilter.render.table import long_table as table
from kilter.render.table.table import TableFormat
from kilter.stats.resampling import Resampling

_LIST = "list"


@dataclass(frozen=True, kw_only=True)
class PublishedOptions:
    """Which table is computed again."""

    name: str = argument(metavar="list|NAME")
    data: InputFile | None = setting(
        default=None,
        metavar="DIR",
        description="The folder that holds the data, a folder for each data set.",
    )
    resampling: Resampling = field(default_factory=Resampling)
    format: TableFormat = format_setting()


@settings_command("published")
def command(options: PublishedOptions) -> None:
    """Compute a printed table again, and set it beside the print; list: which tables there are.

    \b
    Examples:
      kilter published list
      kilter published th-5.1
      kilter published lr-2 --data data
    """
    if options.name == _LIST:
        _write_list(options.format)
        return
    from kilter.cli.judgments import write_result
    from kilter.render.table.published import published_rows, write_published
    from kilter.run.published.published import published

    result = published(
        options.name,
        data=options.data,
        resampling=options.resampling,
        jobs=options.resampling.jobs,
    )
    write_result(result, options.format, rows=published_rows, pages=write_published)


def _write_list(form: TableFormat) -> None:
    from kilter.render.table.published import published_list_rows, write_published_list
    from kilter.run.published.published import published_list

    entries = published_list()
    table.write_result(
        sys.stdout,
        form,
        document=lambda: [entry.to_dict() for entry in entries],
        rows=lambda: published_list_rows(entries),
        page=lambda: write_published_list(entries, sys.stdout, form=form, width=page_width()),
    )

"""`kilter published`: the tables that publications print, computed again."""

from __future__ import annotations

from kilter.cli.command import settings_command
from kilter.cli.console import print_result
from kilter.cli.fields import (
    format_setting,
)
from kilter.core.settings import InputFile, argument, mixed, setting
from kilter.render.table.table import TableFormat
from kilter.stats.resampling import Resampling

_LIST = "list"


@settings_command("published")
def command(
    *,
    name: str = argument(metavar="list|NAME"),
    data: InputFile | None = setting(
        default=None,
        metavar="DIR",
        description="Folder with a subfolder for each data set.",
    ),
    resampling: Resampling = mixed(Resampling),
    format: TableFormat = format_setting(),
) -> None:
    """Compute a printed table again, and set it beside the print; list: which tables there are.

    \b
    Examples:
      kilter published list
      kilter published th-5.1
      kilter published lr-2 --data data
    """
    if name == _LIST:
        _write_list(format)
        return
    from kilter.run.published.published import published

    result = published(
        name,
        data=data,
        resampling=resampling,
        jobs=resampling.jobs,
    )
    print_result(result, format)


def _write_list(form: str) -> None:
    from kilter.results.published_result import PublishedList
    from kilter.run.published.published import published_list

    print_result(PublishedList(published_list()), form)

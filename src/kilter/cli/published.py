"""`kilter published`: the tables that publications print, computed again."""

from __future__ import annotations

import sys

import click

from kilter.cli.command import FILE_NAME
from kilter.cli.option.execution import resampling_options
from kilter.cli.option.form import format_option
from kilter.cli.talk.terminal import page_width
from kilter.render.table import long_table as table
from kilter.render.table.table import TableFormat
from kilter.stats.resampling import Resampling

_LIST = "list"


@click.command("published")
@click.argument("name", metavar="list|NAME")
@click.option("--data", type=FILE_NAME, metavar="DIR",
              help="The folder that holds the data, a folder for each data set.")  # fmt: skip
@resampling_options
@format_option
def command(
    *, name: str, data: str | None, resamples: int | None, seed: int, jobs: int, form: str
) -> None:
    """Compute a printed table again, and set it beside the print; list: which tables there are.

    \b
    Examples:
      kilter published list
      kilter published th-5.1
      kilter published lr-2 --data data
    """
    if name == _LIST:
        _write_list(TableFormat(form))
        return
    from kilter.cli.option.judgment import write_result
    from kilter.render.table.published import published_rows, write_published
    from kilter.run.published.published import published

    result = published(
        name, data=data, resampling=Resampling(resamples=resamples, seed=seed), jobs=jobs
    )
    write_result(result, form, rows=published_rows, pages=write_published)


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

"""`kilter published`: the tables that publications print, computed again."""

from __future__ import annotations

import click

from kilter.cli.option.execution import resampling_options
from kilter.cli.option.file_name import FILE_NAME
from kilter.cli.option.form import format_option
from kilter.cli.talk.terminal import print_result
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
        _write_list(form)
        return
    from kilter.run.published.published import published

    result = published(
        name, data=data, resampling=Resampling(resamples=resamples, seed=seed), jobs=jobs
    )
    print_result(result, form)


def _write_list(form: str) -> None:
    from kilter.results.published_result import PublishedList
    from kilter.run.published.published import published_list

    print_result(PublishedList(published_list()), form)

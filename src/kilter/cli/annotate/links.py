"""`kilter annotate links`: personal links of a project."""

from __future__ import annotations

from pathlib import Path

import click

from kilter.cli.option.annotation import (
    annotator_links,
    database_option,
    running_project,
)
from kilter.cli.option.form import format_option
from kilter.cli.option.serving import LOCAL, note_local
from kilter.cli.talk.terminal import print_result
from kilter.results.study import annotator_link_table
from kilter.study.web.site_address import SiteAddress


@click.command("links")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--public-url", metavar="URL",
              help="How annotators reach the pages.  [default: as project.toml says]")  # fmt: skip
@database_option
@format_option
def command(*, folder: Path, public_url: str | None, database: str | None, form: str) -> None:
    """Write the personal links of the project in FOLDER: whose it is, and whether it was opened.

    Whoever has a link can see and change what was done with it: keep the list as carefully as keys. Names that
    are added to project.toml get a link, names that are removed from it lose theirs.
    """
    given = None if public_url is None else SiteAddress.parse(public_url)
    with running_project(folder, database) as running:
        address = str(given or SiteAddress.parse(running.project.public_url or LOCAL))
        links = annotator_links(running, address)
        running.note("links")
    if given is None and address == LOCAL:
        note_local()
    print_result(annotator_link_table(links), form)

"""`kilter annotate links`: personal links of a project."""

from __future__ import annotations

from pathlib import Path

from kilter.cli.annotate.project import (
    annotator_links,
    database_setting,
    running_project,
)
from kilter.cli.command import settings_command
from kilter.cli.console import print_result
from kilter.cli.fields import (
    format_setting,
)
from kilter.cli.survey.serving import LOCAL, note_local
from kilter.core.settings import argument, setting
from kilter.render.table.table import TableFormat
from kilter.results.study import annotator_link_table
from kilter.study.web.site_address import SiteAddress


@settings_command("links")
def command(
    *,
    folder: Path = argument(),
    public_url: str | None = setting(
        default=None,
        metavar="URL",
        description="Address of the pages.  [default: that in project.toml]",
    ),
    database: str | None = database_setting(),
    format: TableFormat = format_setting(),
) -> None:
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
    print_result(annotator_link_table(links), format)

"""`kilter annotate serve`: the pages of a project."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kilter.cli.annotate.project import WHAT, database_setting, running_project
from kilter.cli.command import settings_command
from kilter.cli.survey.serving import ServerSettings
from kilter.cli.survey.study import needs_extra
from kilter.core.settings import argument, mixed

if TYPE_CHECKING:
    from kilter.study.annotation.web.site import AnnotationSite
    from kilter.study.web.tally import Tally


@settings_command("serve")
def command(
    *,
    folder: Path = argument(),
    database: str | None = database_setting(),
    server: ServerSettings = mixed(ServerSettings),
) -> int:
    """Serve the pages of the project in FOLDER until interrupted.

    Put it behind a web server that encrypts connections, and say --public-url https://...

    \b
    Examples:
      kilter annotate serve project/
      kilter annotate serve project/ --database postgresql://annotate@localhost/annotate --workers 4
    """
    with needs_extra("survey", what=WHAT):
        from kilter.study.annotation.store.annotation_store import open_project
        from kilter.study.annotation.web.server import application, serve
        from kilter.study.annotation.web.site import site_of
    address, is_public = server.address, server.is_public
    with running_project(folder, database) as running:
        application(
            site_of(running, address=address, is_public=is_public)
        )  # so that errors are said here
        told = running.project.public_url
    most = server.connections_each

    def open_site(tally: Tally) -> AnnotationSite:
        opened = open_project(folder, database=database, connections=most)
        return site_of(opened, address=address, is_public=is_public, tally=tally)

    def say() -> None:
        if server.quiet:
            return
        click.echo(f"personal links begin with {address}/a/", err=True)
        if told and not is_public and told != address:
            click.echo(
                f"project.toml says {told}: give --public-url, or --host and --port, if people come by that",
                err=True,
            )

    return serve(
        open_site,
        ready=say,
        host=server.host,
        port=server.port,
        workers=server.workers,
        proxies=server.proxies,
    )

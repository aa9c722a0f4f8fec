"""`kilter annotate serve`: the pages of a project."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kilter.cli.annotate.project import WHAT, database_setting, running_project
from kilter.cli.command import settings_command
from kilter.cli.survey.serving import ServerSettings
from kilter.cli.survey.study import needs_extra
from kilter.core.settings import argument

if TYPE_CHECKING:
    from kilter.study.annotation.web.site import AnnotationSite
    from kilter.study.web.tally import Tally


@dataclass(frozen=True, kw_only=True)
class AnnotationServeOptions:
    """Which project is served, and where."""

    folder: Path = argument()
    database: str | None = database_setting()
    server: ServerSettings = field(default_factory=ServerSettings)


@settings_command("serve")
def command(options: AnnotationServeOptions) -> int:
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
    server = options.server
    address, is_public = server.address, server.is_public
    with running_project(options.folder, options.database) as running:
        application(
            site_of(running, address=address, is_public=is_public)
        )  # so that errors are said here
        told = running.project.public_url
    most = server.connections_each

    def open_site(tally: Tally) -> AnnotationSite:
        opened = open_project(options.folder, database=options.database, connections=most)
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

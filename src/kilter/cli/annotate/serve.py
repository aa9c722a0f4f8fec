"""`kilter annotate serve`: the pages of a project."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from kilter.cli.annotate.project import WHAT, database_setting, running_project
from kilter.cli.command import settings_command
from kilter.cli.survey.serving import ServerSettings
from kilter.cli.survey.study import needs_extra
from kilter.core.settings import argument, mixed


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
        from kilter.study.annotation.web.server import application, open_application
        from kilter.study.annotation.web.site import site_of
        from kilter.study.web.service import serve
    address, is_public = server.address, server.is_public
    with running_project(folder, database) as running:
        site = site_of(running, address=address, is_public=is_public)
        application(site)  # so that errors are said here
        told = running.project.public_url
    opened = partial(
        open_application,
        folder,
        database=database,
        connections=server.connections_each,
        address=address,
        is_public=is_public,
        processes=server.workers,
    )

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
        opened,
        site.headers,
        ready=say,
        host=server.host,
        port=server.port,
        workers=server.workers,
        proxies=server.proxies,
    )

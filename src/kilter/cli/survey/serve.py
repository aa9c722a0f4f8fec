"""`kilter survey serve`: the web survey of a study."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from kilter.cli.command import settings_command
from kilter.cli.survey.serving import ServerSettings
from kilter.cli.survey.study import database_setting, needs_extra, running_study
from kilter.core.settings import argument, mixed, setting


@settings_command("serve")
def command(
    *,
    folder: Path = argument(),
    database: str | None = database_setting(),
    server: ServerSettings = mixed(ServerSettings),
    joins: int = setting(
        default=120,
        low=1,
        high=1_000_000,
        description="Joins per hour and address in an open study.",
    ),
) -> int:
    """Serve the web survey of the study in FOLDER until interrupted.

    Put it behind a web server that encrypts connections, and say --public-url https://...

    \b
    Examples:
      kilter survey serve study/
      kilter survey serve study/ --database postgresql://survey@localhost/survey --workers 4
    """
    with needs_extra("survey"):
        from kilter.study.analysis.analysis_process import start_analysis
        from kilter.study.analysis.study_course import course_pictures
        from kilter.study.web.server import application, open_application
        from kilter.study.web.service import serve
        from kilter.study.web.site import site_of
    address, is_public = server.address, server.is_public
    with running_study(folder, database) as running:
        site = site_of(running, address=address, is_public=is_public)
        application(site)  # so that errors are said here
    opened = partial(
        open_application,
        folder,
        database=database,
        connections=server.connections_each,
        address=address,
        is_public=is_public,
        joins=joins,
        processes=server.workers,
        pictures=course_pictures,
        analyse=partial(start_analysis, folder, database),
    )

    def say() -> None:
        if not server.quiet:
            click.echo(f"participants: {address}/", err=True)
            click.echo(f"researchers:  {address}/research", err=True)

    return serve(
        opened,
        site.headers,
        ready=say,
        host=server.host,
        port=server.port,
        workers=server.workers,
        proxies=server.proxies,
    )

"""`kilter survey serve`: the web survey of a study."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kilter.cli.option.serving import check_proxies, connections_of, server_options, site_address
from kilter.cli.option.survey import database_option, needs_extra, running_study

if TYPE_CHECKING:
    from kilter.study.web.site import Site
    from kilter.study.web.tally import Tally


@click.command("serve")
@click.argument("folder", type=click.Path(path_type=Path))
@database_option
@server_options
@click.option("--joins", default=120, show_default=True, type=click.IntRange(1, 1_000_000),
              help="How many people may join an open study from one address in an hour.")  # fmt: skip
def command(
    *,
    folder: Path,
    database: str | None,
    host: str,
    port: int,
    public_url: str | None,
    proxies: tuple[str, ...],
    workers: int,
    connections: int | None,
    joins: int,
    quiet: bool,
) -> int:
    """Serve the web survey of the study in FOLDER until interrupted.

    Put it behind a web server that encrypts connections, and say --public-url https://...

    \b
    Examples:
      kilter survey serve study/
      kilter survey serve study/ --database postgresql://survey@localhost/survey --workers 4
    """
    with needs_extra("survey"):
        from kilter.study.chapter.analysis_process import start_analysis
        from kilter.study.chapter.study_course import course_pictures
        from kilter.study.store.running_study import open_study
        from kilter.study.web.server import application, serve
        from kilter.study.web.site import site_of
    check_proxies(proxies)
    address, is_public = site_address(host, port, public_url)
    with running_study(folder, database) as running:
        application(
            site_of(running, address=address, is_public=is_public)
        )  # so that errors are said here
    most = connections_of(workers, connections)

    def open_site(tally: Tally) -> Site:
        opened = open_study(folder, database=database, connections=most)
        return site_of(
            opened,
            address=address,
            is_public=is_public,
            joins=joins,
            tally=tally,
            pictures=course_pictures,
            analyse=partial(start_analysis, folder, database),
        )

    def say() -> None:
        if not quiet:
            click.echo(f"participants: {address}/", err=True)
            click.echo(f"researchers:  {address}/research", err=True)

    return serve(open_site, ready=say, host=host, port=port, workers=workers, proxies=proxies)

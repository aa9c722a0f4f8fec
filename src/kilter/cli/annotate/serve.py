"""`kilter annotate serve`: the pages of a project."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kilter.cli.option.annotation import WHAT, database_option, running_project
from kilter.cli.option.serving import check_proxies, connections_of, server_options, site_address
from kilter.cli.option.survey import needs_extra

if TYPE_CHECKING:
    from kilter.study.annotation.web.site import AnnotationSite
    from kilter.study.web.tally import Tally


@click.command("serve")
@click.argument("folder", type=click.Path(path_type=Path))
@database_option
@server_options
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
    quiet: bool,
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
    check_proxies(proxies)
    address, is_public = site_address(host, port, public_url)
    with running_project(folder, database) as running:
        application(
            site_of(running, address=address, is_public=is_public)
        )  # so that errors are said here
        told = running.project.public_url
    most = connections_of(workers, connections)

    def open_site(tally: Tally) -> AnnotationSite:
        opened = open_project(folder, database=database, connections=most)
        return site_of(opened, address=address, is_public=is_public, tally=tally)

    def say() -> None:
        if quiet:
            return
        click.echo(f"personal links begin with {address}/a/", err=True)
        if told and not is_public and told != address:
            click.echo(
                f"project.toml says {told}: give --public-url, or --host and --port, if people come by that",
                err=True,
            )

    return serve(open_site, ready=say, host=host, port=port, workers=workers, proxies=proxies)
